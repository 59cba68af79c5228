// Measures UTF-8 of this package beside the built-in interfaces, in 96 cases. Each figure is the built-in's time
// divided by this package's, so that more than 1 means that this package is faster. `npm run bench:utf8` prints the
// table for the version of Node.js that runs it. With TEXTCODEC_TIMES set, it also prints both times in nanoseconds.
// With `-- --self` it compares the built-in interfaces with themselves: the figures that differ from 1 are noise.
import * as textcodec from '@textcodec/node';

const builtIn = { TextDecoder: globalThis.TextDecoder, TextEncoder: globalThis.TextEncoder };
const LENGTHS = [8, 32, 128, 512, 2048, 16_384, 100_000, 500_000];
// Strings that engines and encoders treat differently: one, and two bytes for a code unit; one to three bytes of UTF-8.
const TEXTS = { ASCII: 'a', 'Latin-1': 'aé', Cyrillic: 'д', Japanese: '日' };
const ROUNDS = 15;
const NANOSECONDS = 4e6;

const OPERATIONS = {
  encode: ({ TextEncoder }, text) => {
    const encoder = new TextEncoder();
    return () => encoder.encode(text);
  },
  encodeInto: ({ TextEncoder }, text) => {
    const encoder = new TextEncoder();
    const destination = new Uint8Array(3 * text.length);
    return () => encoder.encodeInto(text, destination);
  },
  decode: ({ TextDecoder }, text) => {
    const decoder = new TextDecoder();
    const bytes = new builtIn.TextEncoder().encode(text);
    return () => decoder.decode(bytes);
  },
};

let sink;
/** Nanoseconds for a call, in time of this process, which includes V8's threads that collect garbage. */
function run(f, count) {
  const start = process.cpuUsage();
  for (let n = 0; n < count; n++) sink = f();
  const { user, system } = process.cpuUsage(start);
  return (1e3 * (user + system)) / count;
}

function median(values) {
  return values.sort((a, b) => a - b)[values.length >> 1];
}

/** The median times of two functions over rounds that run both. */
function measure(ours, theirs) {
  let count = 1;
  while (run(theirs, count) * count < NANOSECONDS / 4) count *= 2;
  run(ours, count);
  count *= 4;
  const [our, their] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    // The order changes from round to round, so that neither function always runs after the other's garbage.
    if (round % 2 === 0) our.push(run(ours, count));
    their.push(run(theirs, count));
    if (round % 2 !== 0) our.push(run(ours, count));
  }
  return [median(our), median(their)];
}

const all = [];
const wanted = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
const ours = process.argv.includes('--self') ? builtIn : textcodec;
console.log(`| ${process.version} | ${LENGTHS.join(' | ')} |\n| --- | ${LENGTHS.map(() => '---:').join(' | ')} |`);
for (const [name, make] of Object.entries(OPERATIONS)) {
  if (wanted !== undefined && wanted !== name) continue;
  for (const [kind, unit] of Object.entries(TEXTS)) {
    const cells = LENGTHS.map((length) => {
      const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
      // A program's text is mostly in one piece. `repeat` returns a string that is made of parts.
      const flat = Buffer.from(text, 'utf16le').toString('utf16le');
      const [our, their] = measure(make(ours, flat), make(builtIn, flat));
      const ratio = their / our;
      all.push(ratio);
      return process.env.TEXTCODEC_TIMES ? `${ratio.toFixed(2)} (${our.toFixed(0)}/${their.toFixed(0)})` : ratio.toFixed(2);
    });
    console.log(`| ${name}, ${kind} | ${cells.join(' | ')} |`);
  }
}
all.sort((a, b) => a - b);
console.log(`\nleast ${all[0].toFixed(2)}, median ${all[all.length >> 1].toFixed(2)}, below 0.9: ${all.filter((r) => r < 0.9).length} of ${all.length}`);
