import textcodec = require('@textcodec/node');

const text: string = new textcodec.TextDecoder('sjis').decode(textcodec.encode('a', 'sjis'));
textcodec.install(globalThis);
