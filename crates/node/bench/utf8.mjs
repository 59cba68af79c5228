// How fast this package is beside the built-in interfaces in UTF-8: 96 cases, each the built-in's time divided by ours, so that more than 1
// is faster. `npm run bench:utf8` prints the table for the version of Node.js that runs it, and the number of cases below 0.9.
import * as textcodec from 'textcodec';

const builtIn = { TextDecoder: globalThis.TextDecoder, TextEncoder: globalThis.TextEncoder };
const LENGTHS = [8, 32, 128, 512, 2048, 16_384, 100_000, 500_000];
// The four kinds of strings that engines and encoders treat differently.
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
/** Nanoseconds for a call, of the process's own time: V8's threads that collect garbage are in it, and other processes are not. */
function run(f, count) {
  const start = process.cpuUsage();
  for (let n = 0; n < count; n++) sink = f();
  const { user, system } = process.cpuUsage(start);
  return (1e3 * (user + system)) / count;
}

function median(values) {
  return values.sort((a, b) => a - b)[values.length >> 1];
}

/** The medians of rounds in which both functions run one after the other. */
function measure(ours, theirs) {
  let count = 1;
  while (run(theirs, count) * count < NANOSECONDS / 4) count *= 2;
  run(ours, count);
  count *= 4;
  const [our, their] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    // In turns also within a round, so that neither always runs after the other's garbage.
    if (round % 2 === 0) our.push(run(ours, count));
    their.push(run(theirs, count));
    if (round % 2 !== 0) our.push(run(ours, count));
  }
  return [median(our), median(their)];
}

const all = [];
const wanted = process.argv[2];
console.log(`| ${process.version} | ${LENGTHS.join(' | ')} |\n| --- | ${LENGTHS.map(() => '---:').join(' | ')} |`);
for (const [name, make] of Object.entries(OPERATIONS)) {
  if (wanted !== undefined && wanted !== name) continue;
  for (const [kind, unit] of Object.entries(TEXTS)) {
    const cells = LENGTHS.map((length) => {
      const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
      // As texts that a program has read are: in one piece, and not made of parts.
      const flat = Buffer.from(text, 'utf16le').toString('utf16le');
      const [ours, theirs] = measure(make(textcodec, flat), make(builtIn, flat));
      const ratio = theirs / ours;
      all.push(ratio);
      return process.env.TEXTCODEC_TIMES ? `${ratio.toFixed(2)} (${ours.toFixed(0)}/${theirs.toFixed(0)})` : ratio.toFixed(2);
    });
    console.log(`| ${name}, ${kind} | ${cells.join(' | ')} |`);
  }
}
all.sort((a, b) => a - b);
console.log(`\nleast ${all[0].toFixed(2)}, median ${all[all.length >> 1].toFixed(2)}, below 0.9: ${all.filter((r) => r < 0.9).length} of ${all.length}`);
