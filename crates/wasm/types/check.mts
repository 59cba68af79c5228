// This compiles with the declarations of browsers.
import {
  TextDecoder, TextDecoderStream, TextEncoder, TextEncoderStream, bomSniff, contexts, decode, decodeOrFail, encode, encodeOrFail, encodings,
  install, labelToName, percentEncodeAfterEncoding, sniff, type Bytes, type Sniffed,
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
