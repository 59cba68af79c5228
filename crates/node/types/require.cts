import textcodec = require('textcodec');

const text: string = new textcodec.TextDecoder('sjis').decode(textcodec.encode('a', 'sjis'));
textcodec.install(globalThis);
