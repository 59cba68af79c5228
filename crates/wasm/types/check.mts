// This compiles with the declarations of browsers.
import {
  TextDecoder, TextDecoderStream, TextEncoder, TextEncoderStream, bomSniff, contexts, decode, decodeOrFail, encode, encodeOrFail, encodings,
  install, labelToName, percentEncodeAfterEncoding, sniff, type Bytes, type Encoding, type Rung, type SniffHints, type Sniffed,
} from '@textcodec/wasm';
import { hasVectors, load } from '@textcodec/wasm/load';

const bytes: Bytes = encode('x', 'sjis');
new Blob([bytes, encodeOrFail('x'), new TextEncoder().encode('x')]);
const text: string = new TextDecoder('sjis', { fatal: true }).decode(bytes) + decode(bytes) + decodeOrFail(bytes, 'gbk');
const strings: ReadableStream<string> = new Blob([bytes]).stream().pipeThrough(new TextDecoderStream('sjis'));
const encoded: ReadableStream<Uint8Array> = strings.pipeThrough(new TextEncoderStream());
const sniffed: Sniffed | null = sniff(bytes, contexts[0], { contentType: 'text/html', guess: true });
const outcomes: ('no' | 'yes' | 'unasked')[] | undefined = sniffed?.ladder.map(({ outcome }) => outcome);
const names: string[] = encodings.filter(({ isLinked }) => isLinked).map(({ name }) => name);
const name: string | null = labelToName('sjis') ?? bomSniff(bytes);
percentEncodeAfterEncoding('sjis', text, 'query');
install({});
const exports = await load(hasVectors() ? 'a.wasm' : new URL('https://a.example/b.wasm'));
new exports.TextDecoder('big5');

import { Detector, detect, type Detection } from '@textcodec/wasm/detect';
import { load as loadDetector } from '@textcodec/wasm/detect/load';
import { decode as decodeCharset, lookup } from '@textcodec/wasm/charsets';
import { load as loadCharsets } from '@textcodec/wasm/charsets/load';
import chardet, { analyse } from '@textcodec/wasm/chardet';
import { detect as detectAsPeer } from '@textcodec/wasm/jschardet';

const detection: Detection = detect(bytes, { among: ['sjis'] });
new (await loadDetector('a.wasm')).Detector().feed(bytes);
const inCharset: string = decodeCharset(bytes, lookup('cp037').name) + (await loadCharsets()).decode(bytes, 'cp037');
const match: string | null = chardet.detect(bytes) ?? analyse(bytes)[0]?.name ?? detectAsPeer('a').encoding;
new Detector().finish();

// @ts-expect-error
sniff('a');
// @ts-expect-error
sniff(bytes, 'HTML parser', { transport: 1 });

// The types of sniff are these, and no wider or narrower ones.
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
type Text = string | undefined;
true satisfies Same<Parameters<typeof sniff>, [bytes: AllowSharedBufferSource, context?: string, hints?: SniffHints]>;
true satisfies Same<ReturnType<typeof sniff>, Sniffed | null>;
true satisfies Same<Sniffed['encoding' | 'rung' | 'reason'], string>;
true satisfies Same<Sniffed['confidence'], 'certain' | 'tentative' | 'irrelevant'>;
true satisfies Same<Sniffed['label'], { offset: number; length: number } | null>;
true satisfies Same<Sniffed['ladder'], Rung[]>;
true satisfies Same<Rung['name'], string>;
true satisfies Same<Rung['outcome'], 'no' | 'yes' | 'unasked'>;
true satisfies Same<SniffHints, {
  override?: Text; transport?: Text; contentType?: Text; charsetAttribute?: Text; environment?: Text; container?: Text; history?: Text; default?: Text;
  locale?: Text; guess?: boolean | undefined;
}>;
true satisfies Same<[Encoding['number'], Encoding['name'], Encoding['labels'], Encoding['isLinked']], [number, string, string[], boolean]>;
true satisfies Same<[typeof encodings, typeof contexts], [Encoding[], string[]]>;
true satisfies Same<Parameters<typeof load>, [source?: WebAssembly.Module | string | URL]>;
true satisfies Same<Parameters<typeof loadDetector>, [source?: WebAssembly.Module | string | URL]>;
true satisfies Same<Parameters<typeof loadCharsets>, [source?: WebAssembly.Module | string | URL]>;
true satisfies Same<Awaited<ReturnType<typeof load>>, typeof import('@textcodec/wasm')>;
true satisfies Same<Awaited<ReturnType<typeof loadDetector>>, typeof import('@textcodec/wasm/detect')>;
true satisfies Same<Awaited<ReturnType<typeof loadCharsets>>, typeof import('@textcodec/wasm/charsets')>;
true satisfies Same<typeof hasVectors, () => boolean>;
({
  override: undefined, transport: undefined, contentType: undefined, charsetAttribute: undefined, environment: undefined, container: undefined, history: undefined,
  default: undefined, locale: undefined, guess: undefined,
}) satisfies SniffHints;
