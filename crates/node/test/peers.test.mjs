// The interfaces of the npm packages chardet and jschardet.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { encode } from '@textcodec/node';
import chardetDefault, * as chardet from '@textcodec/node/chardet';
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
