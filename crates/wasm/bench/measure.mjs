// The measurements of `bench.mjs`, which run in Node.js and in the page of a browser.
import { open } from '../lib/engine.mjs';
import { create } from '../dist/load.mjs';

const ROUNDS = 25;
const MILLISECONDS = 4;
const SHORT = 2048;
const LONG = 64_000;

/** A function to measure. `prepare` is not counted. */
const decoding = (decode, prepare) => ({ decode, prepare });

/** The library alone: the bytes are in its memory already, and no string is made. */
function alone(library, number) {
  const { exports } = new WebAssembly.Instance(library);
  const address = exports.memory_address();
  const words = new Uint32Array(exports.memory.buffer, address, 16);
  const source = new Uint8Array(exports.memory.buffer, address + 64, 65_536);
  words[0] = number;
  return decoding((piece) => {
    words[1] = piece.length;
    exports.decode();
  }, (piece) => source.set(piece));
}

/** As `alone`, for encoding_rs. */
function peerAlone(peer, label) {
  const { exports } = new WebAssembly.Instance(peer);
  const source = new Uint8Array(exports.memory.buffer, exports.memory_address(), 65_536);
  source.set(new TextEncoder().encode(label));
  exports.choose(label.length);
  return decoding((piece) => exports.decode(piece.length), (piece) => source.set(piece));
}

/** Encodes a text in pieces of about `size` bytes, none of which begins or ends within a character. */
function piecesOf(text, encode, size) {
  const units = Math.floor((text.length * size) / encode(text).length);
  return Array.from({ length: Math.floor(text.length / units) }, (_, at) => encode(text.slice(at * units, (at + 1) * units)));
}

/** The milliseconds that a function takes for a byte of `count` pieces. */
function run({ decode, prepare }, pieces, first, count) {
  const each = (f) => {
    for (let n = 0; n < count; n++) f(pieces[(first + n) % pieces.length]);
  };
  let [time, bytes] = [0, 0];
  each((piece) => { bytes += piece.length; });
  if (prepare === undefined) {
    // The clock of a browser is too coarse for one piece.
    const start = performance.now();
    each(decode);
    time = performance.now() - start;
  } else {
    each((piece) => {
      prepare(piece);
      const start = performance.now();
      decode(piece);
      time += performance.now() - start;
    });
  }
  return time / bytes;
}

/**
 * Milliseconds for a byte, for each function: the median of some rounds. In each round every function decodes the same
 * pieces.
 */
function measure(functions, pieces) {
  let count = 1;
  while (run(functions[0], pieces, 0, count) * count * pieces[0].length < MILLISECONDS) count *= 2;
  const times = functions.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    // The function that begins changes, because each leaves its garbage to the next one.
    for (let n = 0; n < functions.length; n++) {
      const at = (round + n) % functions.length;
      times[at].push(run(functions[at], pieces, round * count, count));
    }
  }
  return times.map((rounds) => rounds.sort((a, b) => a - b)[ROUNDS >> 1]);
}

/**
 * Measures this package beside the host's TextDecoder, and its library beside encoding_rs. `texts` are arrays of a
 * label, the name of a language and a text; `print` gets the lines of a table.
 */
export async function measureAll(library, peer, texts, print) {
  const engine = open(library);
  const ours = create(engine);
  const products = [1, 1, 1];
  print('| text | 2 KB: package | host | 64 KB: package | host | 64 KB: library | encoding_rs |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const [label, language, text] of texts) {
    const number = engine.encodingOf(label);
    const decoders = [new ours.TextDecoder(label), new TextDecoder(label)].map((decoder) => decoding((piece) => decoder.decode(piece)));
    const libraries = [alone(library, number), peerAlone(peer, label)];
    const cells = [[decoders, SHORT], [decoders, LONG], [libraries, LONG]].map(([functions, size], at) => {
      const [one, other] = measure(functions, piecesOf(text, (part) => engine.encode(number, part, false), size));
      products[at] *= other / one;
      const rate = (time) => Math.round(1 / time / 1000);
      return `${rate(one)} (${(other / one).toFixed(2)}) | ${rate(other)}`;
    });
    print(`| ${label}, ${language} | ${cells.join(' | ')} |`);
    // Lets a page print the line.
    await new Promise((resolve) => { setTimeout(resolve); });
  }
  print(`| geometric mean | ${products.map((product) => (product ** (1 / texts.length)).toFixed(2)).join(' | | ')} | |`);
}
