// Measures this package beside the built-in interfaces, @exodus/bytes and iconv-lite, and prints tables in Markdown.
// `npm run bench -- short` measures short inputs only, `-- sizes` legacy encodings with inputs of several sizes, and
// `-- long` long inputs. TEXTCODEC_CORPORA can name a folder with ja.txt and so on.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TextDecoder as BytesDecoder, TextEncoder as BytesEncoder } from '@exodus/bytes/encoding.js';
import iconv from 'iconv-lite';
import * as textcodec from '@textcodec/node';

const builtIn = { TextDecoder: globalThis.TextDecoder, TextEncoder: globalThis.TextEncoder };
const ROUNDS = 9;
const MILLISECONDS = 12;

/**
 * Nanoseconds for a call of each function, in time of this process, which includes V8's threads that collect garbage.
 * Each figure is the median of some rounds; every round runs each function, so that a busy machine slows all of them.
 */
function measure(functions) {
  const times = functions.map(() => []);
  const counts = functions.map((f) => {
    if (f === null) return 0;
    for (let n = 1; ; n *= 2) {
      const time = Math.min(run(f, n), run(f, n));
      if (time > 1e6 * MILLISECONDS / 4) return Math.max(1, Math.round((n * 1e6 * MILLISECONDS) / time));
    }
  });
  for (let round = 0; round < ROUNDS; round++) {
    functions.forEach((f, at) => {
      if (f !== null) times[at].push(run(f, counts[at]) / counts[at]);
    });
  }
  return times.map((rounds) => (rounds.length === 0 ? Infinity : rounds.sort((a, b) => a - b)[rounds.length >> 1]));
}

let sink;
function run(f, count) {
  const start = process.cpuUsage();
  for (let n = 0; n < count; n++) sink = f();
  const { user, system } = process.cpuUsage(start);
  return 1e3 * (user + system);
}

/** The function, or null if it throws or returns another result than expected. */
function ifRight(make, expected) {
  try {
    const f = make();
    const result = f();
    const same = typeof expected === 'string' ? result === expected : Buffer.compare(result, expected) === 0;
    return same ? f : null;
  } catch {
    return null;
  }
}

function row(what, unit, times) {
  console.log(`| ${[what, ...times.map((time) => (time === Infinity ? '–' : unit(time)))].join(' | ')} |`);
}

function head(title) {
  console.log(`\n| ${title} | textcodec | Node.js | @exodus/bytes | iconv-lite |\n| --- | ---: | ---: | ---: | ---: |`);
}

function decoders(label, bytes, options = {}) {
  const expected = new textcodec.TextDecoder(label, options).decode(bytes);
  const of = (TextDecoder) =>
    ifRight(() => {
      const decoder = new TextDecoder(label, options);
      return () => decoder.decode(bytes);
    }, expected);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return [
    of(textcodec.TextDecoder),
    of(builtIn.TextDecoder),
    of(BytesDecoder),
    options.fatal ? null : ifRight(() => () => iconv.decode(buffer, label), expected),
  ];
}

function encoders(text) {
  const expected = new textcodec.TextEncoder().encode(text);
  const of = (TextEncoder) =>
    ifRight(() => {
      const encoder = new TextEncoder();
      return () => encoder.encode(text);
    }, expected);
  return [
    of(textcodec.TextEncoder),
    of(builtIn.TextEncoder),
    of(BytesEncoder),
    ifRight(() => () => iconv.encode(text, 'utf-8'), expected),
  ];
}

function intoEncoders(text) {
  const destination = new Uint8Array(3 * text.length);
  const of = (TextEncoder) => {
    const encoder = new TextEncoder();
    return () => encoder.encodeInto(text, destination);
  };
  return [of(textcodec.TextEncoder), of(builtIn.TextEncoder), of(BytesEncoder), null];
}

// Text in the language of each encoding: from a folder, or a few sentences that are repeated.
const sentences = {
  cs: 'Příliš žluťoučký kůň úpěl ďábelské ódy.\n',
  en: 'It was the best of times, it was the worst of times.\n',
  de: 'Über allen Gipfeln ist Ruh, in allen Wipfeln spürest du kaum einen Hauch.\n',
  ru: 'Все счастливые семьи похожи друг на друга.\n',
  ja: '吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。\n',
  zh_cn: '道可道，非常道。名可名，非常名。\n',
  zh_tw: '學而時習之，不亦說乎？有朋自遠方來，不亦樂乎？\n',
  ko: '나랏말이 중국과 달라 한자와 서로 통하지 아니하므로\n',
};
const text = (language) => {
  const path = join(process.env.TEXTCODEC_CORPORA ?? '', `${language}.txt`);
  const part = process.env.TEXTCODEC_CORPORA && existsSync(path) ? readFileSync(path, 'utf8') : sentences[language];
  return part.repeat(Math.ceil(500_000 / part.length));
};
const rate = (bytes) => (time) => ((1e3 * bytes) / time).toFixed(0);

const which = process.argv[2] ?? 'all';

if (which === 'all' || which === 'short') {
  const nanoseconds = (time) => time.toFixed(0);
  head('short inputs, ns');
  for (const length of [1, 8, 16, 32, 64, 256, 1024]) {
    row(`decode UTF-8, ${length} of ASCII`, nanoseconds, measure(decoders('utf-8', textcodec.encode('a'.repeat(length)))));
  }
  row('decode UTF-8, fatal, 64 of ASCII', nanoseconds, measure(decoders('utf-8', textcodec.encode('a'.repeat(64)), { fatal: true })));
  for (const [label, text] of [
    ['utf-8', 'Привет'], ['utf-8', 'こんにちは、世界。'.repeat(4)], ['utf-16le', 'Привет'], ['windows-1252', 'café'], ['windows-1251', 'Привет'],
    ['shift_jis', 'こんにちは'], ['gb18030', '你好'], ['big5', '你好'], ['euc-kr', '안녕'],
  ]) {
    const bytes = label === 'utf-16le' ? new Uint8Array(Buffer.from(text, 'utf16le')) : textcodec.encode(text, label);
    row(`decode ${textcodec.labelToName(label)}, ${bytes.length} bytes`, nanoseconds, measure(decoders(label, bytes)));
  }
  for (const text of ['a', 'a'.repeat(16), 'a'.repeat(64), 'a'.repeat(1024), 'Привет', 'こんにちは、世界。'.repeat(4)]) {
    const name = text.startsWith('a') ? 'ASCII' : text.startsWith('П') ? 'Cyrillic' : 'Japanese';
    row(`encode ${text.length} of ${name}`, nanoseconds, measure(encoders(text)));
    row(`encodeInto ${text.length} of ${name}`, nanoseconds, measure(intoEncoders(text)));
  }
  row('new TextDecoder()', nanoseconds, measure([
    () => new textcodec.TextDecoder(), () => new builtIn.TextDecoder(), () => new BytesDecoder(), null,
  ]));
  row("new TextDecoder('shift_jis')", nanoseconds, measure([
    () => new textcodec.TextDecoder('shift_jis'), () => new builtIn.TextDecoder('shift_jis'), () => new BytesDecoder('shift_jis'), null,
  ]));
}

if (which === 'all' || which === 'sizes') {
  head('legacy inputs of several sizes, MB/s of bytes');
  for (const [label, language] of [
    ['windows-1251', 'ru'], ['koi8-r', 'ru'], ['windows-1250', 'cs'], ['iso-8859-15', 'de'], ['windows-1251', 'en'], ['shift_jis', 'ja'], ['gbk', 'zh_cn'],
  ]) {
    const source = text(language);
    const characters = source.length / textcodec.encode(source, label).length;
    for (const size of [2, 20, 100, 500]) {
      const bytes = textcodec.encode(source.slice(0, 1000 * size * characters), label);
      row(`decode ${textcodec.labelToName(label)}, ${language}, ${size} KB`, rate(bytes.length), measure(decoders(label, bytes)));
    }
  }
}

if (which === 'all' || which === 'long') {
  head('long inputs, MB/s of bytes');
  for (const [label, language] of [
    ['utf-8', 'en'], ['utf-8', 'de'], ['utf-8', 'ru'], ['utf-8', 'ja'], ['utf-16le', 'ru'], ['windows-1252', 'en'],
    ['windows-1252', 'de'], ['windows-1251', 'ru'], ['koi8-r', 'ru'], ['iso-8859-5', 'ru'], ['iso-8859-15', 'de'], ['shift_jis', 'ja'],
    ['euc-jp', 'ja'], ['iso-2022-jp', 'ja'], ['gbk', 'zh_cn'], ['gb18030', 'zh_cn'], ['big5', 'zh_tw'], ['euc-kr', 'ko'],
  ]) {
    const source = text(language);
    const bytes = label === 'utf-16le' ? new Uint8Array(Buffer.from(source, 'utf16le')) : textcodec.encode(source, label);
    row(`decode ${textcodec.labelToName(label)}, ${language}`, rate(bytes.length), measure(decoders(label, bytes)));
  }
  for (const language of ['en', 'de', 'ru', 'ja']) {
    const source = text(language);
    const bytes = textcodec.encode(source).length;
    row(`encode UTF-8, ${language}`, rate(bytes), measure(encoders(source)));
    row(`encodeInto UTF-8, ${language}`, rate(bytes), measure(intoEncoders(source)));
  }
  for (const [label, language] of [['shift_jis', 'ja'], ['gbk', 'zh_cn'], ['euc-kr', 'ko'], ['windows-1251', 'ru']]) {
    const source = text(language);
    const bytes = textcodec.encode(source, label);
    row(`encode ${textcodec.labelToName(label)}, ${language}`, rate(bytes.length), measure([
      () => textcodec.encode(source, label), null, null, ifRight(() => () => iconv.encode(source, label), bytes),
    ]));
  }
}
