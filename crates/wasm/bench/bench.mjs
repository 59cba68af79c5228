// Measures this package beside the host's TextDecoder, and its library beside encoding_rs in WebAssembly, in one process: `npm run bench`. Prints
// a table in Markdown. TEXTCODEC_CORPORA can name a folder with ja.txt and so on. Needs cargo, and `npm run build` before.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { open } from '../lib/engine.mjs';
import { create } from '../dist/load.mjs';

const folder = dirname(fileURLToPath(import.meta.url));
const root = join(folder, '../../..');
const ROUNDS = 15;
const MILLISECONDS = 4;
const CHARACTERS = 500_000;
const LONG = 65_000;
const CASES = [
  ['windows-1252', 'de'], ['windows-1251', 'ru'], ['koi8-r', 'ru'], ['iso-8859-7', 'el'], ['windows-1255', 'he'], ['windows-1256', 'ar'],
  ['windows-874', 'th'], ['gbk', 'zh_cn'], ['big5', 'zh_tw'], ['shift_jis', 'ja'], ['euc-jp', 'ja'], ['iso-2022-jp', 'ja'], ['euc-kr', 'ko'],
  ['utf-8', 'ru'], ['utf-8', 'ja'],
];
// For machines without the corpora: a sentence of each language.
const SENTENCES = {
  de: 'Die Größe der Räume überrascht die Gäste. ', ru: 'Все люди рождаются свободными и равными. ', el: 'Όλοι οι άνθρωποι γεννιούνται ελεύθεροι. ',
  he: 'כל בני האדם נולדו בני חורין ושווים. ', ar: 'يولد جميع الناس أحرارًا متساوين. ', th: 'มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกัน ',
  zh_cn: '人人生而自由，在尊严和权利上一律平等。', zh_tw: '人人生而自由，在尊嚴和權利上一律平等。', ja: 'すべての人間は、生まれながらにして自由であり、平等である。',
  ko: '모든 인간은 태어날 때부터 자유로우며 평등하다. ',
};

/** The sentences of a language in a random order, with a fixed seed: branch predictors would learn a short text. */
function textOf(language) {
  const path = join(process.env.TEXTCODEC_CORPORA ?? '', `${language}.txt`);
  const text = process.env.TEXTCODEC_CORPORA && existsSync(path) ? readFileSync(path, 'utf8') : SENTENCES[language];
  const sentences = text.match(/[^\n.!?。！？؟]*[\n.!?。！？؟]|[^]+$/gu);
  let [state, result] = [1, ''];
  while (result.length < CHARACTERS) {
    state = (Math.imul(state, 0x0019660d) + 0x3c6ef35f) >>> 0;
    result += sentences[(state >>> 8) % sentences.length];
  }
  return result;
}

/** Builds encoding_rs behind the boundary of `peer`. Its vector code needs features that are not stable. */
function buildPeer() {
  const target = join(root, 'target/wasm-build/peer');
  const { status } = spawnSync('cargo', ['build', '--quiet', '--release', '--features', 'simd', '--target', 'wasm32-unknown-unknown', '--target-dir', target], {
    cwd: join(folder, 'peer'), stdio: 'inherit', env: { ...process.env, RUSTFLAGS: '-Ctarget-feature=+simd128', RUSTC_BOOTSTRAP: '1' },
  });
  if (status !== 0) throw new Error('encoding_rs cannot be built');
  return readFileSync(join(target, 'wasm32-unknown-unknown/release/encoding_rs_wasm.wasm'));
}

const compiled = (bytes) => new WebAssembly.Module(bytes);
const library = compiled(readFileSync(join(folder, '../dist/textcodec.simd.wasm')));
const engine = open(library);
const { TextDecoder } = create(engine);
const HostDecoder = globalThis.TextDecoder;

/** A function that returns the milliseconds that `decode` takes for a piece. `prepare` is not counted. */
function timed(decode, prepare = () => {}) {
  return (piece) => {
    prepare(piece);
    const start = performance.now();
    decode(piece);
    return performance.now() - start;
  };
}

/** As `timed`, for the library alone: the bytes are in its memory already, and no string is made. */
function alone(label) {
  const { exports } = new WebAssembly.Instance(library);
  const address = exports.memory_address();
  const words = new Uint32Array(exports.memory.buffer, address, 16);
  const source = new Uint8Array(exports.memory.buffer, address + 64, 65_536);
  const number = engine.encodingOf(label);
  return timed((piece) => {
    words[0] = number;
    words[1] = piece.length;
    exports.decode();
  }, (piece) => source.set(piece));
}

const peer = compiled(buildPeer());
function peerAlone(label) {
  const { exports } = new WebAssembly.Instance(peer);
  const source = new Uint8Array(exports.memory.buffer, exports.memory_address(), 65_536);
  source.set(new TextEncoder().encode(label));
  exports.choose(label.length);
  return timed((piece) => exports.decode(piece.length), (piece) => source.set(piece));
}

/** Milliseconds for a piece, for each function: the median of some rounds. In each round every function decodes the same pieces. */
function measure(functions, pieces) {
  const run = (f, first, count) => {
    let time = 0;
    for (let n = 0; n < count; n++) time += f(pieces[(first + n) % pieces.length]);
    return time / count;
  };
  let count = 1;
  while (run(functions[0], 0, count) * count < MILLISECONDS) count *= 2;
  const times = functions.map(() => []);
  for (let round = 0; round < ROUNDS; round++) functions.forEach((f, at) => times[at].push(run(f, round * count, count)));
  return times.map((rounds) => rounds.sort((a, b) => a - b)[ROUNDS >> 1]);
}

const products = { host: [1, 1], peer: 1 };
console.log(`${cpus()[0].model}, Node.js ${process.version}, ${new Date().toISOString().slice(0, 10)}. MB/s of the source; the ratios are in brackets.\n`);
console.log('| text | 2 KB: package | host | 64 KB: package | host | 64 KB: library | encoding_rs |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |');
for (const [label, language] of CASES) {
  const text = textOf(language);
  const bytes = label === 'utf-8' ? new TextEncoder().encode(text) : engine.encode(engine.encodingOf(label), text, false);
  const cells = [];
  const piecesOf = (size) => Array.from({ length: Math.floor(bytes.length / size) }, (_, at) => bytes.slice(at * size, (at + 1) * size));
  const compare = (functions, size, note) => {
    const [one, other] = measure(functions, piecesOf(size));
    note(other / one);
    const rate = (time) => Math.round(size / time / 1000);
    cells.push(`${rate(one)} (${(other / one).toFixed(2)})`, `${rate(other)}`);
  };
  const [ours, hosts] = [new TextDecoder(label), new HostDecoder(label)].map((decoder) => timed((piece) => decoder.decode(piece)));
  [2048, LONG].forEach((size, at) => compare([ours, hosts], size, (ratio) => (products.host[at] *= ratio)));
  compare([alone(label), peerAlone(label)], LONG, (ratio) => (products.peer *= ratio));
  console.log(`| ${label}, ${language} | ${cells.join(' | ')} |`);
}
const mean = (product) => (product ** (1 / CASES.length)).toFixed(2);
console.log(`| geometric mean | ${mean(products.host[0])} | | ${mean(products.host[1])} | | ${mean(products.peer)} | |`);
