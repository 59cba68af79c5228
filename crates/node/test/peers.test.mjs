// The interfaces of the npm packages chardet and jschardet.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { encode } from '@textcodec/node';
import chardetDefault, * as chardet from '@textcodec/node/chardet';
import { detect as detectText } from '@textcodec/node/detect';
import * as jschardet from '@textcodec/node/jschardet';

const require = createRequire(import.meta.url);
const latin1 = (text) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const KOI8 = latin1('\xf0\xd2\xc9\xd7\xc5\xd4, \xcb\xc1\xcb \xc4\xc5\xcc\xc1?');
const FRENCH = 'Le caf\xe9 est tr\xe8s agr\xe9able, m\xeame en \xe9t\xe9, et la for\xeat est pr\xe8s d\'ici';
const POLISH = 'Za\xbf\xf3\xb3\xe6 g\xea\xb6l\xb1 ja\xbc\xf1, a potem wr\xf3\xe6 do domu i \xb6pij d\xb3ugo';

test('chardet: names are those of chardet', () => {
  for (const [bytes, name] of [
    [latin1(''), 'ASCII'], [latin1('abc'), 'ASCII'], [KOI8, 'KOI8-R'], [new TextEncoder().encode('Grüße'), 'UTF-8'],
    [latin1(FRENCH), 'ISO-8859-1'], [latin1(`${FRENCH} \x93quoi\x94`), 'windows-1252'], [latin1(POLISH), 'ISO-8859-2'],
    [latin1('\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01'), null], [latin1('\xff\xfea\0'), 'UTF-16LE'],
    [latin1('\xd5\xe2\xca\xc7\xd6\xd0\xce\xc4\xb2\xe2\xca\xd4\xce\xc4\xb1\xbe\xa3\xac\xd3\xc3\xd3\xda\xbc\xec\xb2\xe2'), 'GB18030'],
    // The first and the last byte that no encoding of ISO has.
    [latin1(`${FRENCH} 5 \x80`), 'windows-1252'], [latin1(`${FRENCH} \x9f`), 'windows-1252'],
    // Encodings of which chardet knows the part of ISO, and others.
    [encode('Καλημέρα σας', 'windows-1253'), 'ISO-8859-7'], [encode('Şimdi ığdır', 'windows-1254'), 'ISO-8859-9'],
    [encode('שלום לכם', 'windows-1255'), 'ISO-8859-8'], [encode('Привет, как дела', 'windows-1251'), 'windows-1251'],
    [encode('مرحبا بك', 'windows-1256'), 'windows-1256'], [encode('这是中文测试文本，用于检测㐀', 'gb18030'), 'GB18030'], [encode('日本語のテキスト', 'shift_jis'), 'Shift_JIS'],
  ]) assert.equal(chardet.detect(bytes), name);
  assert.deepEqual(chardet.analyse(latin1('\x1b$B$+$J4A;z\x1b(B abc')), [{ confidence: 100, name: 'ISO-2022-JP', lang: 'ja' }]);
  assert.equal(chardet.detect([...KOI8]), 'KOI8-R');
  for (const none of [null, 'abc', 123, {}]) {
    assert.throws(() => chardet.detect(none), { message: 'Input must be a byte array, e.g. Buffer or Uint8Array' });
  }
});

test('chardet: analyse ranks each name once', () => {
  const matches = chardet.analyse(latin1(FRENCH));
  assert.deepEqual(matches[0].name, 'ISO-8859-1');
  assert.deepEqual(matches[0].lang, 'fr');
  assert.ok(Number.isInteger(matches[0].confidence) && matches[0].confidence > 90 && matches[0].confidence <= 100);
  assert.equal(new Set(matches.map(({ name }) => name)).size, matches.length);
  assert.deepEqual(matches.map(({ confidence }) => confidence), matches.map(({ confidence }) => confidence).toSorted((a, b) => b - a));
  assert.deepEqual(chardet.analyse(latin1('a')), [{ confidence: 100, name: 'ASCII', lang: undefined }]);
  // The codes of these packages for languages.
  const norwegian = latin1('Jeg heter K\xe5re og jeg er ikke f\xf8dt i g\xe5r, men p\xe5 en \xf8y nordp\xe5 hvor v\xe6ret er r\xe5tt');
  assert.deepEqual([chardet.analyse(norwegian)[0].lang, jschardet.detect(norwegian).language], ['no', 'no']);
  for (const [bytes, language] of [[latin1('~{<:Ky2;S{#,NpJ)l6HK!#~} by'), 'zh'], [latin1('\x1b$)C\x0e0!3*\x0f abc'), 'ko']]) {
    assert.deepEqual([chardet.analyse(bytes)[0].lang, jschardet.detect(bytes).language], [language, language]);
  }
});

test('chardet: files are read whole or in part', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'textcodec-'));
  try {
    const path = join(folder, 'text');
    writeFileSync(path, Buffer.concat([Buffer.alloc(100, 'a '), KOI8]));
    for (const detect of [chardet.detectFile, chardet.detectFileSync]) {
      assert.equal(await detect(path), 'KOI8-R');
      assert.equal(await detect(path, { sampleSize: 100 }), 'ASCII');
      assert.equal(await detect(path, { sampleSize: 1_000_000, offset: 50 }), 'KOI8-R');
      assert.equal(await detect(path, { sampleSize: 20, offset: 100 }), 'KOI8-R');
      // All files are closed.
      if (process.platform === 'linux') {
        const before = readdirSync('/proc/self/fd').length;
        for (let count = 0; count < 5; count++) await detect(path, { sampleSize: 20 });
        assert.equal(readdirSync('/proc/self/fd').length, before);
      }
    }
    await assert.rejects(chardet.detectFile(`${path}.none`), { code: 'ENOENT' });
    assert.throws(() => chardet.detectFileSync(`${path}.none`), { code: 'ENOENT' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the detector is an export of the package and an entry of its own', () => {
  const { detect, Detector } = require('@textcodec/node');
  assert.deepEqual({ ...require('@textcodec/node/detect') }, { detect, Detector });
});

test('both entries have named exports and a default', () => {
  assert.equal(chardetDefault.detect, chardet.detect);
  assert.equal(require('@textcodec/node/chardet').default.detectFile, chardet.detectFile);
  assert.equal(require('@textcodec/node/jschardet').default.detect, jschardet.detect);
  assert.deepEqual(Object.keys(require('@textcodec/node/jschardet').default), ['detect', 'detectAll', 'enableDebug', 'VERSION']);
});

test('jschardet: results have the names and members of version 4', () => {
  const result = (encoding, confidence, mimeType = 'text/plain') => ({ encoding, confidence, language: null, mimeType });
  assert.deepEqual(jschardet.detect(''), result('utf-8', 0.1));
  assert.deepEqual(jschardet.detect('abc'), result('ascii', 1));
  assert.deepEqual(jschardet.detect('\xef\xbb\xbfabc'), result('UTF-8-SIG', 1));
  assert.deepEqual(jschardet.detect('\xff\xfea\0'), result('UTF-16', 1));
  assert.deepEqual(jschardet.detect('\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01'), result(null, 1, 'image/jpeg'));
  const { encoding, language } = jschardet.detect(latin1(FRENCH).buffer);
  assert.deepEqual([encoding, language], ['Windows-1252', 'fr']);
  assert.deepEqual(jschardet.detectAll(KOI8).slice(0, 2).map(({ encoding }) => encoding), ['KOI8-R', 'koi8-u']);
});

test('jschardet: each encoding has its names in both versions, in Python, and its superset', () => {
  for (const [label, text, of4, python, of3, superset] of [
    ['UTF-8', 'Grüße', 'utf-8', 'utf-8', 'UTF-8', 'utf-8'],
    ['IBM866', 'Привет, как дела', 'IBM866', 'cp866', 'IBM866', 'cp866'],
    ['ISO-8859-2', 'Zażółć gęślą jaźń', 'ISO-8859-2', 'iso8859-2', 'ISO-8859-2', 'cp1250'],
    ['ISO-8859-3', 'Ĝis revido, ĉiuj ŝatas', 'iso8859-3', 'iso8859-3', 'ISO-8859-3', 'iso8859-3'],
    ['ISO-8859-4', 'Šodien ļoti ēģ', 'iso8859-4', 'iso8859-4', 'ISO-8859-4', 'iso8859-4'],
    ['ISO-8859-5', 'Привет, как дела', 'ISO-8859-5', 'iso8859-5', 'ISO-8859-5', 'cp1251'],
    ['ISO-8859-6', 'مرحبا بك', 'ISO-8859-6', 'iso8859-6', 'ISO-8859-6', 'cp1256'],
    ['ISO-8859-7', 'Καλημέρα σας', 'ISO-8859-7', 'iso8859-7', 'ISO-8859-7', 'cp1253'],
    ['ISO-8859-8', 'שלום לכם', 'ISO-8859-8', 'iso8859-8', 'ISO-8859-8', 'cp1255'],
    ['ISO-8859-8-I', 'שלום לכם', 'ISO-8859-8', 'iso8859-8', 'ISO-8859-8', 'cp1255'],
    ['ISO-8859-10', 'Ærø þið', 'iso8859-10', 'iso8859-10', 'ISO-8859-10', 'iso8859-10'],
    ['ISO-8859-13', 'Labrīt, kā iet', 'ISO-8859-13', 'iso8859-13', 'ISO-8859-13', 'cp1257'],
    ['ISO-8859-14', 'Dŵr ŷ', 'iso8859-14', 'iso8859-14', 'ISO-8859-14', 'iso8859-14'],
    ['ISO-8859-15', 'Œuvre à 5 €', 'iso8859-15', 'iso8859-15', 'ISO-8859-15', 'iso8859-15'],
    ['ISO-8859-16', 'Bună ziua, ași', 'iso8859-16', 'iso8859-16', 'ISO-8859-16', 'iso8859-16'],
    ['KOI8-R', 'Привет, как дела', 'KOI8-R', 'koi8-r', 'KOI8-R', 'koi8-r'],
    ['KOI8-U', 'Привіт, як справи, її', 'koi8-u', 'koi8-u', 'KOI8-U', 'koi8-u'],
    ['macintosh', 'Café très agréable', 'MacRoman', 'mac-roman', 'macintosh', 'mac-roman'],
    ['windows-874', 'สวัสดีครับ', 'CP874', 'cp874', 'TIS-620', 'cp874'],
    ['windows-1250', 'Zażółć gęślą jaźń', 'Windows-1250', 'cp1250', 'windows-1250', 'cp1250'],
    ['windows-1251', 'Привет, как дела', 'Windows-1251', 'cp1251', 'windows-1251', 'cp1251'],
    ['windows-1252', 'Café très agréable', 'Windows-1252', 'cp1252', 'windows-1252', 'cp1252'],
    ['windows-1253', 'Καλημέρα σας', 'Windows-1253', 'cp1253', 'windows-1253', 'cp1253'],
    ['windows-1254', 'Şimdi ığdır', 'Windows-1254', 'cp1254', 'windows-1254', 'cp1254'],
    ['windows-1255', 'שלום לכם', 'Windows-1255', 'cp1255', 'windows-1255', 'cp1255'],
    ['windows-1256', 'مرحبا بك', 'Windows-1256', 'cp1256', 'windows-1256', 'cp1256'],
    ['windows-1257', 'Labrīt, kā iet', 'Windows-1257', 'cp1257', 'windows-1257', 'cp1257'],
    ['windows-1258', 'đồng', 'cp1258', 'cp1258', 'windows-1258', 'cp1258'],
    ['x-mac-cyrillic', 'Привет, как дела', 'MacCyrillic', 'mac-cyrillic', 'x-mac-cyrillic', 'mac-cyrillic'],
    ['GBK', '这是中文测试文本', 'GB18030', 'gb18030', 'GB2312', 'gb18030'],
    ['gb18030', '这是中文测试文本', 'GB18030', 'gb18030', 'GB2312', 'gb18030'],
    ['Big5', '這是中文測試文本', 'Big5', 'big5hkscs', 'Big5', 'big5hkscs'],
    ['EUC-JP', '日本語のテキスト', 'EUC-JP', 'euc_jis_2004', 'EUC-JP', 'euc_jis_2004'],
    ['ISO-2022-JP', '日本語のテキスト', 'ISO-2022-JP', 'iso2022_jp_2', 'ISO-2022-JP', 'iso2022_jp_2'],
    ['Shift_JIS', '日本語のテキスト', 'CP932', 'cp932', 'SHIFT_JIS', 'cp932'],
    ['EUC-KR', '안녕하세요 여러분', 'CP949', 'cp949', 'EUC-KR', 'cp949'],
  ]) {
    const bytes = encode(text, label);
    assert.equal(jschardet.detect(bytes, { detectEncodings: [label] }).encoding, of4);
    const detect = (options) => jschardet.chardet.detect(bytes, { includeEncodings: [label], compatNames: false, ...options }).encoding;
    assert.deepEqual([detect(), detect({ preferSuperset: true }), detect({ shouldRenameLegacy: true })], [python, superset, superset]);
    assert.equal(jschardet.v3.detect(bytes, { detectEncodings: [label] }).encoding, of3);
    // Each of the names means the encoding.
    for (const name of [of4, python, of3]) assert.equal(jschardet.detect(bytes, { detectEncodings: [name.toUpperCase()] }).encoding, of4);
  }
});

test('jschardet: an era has the encodings of its time', () => {
  const { EncodingEra, detect } = jschardet.chardet;
  for (const [label, name, era] of [
    ['ibm866', 'IBM866', 'DOS'], ['x-mac-cyrillic', 'MacCyrillic', 'LEGACY_MAC'], ['iso-8859-5', 'ISO-8859-5', 'LEGACY_ISO'],
    ['windows-1251', 'Windows-1251', 'MODERN_WEB'],
  ]) {
    const bytes = encode('Привет, как дела?', label);
    for (const other of ['DOS', 'LEGACY_MAC', 'LEGACY_ISO', 'MODERN_WEB']) {
      assert.equal(detect(bytes, { encodingEra: EncodingEra[other] }).encoding === name, other === era, `${label}, ${other}`);
    }
  }
});

test('jschardet: lists of encodings and a threshold are respected', () => {
  assert.equal(jschardet.detect(KOI8, { detectEncodings: ['IBM866', 'cp437', 'MacCyrillic'] }).encoding === 'KOI8-R', false);
  assert.equal(jschardet.detect(KOI8, { detectEncodings: ['koi8-r'] }).encoding, 'KOI8-R');
  assert.equal(jschardet.detect(KOI8, { excludeEncodings: ['KOI8-R'] }).encoding, 'koi8-u');
  assert.equal(jschardet.detect('abc', { excludeEncodings: ['ascii'] }).encoding, 'utf-8');
  assert.equal(jschardet.detect('abc', { excludeEncodings: ['ascii', 'utf-8'] }).encoding, 'Windows-1252');
  // A part of a buffer.
  const image = latin1('\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01');
  const part = Uint8Array.of(...image, ...KOI8);
  assert.equal(jschardet.detect(new DataView(part.buffer, image.length)).encoding, 'KOI8-R');
  assert.equal(jschardet.detect(new DataView(part.buffer)).mimeType, 'image/jpeg');
  // jschardet knows cp437, and this detector does not.
  assert.equal(jschardet.detect(KOI8, { detectEncodings: ['cp437'] }).encoding, null);
  assert.equal(jschardet.detect('abc', { detectEncodings: ['utf-8'] }).encoding, 'utf-8');
  assert.equal(jschardet.detect('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', { detectEncodings: ['utf-8'] }).mimeType, 'image/png');
  assert.throws(() => jschardet.detect(KOI8, { detectEncodings: ['cp9x'] }), /Unknown encoding "cp9x"/);
  assert.ok(jschardet.detectAll(KOI8, { minimumThreshold: 0 }).length >= jschardet.detectAll(KOI8).length);
  assert.throws(() => jschardet.detect(KOI8, { detectEncodings: [] }), /must not be empty/);
});

test('jschardet: the detector of chardet takes pieces', () => {
  const detector = new jschardet.chardet.UniversalDetector({ compatNames: false });
  assert.deepEqual(detector.result, { encoding: null, confidence: 0, language: null, mimeType: null });
  for (const byte of latin1(POLISH)) detector.feed(Uint8Array.of(byte));
  assert.equal(detector.done, false);
  assert.equal(detector.close().encoding, 'iso8859-2');
  assert.equal(detector.done, true);
  assert.throws(() => detector.feed(KOI8), /after close/);
  detector.reset();
  detector.feed(KOI8);
  assert.equal(detector.close().encoding, 'koi8-r');
  const { EncodingEra, detect } = jschardet.chardet;
  assert.equal(detect(latin1(POLISH), { preferSuperset: true }).encoding, 'Windows-1250');
  assert.notEqual(detect(latin1(POLISH), { encodingEra: EncodingEra.MODERN_WEB }).encoding, 'ISO-8859-2');
  const limited = new jschardet.chardet.UniversalDetector({ maxBytes: 4 });
  limited.feed(KOI8);
  assert.equal(limited.done, true);
});

test('jschardet: version 3 has its own names, and no answer below its threshold', () => {
  const { v3 } = jschardet;
  assert.deepEqual(v3.detect('abc'), { encoding: 'ascii', confidence: 1 });
  assert.deepEqual(v3.detect(''), { encoding: null, confidence: 0 });
  assert.equal(v3.detect(Buffer.from('Grüße')).encoding, 'UTF-8');
  assert.equal(v3.detect(latin1(FRENCH)).encoding, 'windows-1252');
  assert.deepEqual(v3.detect(KOI8, { minimumThreshold: 1.1 }), { encoding: null, confidence: 0 });
  assert.ok(v3.detectAll(KOI8, { minimumThreshold: 1.1 }).length > 0);
  const detector = new v3.UniversalDetector({ detectEncodings: ['ibm866'] });
  detector.feed('\xf0\xd2\xc9');
  detector.close();
  assert.deepEqual([detector.done, detector.result.encoding], [true, 'IBM866']);
  detector.reset();
  assert.deepEqual([detector.done, detector.results], [false, []]);
});

test('jschardet: a detector keeps its options after reset', () => {
  for (let round = 0, detector = new jschardet.v3.UniversalDetector({ detectEncodings: ['ibm866'], minimumThreshold: 0 }); round < 3; round++) {
    detector.feed(KOI8);
    detector.close();
    assert.deepEqual([detector.result.encoding, detector.results.length], ['IBM866', 1]);
    detector.reset();
    assert.deepEqual(detector.result, { encoding: null, confidence: 0 });
  }
  const detector = new jschardet.chardet.UniversalDetector({ maxBytes: 4, includeEncodings: ['ascii', 'ibm866'], compatNames: false });
  for (let round = 0; round < 3; round++) {
    assert.equal(detector.done, false);
    // The first four bytes are ASCII, and no others are looked at.
    detector.feed(latin1('abcd'));
    assert.equal(detector.done, true);
    detector.feed(KOI8);
    assert.equal(detector.close().encoding, 'ascii');
    detector.reset();
    detector.feed(KOI8.subarray(0, 4));
    assert.equal(detector.close().encoding, 'cp866');
    detector.reset();
  }
});

const utf8 = (text) => new TextEncoder().encode(text);
const RUSSIAN = 'Привет, как дела? Всё хорошо. ';
/** The bytes of a text of the basic plane, with so many bytes for each character. */
const wide = (text, size, isBigEndian) => Uint8Array.from(Array.from(text, (character) => {
  const bytes = Array.from({ length: size }, (_, at) => (character.charCodeAt(0) >> (8 * at)) & (at > 1 ? 0 : 0xff));
  return isBigEndian ? bytes.reverse() : bytes;
}).flat());

/** Bytes that show their encoding, with the names of jschardet 4, of Python and of jschardet 3. */
const STRUCTURAL = [
  ['UTF-16LE', wide(RUSSIAN, 2, false), 'utf-16-le', 'utf-16-le', 'UTF-16LE'],
  ['UTF-16BE', wide(RUSSIAN, 2, true), 'utf-16-be', 'utf-16-be', 'UTF-16BE'],
  ['UTF-32LE', wide(RUSSIAN, 4, false), 'utf-32-le', 'utf-32-le', 'UTF-32LE'],
  ['UTF-32BE', wide(RUSSIAN, 4, true), 'utf-32-be', 'utf-32-be', 'UTF-32BE'],
  ['UTF-7', latin1('+BB8EQAQ4BDIENQRC-, +BDoEMAQ6 +BDQENQQ7BDA-?'.repeat(3)), 'utf-7', 'utf-7', 'UTF-7'],
  ['HZ', latin1('~{<:Ky2;S{#,NpJ)l6HK!#~} by'), 'HZ-GB-2312', 'hz', 'HZ-GB-2312'],
  ['ISO-2022-KR', latin1('\x1b$)C\x0e0!3*\x0f abc'), 'ISO-2022-KR', 'iso2022_kr', 'ISO-2022-KR'],
  ['ISO-2022-CN', latin1('\x1b$)A\x0e<:Ky\x0f'), 'ISO-2022-CN', 'iso2022_cn', 'ISO-2022-CN'],
  ['UTF-8-SIG', utf8(`\ufeff${RUSSIAN}`), 'UTF-8-SIG', 'utf-8-sig', 'UTF-8'],
  ['UTF-16', wide(`\ufeff${RUSSIAN}`, 2, false), 'UTF-16', 'utf-16', 'UTF-16LE'],
  ['UTF-16', wide(`\ufeff${RUSSIAN}`, 2, true), 'UTF-16', 'utf-16', 'UTF-16BE'],
  ['UTF-32', wide(`\ufeff${RUSSIAN}`, 4, false), 'UTF-32', 'utf-32', 'UTF-32LE'],
];

test('jschardet: an encoding that its bytes show has its names, also if it is the only one of a list', () => {
  const { chardet: four, v3 } = jschardet;
  for (const [name, bytes, of4, python, of3] of STRUCTURAL) {
    assert.deepEqual([jschardet.detect(bytes).encoding, four.detect(bytes, { compatNames: false }).encoding, v3.detect(bytes).encoding], [of4, python, of3], name);
    // Each of its names means it, alone and beside others. Another list has another answer, or none.
    for (const own of [name, of4, python, python.toUpperCase()]) {
      for (const names of [[own], ['koi8-r', own], [own, 'cp437']]) {
        const all = jschardet.detectAll(bytes, { detectEncodings: names });
        assert.equal(all[0].encoding, of4, `${name}: ${names}`);
        assert.equal(four.detect(bytes, { includeEncodings: names, compatNames: false }).encoding, python, `${name}: ${names}`);
        assert.equal(v3.detect(bytes, { detectEncodings: names }).encoding, of3, `${name}: ${names}`);
        assert.equal(v3.detectAll(bytes, { detectEncodings: names })[0].encoding, of3, `${name}: ${names}`);
      }
    }
    for (const others of [['koi8-r'], ['cp437'], ['ibm866', 'ascii']]) {
      for (const encoding of [jschardet.detect(bytes, { detectEncodings: others }).encoding, v3.detect(bytes, { detectEncodings: others }).encoding]) {
        assert.ok([null, 'KOI8-R', 'IBM866', 'ascii'].includes(encoding), `${name}: ${others}: ${encoding}`);
      }
    }
    const size = /^UTF-(?:16|32)/.exec(name)?.[0];
    const excluded = size !== undefined ? [size, `${size}-le`, `${size}-be`] : name === 'UTF-8-SIG' ? ['utf-8', name] : [name];
    assert.notEqual(jschardet.detect(bytes, { excludeEncodings: excluded }).encoding, of4, name);
  }
  // A detector has its list after reset, too.
  const detector = new v3.UniversalDetector({ detectEncodings: ['utf-32-le'] });
  for (let round = 0; round < 3; round++) {
    for (const byte of STRUCTURAL[2][1]) detector.feed(Uint8Array.of(byte));
    detector.close();
    assert.equal(detector.result.encoding, 'UTF-32LE');
    detector.reset();
    detector.feed(STRUCTURAL[5][1]);
    detector.close();
    assert.notEqual(detector.result.encoding, 'HZ-GB-2312');
    detector.reset();
  }
});

test('jschardet: each name of a list is a name of jschardet or a label of the Standard', () => {
  const only = (name, bytes = KOI8) => jschardet.detect(bytes, { detectEncodings: [name] }).encoding;
  // jschardet finds these encodings, and this detector does not.
  for (const name of [
    'cp1006', 'cp1026', 'cp1125', 'cp1140', 'cp273', 'cp424', 'cp437', 'cp500', 'cp720', 'cp737', 'cp775', 'cp850', 'cp852', 'cp855', 'cp856', 'cp857', 'cp858', 'cp860', 'cp861',
    'cp862', 'cp863', 'cp864', 'cp865', 'cp869', 'cp875', 'hp-roman8', 'iso2022_jp_2004', 'iso2022_jp_ext', 'johab', 'koi8-t', 'kz1048', 'mac-greek', 'mac-iceland', 'mac-latin2',
    'mac-turkish', 'ptcp154',
  ]) {
    for (const written of [name, name.toUpperCase(), name.replaceAll('_', '-')]) {
      assert.equal(only(written), null, written);
      assert.equal(jschardet.detect(KOI8, { detectEncodings: [written, 'koi8-r'] }).encoding, 'KOI8-R', written);
      assert.equal(jschardet.detect(KOI8, { excludeEncodings: [written] }).encoding, 'KOI8-R', written);
      assert.equal(jschardet.v3.detect(KOI8, { detectEncodings: [written] }).encoding, null, written);
    }
  }
  for (const [names, of4] of [
    ['sjis x-sjis shift_jis shift-jis shift_jis_2004 cp932', 'CP932'], ['csisolatincyrillic iso-8859-5 iso8859-5', 'ISO-8859-5'], ['latin1 iso-8859-1 windows-1252 cp1252', 'Windows-1252'],
    ['iso-8859-9 iso8859-9 cp1254', 'Windows-1254'], ['gb2312 gbk gb18030', 'GB18030'], ['euc_kr euc-kr cp949', 'CP949'], ['tis-620 cp874 windows-874', 'CP874'], ['koi8_r KOI8-R koi8 cskoi8r', 'KOI8-R'],
    ['euc_jp euc-jp euc_jis_2004', 'EUC-JP'], ['mac-cyrillic MacCyrillic x-mac-cyrillic', 'MacCyrillic'],
  ]) {
    for (const name of names.split(' ')) assert.equal(only(name), of4, name);
  }
  for (const name of ['ascii', 'us-ascii', 'US_ASCII']) {
    assert.deepEqual([only(name), only(name, 'abc'), jschardet.detect('abc', { excludeEncodings: [name] }).encoding], [null, 'ascii', 'utf-8'], name);
  }
  for (const name of ['cp9x', '', 'utf-9', 'constructor', '__proto__']) {
    for (const option of ['detectEncodings', 'excludeEncodings']) assert.throws(() => jschardet.detect(KOI8, { [option]: [name] }), { message: `Unknown encoding "${name}"` });
  }
});

test('jschardet: an answer without an encoding has the names of the options', () => {
  const { chardet: four } = jschardet;
  const mixed = latin1('line one\r\nl\0i\0n\0e\0 \0t\0w\0o\0\r\0\n\0');
  const nothing = new Uint8Array(0);
  for (const [name, python, of4] of [['sjis', 'sjis', 'sjis'], ['cp437', 'cp437', 'cp437'], ['latin1', 'iso8859-1', 'iso8859-1'], ['KOI8_R', 'koi8-r', 'KOI8-R'], ['utf-8', 'utf-8', 'utf-8'], ['windows-1251', 'cp1251', 'Windows-1251']]) {
    for (const [option, bytes] of [['noMatchEncoding', mixed], ['emptyInputEncoding', nothing]]) {
      for (const [compatNames, encoding] of [[true, of4], [false, python]]) {
        const expected = { encoding, confidence: 0.1, language: null, mimeType: 'text/plain' };
        assert.deepEqual(four.detect(bytes, { [option]: name, compatNames }), expected, `${option}: ${name}`);
      }
    }
  }
  // A name that the lists leave out is no answer.
  for (const options of [{ includeEncodings: ['koi8-r'] }, { excludeEncodings: ['cp1252', 'utf-8'] }]) {
    for (const bytes of [mixed, nothing]) assert.deepEqual(four.detect(bytes, options), { encoding: null, confidence: 0, language: null, mimeType: null });
  }
});

test('chardet: an encoding of ISO takes the place of a code page only if it gives the same text', () => {
  for (const [text, label, names] of [
    ['Καλημέρα σας', 'windows-1253', ['ISO-8859-7']], ['Άρης', 'windows-1253', ['windows-1253', 'ISO-8859-7']], ['Jó reggelt, őszintén űr', 'windows-1250', ['ISO-8859-2']],
    ['Zażółć gęślą jaźń', 'windows-1250', ['windows-1250']], ['שלום לכם, מה שלומך', 'windows-1255', ['ISO-8859-8']], ['Şimdi ığdır', 'windows-1254', ['ISO-8859-9']], ['这是中文测试文本', 'gbk', ['GB18030']],
  ]) {
    const found = chardet.analyse(encode(text, label)).map(({ name }) => name);
    assert.deepEqual(found.slice(0, names.length), names, text);
    assert.equal(chardet.detect(encode(text, label)), names[0]);
    assert.ok(found.every((name) => !['GBK', 'gb18030', 'ISO-8859-8-I'].includes(name)) && new Set(found).size === found.length, found.join());
  }
});

test('both entries are modules for programs that a compiler made', () => {
  for (const entry of ['chardet', 'jschardet']) {
    const { value, enumerable } = Object.getOwnPropertyDescriptor(require(`@textcodec/node/${entry}`), '__esModule');
    assert.deepEqual([value, enumerable], [true, false], entry);
  }
});

test('chardet: the part of a file has exactly its bytes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'textcodec-'));
  try {
    const path = join(folder, 'text');
    writeFileSync(path, Uint8Array.of(0x61, 0x62, 0xff, 0xfe, 0x61, 0, 0x62, 0));
    for (const detect of [chardet.detectFile, chardet.detectFileSync]) {
      for (const [options, name] of [
        [{ sampleSize: 2 }, 'ASCII'], [{ sampleSize: 6, offset: 2 }, 'UTF-16LE'], [{ sampleSize: 100, offset: 2 }, 'UTF-16LE'], [{ sampleSize: 1, offset: 4 }, 'ASCII'], [{ sampleSize: 1, offset: 100 }, 'ASCII'],
      ]) {
        assert.equal(await detect(path, options), name, JSON.stringify(options));
      }
      // Without a size, the whole file is read.
      const whole = chardet.detect(Uint8Array.of(0x61, 0x62, 0xff, 0xfe, 0x61, 0, 0x62, 0));
      for (const options of [[], [undefined], [null], [{}], [{ sampleSize: 0 }], [{ sampleSize: 0, offset: 2 }], [{ offset: 2 }]]) assert.equal(await detect(path, ...options), whole);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

// Bytes that are text in many encodings, of which none is probable.
const IMPROBABLE = latin1('\xe0\xdcrx');

test('jschardet: an improbable answer is one for each function in its own way', () => {
  const { chardet: four, v3 } = jschardet;
  const [best, ...others] = jschardet.detectAll(IMPROBABLE, { minimumThreshold: 0 });
  assert.ok(best.confidence > 0 && best.confidence < 0.2 && others.length > 3);
  // Without a probable result, all are there.
  for (const all of [jschardet.detectAll(IMPROBABLE), jschardet.detectAll(IMPROBABLE, { minimumThreshold: 0.9 }), four.detectAll(IMPROBABLE), four.detectAll(IMPROBABLE, { ignoreThreshold: true })]) {
    assert.deepEqual(all, [best, ...others]);
  }
  for (const call of [jschardet.detect, four.detect]) assert.deepEqual(call(IMPROBABLE), best);
  // Version 3 has no best result, unless a threshold asks for one.
  const nothing = { encoding: null, confidence: 0 };
  const own = v3.detectAll(IMPROBABLE);
  assert.deepEqual([own.length > 3, own[0].confidence], [true, best.confidence]);
  assert.deepEqual([v3.detect(IMPROBABLE), v3.detect(IMPROBABLE, { minimumThreshold: 0.2 })], [nothing, nothing]);
  assert.deepEqual(v3.detect(IMPROBABLE, { minimumThreshold: 0 }), own[0]);
});

test('jschardet: version 4 reads the whole input, and the detector of chardet as much as it is told', () => {
  const { chardet: four, v3 } = jschardet;
  const most = four.DEFAULT_MAX_BYTES;
  for (const [at, isSeen] of [[most - 1, true], [most, false], [most + 50_000, false]]) {
    const bytes = new Uint8Array(most + 60_000).fill(0x61);
    bytes[at] = 0xe9;
    for (const call of [jschardet.detect, v3.detect]) assert.notEqual(call(bytes).encoding, 'ascii', `${at}`);
    for (const call of [jschardet.detectAll, v3.detectAll]) assert.notEqual(call(bytes)[0].encoding, 'ascii', `${at}`);
    for (const options of [{}, undefined, { maxBytes: undefined }, { maxBytes: most }]) {
      assert.equal(four.detect(bytes, options).encoding !== 'ascii', isSeen, `${at}`);
      assert.equal(four.detectAll(bytes, options)[0].encoding !== 'ascii', isSeen, `${at}`);
    }
    assert.equal(four.detect(bytes, { maxBytes: at }).encoding, 'ascii');
    assert.notEqual(four.detect(bytes, { maxBytes: at + 1 }).encoding, 'ascii');
    // The number counts over all pieces.
    for (const cut of [1, at - 1, at, at + 1]) {
      const detector = new four.UniversalDetector({ maxBytes: at });
      detector.feed(bytes.subarray(0, cut));
      assert.equal(detector.done, cut >= at);
      detector.feed(bytes.subarray(cut));
      assert.deepEqual([detector.done, detector.close().encoding], [true, 'ascii'], `${at}, ${cut}`);
    }
  }
});

test('chardet and jschardet: each name has the probability and the language of its first candidate', () => {
  const texts = [KOI8, latin1(FRENCH), latin1(POLISH), IMPROBABLE, latin1('caf\xe9'), encode('這是中文測試文本', 'big5'), encode('这是中文', 'gbk'), encode('Добро утро, как сте', 'windows-1251'), encode('שלום', 'windows-1255')];
  for (const bytes of texts) {
    const { candidates } = detectText(bytes);
    const code = (language) => (language === 'nb' ? 'no' : language?.slice(0, 2));
    const first = new Map();
    for (const { encoding, probability, language } of candidates) {
      const of4 = encoding.replace(/^windows-(?!1258)/, 'Windows-').replace('macintosh', 'MacRoman').replace('x-mac-cyrillic', 'MacCyrillic').replace('KOI8-U', 'koi8-u');
      if (!first.has(of4)) first.set(of4, { probability, language: code(language) ?? null });
    }
    for (const { encoding, confidence, language } of jschardet.detectAll(bytes, { minimumThreshold: 0 })) {
      if (first.has(encoding)) assert.deepEqual([confidence, language], [first.get(encoding).probability, first.get(encoding).language], encoding);
    }
    // In chardet, a name of ISO can stand for a code page of Windows.
    const found = chardet.analyse(bytes);
    const percents = candidates.map(({ probability }) => Math.round(100 * probability));
    assert.deepEqual([found[0].confidence, found[0].lang], [percents[0], code(candidates[0].language)]);
    for (const { name, confidence, lang } of found) {
      const own = candidates.filter(({ encoding }) => encoding === name);
      if (own.length > 0) assert.ok(percents.includes(confidence) && confidence >= Math.round(100 * own[0].probability) && (confidence > Math.round(100 * own[0].probability) || lang === code(own[0].language) || own[0].group > 0), name);
    }
  }
  assert.deepEqual([chardet.analyse(texts[5])[0].lang, jschardet.detect(texts[5]).language, jschardet.detect(texts[6]).language], ['zh', 'zh', 'zh']);
});

test('jschardet: ASCII and binary data have their names, their supersets and their confidence', () => {
  const { chardet: four } = jschardet;
  for (const option of ['preferSuperset', 'shouldRenameLegacy']) {
    assert.deepEqual(four.detect(latin1('abc'), { [option]: true }), { encoding: 'Windows-1252', confidence: 1, language: null, mimeType: 'text/plain' });
    assert.equal(four.detect(latin1('abc'), { [option]: true, compatNames: false }).encoding, 'cp1252');
    assert.equal(four.detect(latin1('\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01'), { [option]: true }).encoding, null);
  }
  const noise = latin1(String.fromCharCode(...Array(32).keys()).repeat(20));
  assert.deepEqual(jschardet.detect(noise), { encoding: null, confidence: 0.95, language: null, mimeType: 'application/octet-stream' });
  for (const mark of ['\xef\xbb\xbfa', '\xff\xfea\0', '\xff\xfe\0\0a\0\0\0']) assert.deepEqual(jschardet.detectAll(mark).map(({ confidence, language }) => [confidence, language]), [[1, null]]);
});

test('jschardet: what a program does with a result changes no other', () => {
  const detector = new jschardet.chardet.UniversalDetector();
  detector.result.encoding = 'spoilt';
  assert.equal(detector.result.encoding, null);
  detector.feed(KOI8);
  for (const found of [detector.close(), detector.result, detector.close()]) {
    assert.equal(found.encoding, 'KOI8-R');
    found.encoding = 'spoilt';
  }
  assert.equal(detector.result.encoding, 'KOI8-R');
});

test('jschardet: encodings that are excluded do not compete in a list either', () => {
  for (const bytes of [KOI8, encode('Привет, как дела?', 'ibm866')]) {
    const options = { detectEncodings: ['koi8-r', 'koi8-u', 'ibm866'], excludeEncodings: ['koi8-r'] };
    const found = jschardet.detectAll(bytes, { ...options, minimumThreshold: 0 });
    assert.deepEqual([found.map(({ encoding }) => encoding).toSorted(), found[0].encoding], [['IBM866', 'koi8-u'], bytes === KOI8 ? 'koi8-u' : 'IBM866']);
    assert.equal(jschardet.detect('abc', { ...options, excludeEncodings: ['ascii', 'utf-8', 'cp1252'] }).encoding, null);
  }
});

test('messages are those of chardet and jschardet, with the name as the caller writes it', () => {
  const { chardet: four, v3 } = jschardet;
  for (const name of ['CP9x', ' koi8-r', '']) {
    for (const call of [
      () => jschardet.detect(KOI8, { detectEncodings: [name] }), () => jschardet.detectAll(KOI8, { excludeEncodings: ['koi8-r', name] }), () => v3.detect(KOI8, { detectEncodings: [name] }),
      () => four.detect(KOI8, { includeEncodings: [name] }), () => four.detectAll(KOI8, { excludeEncodings: [name] }), () => new four.UniversalDetector({ noMatchEncoding: name }),
      () => four.detect(KOI8, { emptyInputEncoding: name }),
    ]) {
      // White space around a label of the Standard does not matter.
      if (name.trim() === 'koi8-r') call();
      else assert.throws(call, { name: 'Error', message: `Unknown encoding "${name}"` });
    }
  }
  for (const call of [() => jschardet.detect(KOI8, { detectEncodings: [] }), () => v3.detect(KOI8, { detectEncodings: [] }), () => four.detect(KOI8, { includeEncodings: [] }), () => four.detect(KOI8, { excludeEncodings: [] })]) {
    assert.throws(call, { name: 'Error', message: 'The list of encodings must not be empty' });
  }
  const detector = new four.UniversalDetector();
  detector.close();
  assert.throws(() => detector.feed(KOI8), { name: 'Error', message: 'feed() called after close() without reset()' });
  for (const maxBytes of [0, 1.5, '3']) assert.throws(() => new four.UniversalDetector({ maxBytes }), { name: 'Error', message: 'max_bytes must be a positive integer' });
});

test('chardet: the length of an array is a number that is not negative', () => {
  const message = 'Input must be a byte array, e.g. Buffer or Uint8Array';
  for (const length of [-1, NaN, Infinity, '3', undefined, null]) {
    for (const call of [chardet.detect, chardet.analyse]) assert.throws(() => call({ length }), { name: 'Error', message }, `${length}`);
  }
  assert.equal(chardet.detect({ length: 0 }), 'ASCII');
});

test('chardet: only the bytes 80 to 9F show a code page of Windows', () => {
  for (let byte = 0x80; byte <= 0xff; byte++) {
    const bytes = latin1(`${FRENCH} ${String.fromCharCode(byte)}`);
    const { candidates } = detectText(bytes);
    if (candidates[0].encoding === 'windows-1252') assert.equal(chardet.detect(bytes), byte < 0xa0 ? 'windows-1252' : 'ISO-8859-1', `${byte}`);
  }
  assert.deepEqual([0x80, 0x9f, 0xa0, 0xff].map((byte) => detectText(latin1(`${FRENCH} ${String.fromCharCode(byte)}`)).encoding), Array(4).fill('windows-1252'));
});
