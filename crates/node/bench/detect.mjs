// Measures the detector beside the npm packages chardet and jschardet, in one process and in turns: `npm run
// bench:detect`. Prints a table in Markdown: the processor time for 1 KB, and the speed for 1 MB. TEXTCODEC_CORPORA can
// name a folder with de.txt and so on.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { detect, encode } from '@textcodec/node';
import chardet from 'chardet';
import * as jschardet from 'jschardet';

const ROUNDS = 9;
const MILLISECONDS = 10;
// For machines without the corpora: a sentence of each language.
const SENTENCES = {
  de: 'Die Größe der Räume überrascht die Gäste. ', ru: 'Все люди рождаются свободными и равными. ', pl: 'Wszyscy ludzie rodzą się wolni i równi. ',
  ja: 'すべての人間は、生まれながらにして自由であり、平等である。', zh_cn: '人人生而自由，在尊严和权利上一律平等。', ko: '모든 인간은 태어날 때부터 자유로우며 평등하다. ',
};
const CASES = [['windows-1252', 'de'], ['koi8-r', 'ru'], ['iso-8859-2', 'pl'], ['shift_jis', 'ja'], ['gbk', 'zh_cn'], ['euc-kr', 'ko'], ['utf-8', 'de'], ['utf-8', 'ja']];

function textOf(language) {
  const path = join(process.env.TEXTCODEC_CORPORA ?? '', `${language}.txt`);
  return process.env.TEXTCODEC_CORPORA && existsSync(path) ? readFileSync(path, 'utf8') : SENTENCES[language];
}

/** As many bytes of a text as `size`, at least nearly. */
function bytesOf(label, language, size) {
  const once = encode(textOf(language), label);
  const bytes = new Uint8Array(Math.max(size, once.length));
  for (let at = 0; at < bytes.length; at += once.length) bytes.set(once.subarray(0, bytes.length - at), at);
  return bytes.slice(0, size);
}

const DETECTORS = [(bytes) => detect(bytes), (bytes) => chardet.detect(bytes), (bytes) => jschardet.detect(bytes)];

/** The processor time of this process in milliseconds. Other programs change it less than the time of a clock. */
function now() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The microseconds of a call, for each detector: the least of some rounds. */
function measure(bytes) {
  const counts = DETECTORS.map((run) => {
    let count = 1;
    for (;;) {
      const start = now();
      for (let n = 0; n < count; n++) run(bytes);
      if (now() - start > MILLISECONDS) return count;
      count *= 2;
    }
  });
  const times = DETECTORS.map(() => Infinity);
  for (let round = 0; round < ROUNDS; round++) {
    DETECTORS.forEach((run, at) => {
      const start = now();
      for (let n = 0; n < counts[at]; n++) run(bytes);
      times[at] = Math.min(times[at], (1000 * (now() - start)) / counts[at]);
    });
  }
  return times;
}

console.log(`Node.js ${process.version}: textcodec / chardet / jschardet\n`);
console.log('| text | 1 KB, µs | 1 MB, MB/s |\n| --- | ---: | ---: |');
for (const [label, language] of CASES) {
  const short = measure(bytesOf(label, language, 1024)).map((time) => time.toFixed(0));
  const long = measure(bytesOf(label, language, 1_000_000)).map((time) => Number((1e6 / time).toPrecision(2)));
  console.log(`| ${label}, ${language} | ${short.join(' / ')} | ${long.join(' / ')} |`);
}
