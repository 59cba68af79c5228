// This compiles with the declarations of browsers and with those of Node.js.
import textcodec, {
  TextDecoder as Decoder, TextDecoderStream as DecoderStream, TextEncoder as Encoder, TextEncoderStream as EncoderStream, bomSniff,
  decode, decodeOrFail, encode, encodeOrFail, install, labelToName, percentEncodeAfterEncoding,
  type AllowSharedBufferSource, type Bytes, type MalformedError, type TextDecoderOptions, type UnmappableError,
} from '@textcodec/node';

const bytes: Bytes = new Encoder().encode('x');
const buffer: ArrayBuffer = bytes.buffer;
new Blob([bytes, encode('x', 'sjis'), encodeOrFail('x'), buffer]);
new Response(bytes);
new Request('https://a.example', { method: 'POST', body: encode('x', 'sjis') });
const digest: Promise<ArrayBuffer> = crypto.subtle.digest('SHA-256', bytes);

const fromBlob: ReadableStream<string> = new Blob([bytes]).stream().pipeThrough(new DecoderStream('sjis'));
const fromStream: ReadableStream<string> = new ReadableStream<Uint8Array>().pipeThrough(new DecoderStream('sjis', { fatal: true }));
const encoded: ReadableStream<Uint8Array> = fromBlob.pipeThrough(new EncoderStream());
const both: ReadableStream<string> = fromStream.pipeThrough(new EncoderStream()).pipeThrough(new DecoderStream());
const body = new Response(bytes).body?.pipeThrough(new DecoderStream());
new Response(encoded);

globalThis.TextDecoder = Decoder;
globalThis.TextEncoder = Encoder;
globalThis.TextDecoderStream = DecoderStream;
globalThis.TextEncoderStream = EncoderStream;
const decoder: InstanceType<typeof TextDecoder> = new Decoder('utf-8', { fatal: true, ignoreBOM: undefined });
const encoder: InstanceType<typeof TextEncoder> = new Encoder();
const decoderStream: TextDecoderStream = new DecoderStream();
const encoderStream: TextEncoderStream = new EncoderStream();
const tags: ['TextDecoder', 'TextEncoder', 'TextDecoderStream', 'TextEncoderStream'] = [
  new Decoder()[Symbol.toStringTag], new Encoder()[Symbol.toStringTag], new DecoderStream()[Symbol.toStringTag],
  new EncoderStream()[Symbol.toStringTag],
];

const options: TextDecoderOptions = { fatal: true };
new Decoder('sjis', options).decode(new Uint8Array(1), { stream: true });
new Decoder(undefined, null).decode(undefined, null);
for (const source of [bytes, buffer, new SharedArrayBuffer(1), new DataView(buffer), new Uint8Array(new SharedArrayBuffer(1))]) {
  const input: AllowSharedBufferSource = source;
  const text: string = new Decoder().decode(input) + decode(input, 'sjis') + decodeOrFail(input) + bomSniff(input);
}
const { read, written }: { read: number; written: number } = new Encoder().encodeInto('x', new Uint8Array(new SharedArrayBuffer(1)));
const name: string | null = labelToName('sjis');
const malformed = (error: MalformedError): [number, Bytes] => [error.offset, error.bytes];
const unmappable = (error: UnmappableError): [number, number] => [error.codePoint, error.index];
for (const set of ['query', 'query percent-encode set', ['a', 1], new Set('ab'), (codePoint: number) => codePoint > 9] as const) {
  const percentEncoded: string = percentEncodeAfterEncoding('sjis', 'a', set, true);
}
install();
install({});
const same: typeof decode = textcodec.decode;

// @ts-expect-error
new Decoder().decode('a');
// @ts-expect-error
new Decoder().decode(null);
// @ts-expect-error
new Encoder().encodeInto('a');
// @ts-expect-error
new Decoder().fatal = true;
// @ts-expect-error
percentEncodeAfterEncoding('sjis', 'a', 'nothing');
// @ts-expect-error
install(1);

import { Detector, detect, type Detection } from '@textcodec/node';
import { CharsetDecoder, CharsetEncoder, charsets, decode as decodeCharset, lookup, type Charset } from '@textcodec/node/charsets';
import * as chardet from '@textcodec/node/chardet';
import { chardet as peer, detect as detectAsPeer, v3 } from '@textcodec/node/jschardet';

const detection: Detection = detect(bytes, { among: ['koi8-r'], platform: 'unix', tiers: ['dos'], topLevelDomain: undefined });
const detector: Detector = new Detector(null);
detector.feed(new SharedArrayBuffer(1));
const probability: number = detector.bestSoFar().candidates[0]?.probability ?? detector.finish().probability;
const charset: Charset = lookup(charsets()[0]?.name ?? 'cp037');
const fromCharset: string = decodeCharset(bytes, charset.name) + new CharsetDecoder('cp037').decode(bytes, { stream: true });
const intoCharset: Bytes = new CharsetEncoder('cp037', { fatal: true }).encode('a');
const match: string | null = chardet.detect(bytes) ?? chardet.analyse(bytes)[0]?.name ?? chardet.detectFileSync('a', { sampleSize: 1 });
const matchOfPeer: string | null = detectAsPeer('a', { detectEncodings: ['utf-8'] }).encoding ?? v3.detect('a').encoding;
new peer.UniversalDetector({ maxBytes: 9 }).feed(bytes);
// @ts-expect-error
detect('a');
// @ts-expect-error
detect(bytes, { platform: 'beos' });
// @ts-expect-error
detect(bytes, { tiers: ['cp437'] });
