// Measures this package beside the host's TextDecoder, and its library beside encoding_rs in WebAssembly, in one
// process: `npm run bench` in Node.js, and `npm run bench -- chromium` in Chromium. More words select texts by their
// labels. Prints a table in Markdown. TEXTCODEC_CORPORA can name a folder with ja.txt and so on. Needs cargo, and
// `npm run build` before.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withChromium } from '../test/support/chromium.mjs';
import { measureAll } from './measure.mjs';

const folder = dirname(fileURLToPath(import.meta.url));
const root = join(folder, '../../..');
const CHARACTERS = 500_000;
const CASES = [
  ['windows-1252', 'de'], ['windows-1251', 'ru'], ['koi8-r', 'ru'], ['iso-8859-7', 'el'], ['windows-1255', 'he'], ['windows-1256', 'ar'],
  ['windows-874', 'th'], ['gbk', 'zh_cn'], ['big5', 'zh_tw'], ['shift_jis', 'ja'], ['euc-jp', 'ja'], ['iso-2022-jp', 'ja'], ['euc-kr', 'ko'],
  ['utf-8', 'de'], ['utf-8', 'ru'], ['utf-8', 'ja'],
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

/**
 * Builds encoding_rs behind the boundary of `peer`, and returns the path of the file. Its vector code needs features
 * that are not stable.
 */
function buildPeer() {
  const target = join(root, 'target/wasm-build/peer');
  const { status } = spawnSync('cargo', ['build', '--quiet', '--release', '--features', 'simd', '--target', 'wasm32-unknown-unknown', '--target-dir', target], {
    cwd: join(folder, 'peer'), stdio: 'inherit', env: { ...process.env, RUSTFLAGS: '-Ctarget-feature=+simd128', RUSTC_BOOTSTRAP: '1' },
  });
  if (status !== 0) throw new Error('encoding_rs cannot be built');
  return 'target/wasm-build/peer/wasm32-unknown-unknown/release/encoding_rs_wasm.wasm';
}

const words = process.argv.slice(2);
const inBrowser = words[0] === 'chromium';
const selected = words.slice(inBrowser ? 1 : 0);
const texts = CASES.filter(([label]) => selected.length === 0 || selected.some((word) => label.includes(word)))
  .map(([label, language]) => [label, language, textOf(language)]);
const modules = ['crates/wasm/dist/textcodec.simd.wasm', buildPeer()];
const heading = (host) => console.log(`${cpus()[0].model}, ${host}, ${new Date().toISOString().slice(0, 10)}. MB/s of the source; the ratios are in brackets.\n`);

if (inBrowser) {
  await withChromium(new Map(), async (context, url) => {
    heading(`Chromium ${context.browser()?.version()}`);
    const page = await context.newPage();
    await page.goto(url);
    await page.exposeFunction('print', (line) => console.log(line));
    await page.evaluate(async ([modules, texts]) => {
      const { measureAll } = await import('/crates/wasm/bench/measure.mjs');
      const [library, peer] = await Promise.all(modules.map((path) => WebAssembly.compileStreaming(fetch(`/${path}`))));
      await measureAll(library, peer, texts, globalThis.print);
    }, [modules, texts]);
  });
} else {
  heading(`Node.js ${process.version}`);
  const [library, peer] = modules.map((path) => new WebAssembly.Module(readFileSync(join(root, path))));
  await measureAll(library, peer, texts, console.log);
}
