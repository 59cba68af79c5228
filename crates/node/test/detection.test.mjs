// The detector.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Detector, detect } from '@textcodec/node/detect';

const latin1 = (text) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const utf16 = (text) => new Uint8Array(Uint16Array.from(text, (character) => character.charCodeAt(0)).buffer);
// "Привет, как дела?" in KOI8-R.
const KOI8 = latin1('\xf0\xd2\xc9\xd7\xc5\xd4, \xcb\xc1\xcb \xc4\xc5\xcc\xc1?');

test('an answer has an encoding, a language, a probability, candidates and evidence', () => {
  const found = detect(KOI8);
  const [best, ...others] = found.candidates;
  assert.deepEqual([found.encoding, found.language, found.kind], ['KOI8-R', 'ru', 'legacy']);
  assert.ok(Number.isInteger(found.modelVersion) && found.modelVersion >= 1);
  assert.ok(found.probability > 0.9 && found.probability <= 1);
  assert.deepEqual([best.encoding, best.isStandard, best.group, best.evidence], ['KOI8-R', true, 0, found.evidence]);
  assert.ok(found.evidence.length > 0 && found.evidence.length <= 8 && found.evidence.every((offset) => offset < KOI8.length));
  assert.ok(others.every(({ probability }) => probability <= found.probability));
});

test('bytes of every kind are recognised', () => {
  for (const [bytes, expected] of [
    [[], { kind: 'empty', encoding: null, probability: 0 }],
    [latin1('abc'), { kind: 'ascii', encoding: 'UTF-8' }],
    [new TextEncoder().encode('Grüße'), { kind: 'utf-8', encoding: 'UTF-8', hasBOM: false }],
    [new TextEncoder().encode('\ufeffGrüße'), { kind: 'utf-8', hasBOM: true }],
    [[...new TextEncoder().encode('Grüße aus Köln, '.repeat(9)), 0xff, 0x78], { kind: 'damaged-utf-8', malformed: 1, offset: 171 }],
    [utf16('Hello, world, hello!'), { kind: 'utf-16', encoding: 'UTF-16LE', hasBOM: false }],
    [latin1('~{<:Ky2;S{#,NpJ)l6HK!#~} by'), { kind: 'hz', encoding: 'HZ' }],
    [latin1('\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01'), { kind: 'binary', encoding: null, mimeType: 'image/jpeg', candidates: [] }],
  ]) {
    const found = detect(Uint8Array.from(bytes));
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(found[name], value, `${found.kind}: ${name}`);
  }
});

test('options narrow the answer', () => {
  assert.equal(detect(KOI8, { among: ['cp866', 'koi8'] }).encoding, 'KOI8-R');
  assert.equal(detect(KOI8, { among: new Set(['cp866']) }).encoding, 'IBM866');
  const { candidates } = detect(KOI8, { exclude: ['koi8-r'], languages: ['ru'], topLevelDomain: 'ru', platform: 'unix', declared: 'nonsense' });
  assert.equal(candidates[0].encoding, 'KOI8-U');
  assert.ok(!candidates.some(({ encoding }) => encoding === 'KOI8-R'));
  const cut = detect(new TextEncoder().encode('日本語').subarray(1, 8), { startsMidStream: true, endsMidStream: true });
  assert.equal(cut.encoding, 'UTF-8');
  assert.equal(detect(KOI8, null).encoding, 'KOI8-R');
});

test('each option has an effect of its own', () => {
  const better = (bytes, options) => detect(bytes, options).probability > detect(bytes).probability;
  assert.deepEqual(['ru', 'bg'].map((topLevelDomain) => detect(KOI8.subarray(0, 6), { topLevelDomain }).language), ['ru', 'bg']);
  assert.ok(better(KOI8.subarray(0, 6), { languages: ['xx', 'ru'] }));
  assert.equal(detect(KOI8, { declared: 'koi8-u' }).encoding, 'KOI8-U');
  // "Привет" in the encoding of each platform, and "café", of which systems of Unix have another encoding.
  for (const [platform, bytes] of [['windows', '\xcf\xf0\xe8\xe2\xe5\xf2'], ['mac', '\x8f\xf0\xe8\xe2\xe5\xf2'], ['dos', '\x8f\xe0\xa8\xa2\xa5\xe2'], ['unix', 'caf\xe9']]) {
    for (const other of ['windows', 'mac', 'dos', 'unix']) assert.equal(better(latin1(bytes), { platform: other }), other === platform, `${platform}, ${other}`);
  }
  // "日本語" without its first byte, and "日本語のテキスト" without its last one.
  const [late, early] = [latin1('\xfa\x96\x7b\x8c\xea'), latin1('\x93\xfa\x96\x7b\x8c\xea\x82\xcc\x83\x65\x83\x4c\x83\x58\x83')];
  assert.deepEqual([{ startsMidStream: true }, { endsMidStream: true }].map((options) => detect(late, options).encoding === 'Shift_JIS'), [true, false]);
  assert.deepEqual([{ startsMidStream: true }, { endsMidStream: true }].map((options) => better(early, options)), [false, true]);
});

test('encodings of a tier compete if it is named', () => {
  // "Žluťoučký kůň příšerně úpěl ďábelské ódy" in IBM852.
  const bytes = latin1('\xa6lu\x9cou\x9fk\xec k\x85\xe5 p\xfd\xa1\xe7ern\xd8 \xa3p\xd8l \xd4\xa0belsk\x82 \xa2dy');
  assert.ok(detect(bytes).candidates.every(({ isStandard }) => isStandard));
  const [best] = detect(bytes, { tiers: ['mac', 'dos'] }).candidates;
  assert.deepEqual([best.encoding, best.isStandard, best.language], ['IBM852', false, 'cs']);
  assert.ok(detect(bytes, { tiers: [] }).candidates.every(({ isStandard }) => isStandard));
  // "한글 맞춤법은 표준어를 소리대로 적되" in Johab.
  const johab = latin1('\xd0\x65\x8b\x69\x20\xa0\x78\xc2\x91\xa4\xf3\xb7\x65\x20\xce\x61\xba\x85\xb4\xe1\x9f\x69\x20\xad\xa1\x9f\xa1\x94\x81\x9d\xa1\x20\xb8\xe2\x96\x41');
  const detector = new Detector({ tiers: new Set(['johab']) });
  detector.feed(johab);
  assert.equal(detector.finish().encoding, 'JOHAB');
  assert.throws(() => detect(bytes, { tiers: ['cp852'] }), {
    name: 'RangeError', code: 'ERR_INVALID_ARG_VALUE', message: 'There is no tier "cp852"; the tiers are "dos", "mac", "ebcdic", "johab", "vietnamese"',
  });
  assert.throws(() => detect(bytes, { tiers: 'dos' }), { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' });
});

test('options of the wrong kind are errors', () => {
  assert.throws(() => detect(KOI8, { among: ['utf-9'] }), { name: 'RangeError', code: 'ERR_ENCODING_NOT_SUPPORTED', message: 'The "utf-9" encoding is not supported' });
  assert.throws(() => detect(KOI8, { exclude: ['koi8-r\0among'] }), { name: 'RangeError', code: 'ERR_INVALID_ARG_VALUE' });
  assert.throws(() => detect(KOI8, { among: 'koi8-r' }), { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' });
  assert.throws(() => detect(KOI8, { platform: 'beos' }), { name: 'RangeError', code: 'ERR_INVALID_ARG_VALUE' });
  assert.throws(() => new Detector({ among: ['utf-9'] }), RangeError);
  for (const none of ['abc', 1, null, [1]]) assert.throws(() => detect(none), { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' });
});

test('a text in pieces has the answer of the whole text', () => {
  const long = latin1('\xcb\xc1\xcb \xc4\xc5\xcc\xc1, '.repeat(20_000));
  for (const [bytes, size] of [[KOI8, 1], [KOI8, 7], [long, 1000], [long, 70_000], [long, long.length]]) {
    const detector = new Detector();
    for (let at = 0; at < bytes.length; at += size) detector.feed(bytes.subarray(at, at + size));
    assert.equal(detector.bestSoFar().encoding, 'KOI8-R');
    assert.deepEqual(detector.finish(), detect(bytes), `${size}`);
  }
});

test('a finished detector says so, and detectors do not share a state', () => {
  const [one, other] = [new Detector(), new Detector({ among: ['cp866'] })];
  one.feed(KOI8);
  other.feed(KOI8);
  assert.equal(one.finish().encoding, 'KOI8-R');
  assert.equal(other.finish().encoding, 'IBM866');
  for (const call of [() => one.finish(), () => one.bestSoFar(), () => one.feed(KOI8)]) {
    assert.throws(call, { name: 'Error', code: 'ERR_INVALID_STATE', message: 'The detector is finished' });
  }
  assert.throws(() => Detector.prototype.finish.call({}), { name: 'TypeError', code: 'ERR_INVALID_THIS' });
  assert.equal(`${one}`, '[object Detector]');
});

test('every kind of memory is read', () => {
  const shared = new Uint8Array(new SharedArrayBuffer(KOI8.length));
  shared.set(KOI8);
  // The native half gets so many bytes in another way.
  const long = new Uint8Array(new SharedArrayBuffer(300 * KOI8.length));
  for (let at = 0; at < long.length; at += KOI8.length) long.set(KOI8, at);
  for (const source of [shared, shared.buffer, long, long.buffer, KOI8.buffer, new DataView(KOI8.buffer), KOI8.subarray(0)]) {
    assert.equal(detect(source).encoding, 'KOI8-R');
    const detector = new Detector();
    detector.feed(source);
    assert.equal(detector.finish().encoding, 'KOI8-R');
  }
  const detached = new Uint8Array(4);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  assert.equal(detect(detached).kind, 'empty');
});

test('each byte is looked at, wherever the pieces end', () => {
  for (const length of [1, 2, 16, 17, 1535, 1536, 1537, 4096, 4097, 65_535, 65_536, 65_537, 131_072]) {
    const bytes = new Uint8Array(length).fill(0x61);
    assert.equal(detect(bytes).kind, 'ascii');
    for (const at of [0, length - 1]) {
      const other = bytes.slice().fill(0xff, at, at + 1);
      const detector = new Detector();
      detector.feed(other);
      assert.notEqual(detect(other).kind, 'ascii', `${length}, ${at}`);
      assert.notEqual(detector.bestSoFar().kind, 'ascii', `${length}, ${at}`);
      assert.deepEqual(detector.finish(), detect(other));
    }
  }
});

test('each kind of binary data has its media type', () => {
  for (const [start, type] of [
    ['\xff\xd8\xff\xe0\0\x10JFIF\0', 'image/jpeg'], ['\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'image/png'], ['GIF89a\x01\0\x01\0', 'image/gif'],
    ['RIFF\x24\0\0\0WEBPVP8 ', 'image/webp'], ['II*\0\x08\0\0\0', 'image/tiff'], ['\0\0\x01\0\x01\0\x10\x10', 'image/vnd.microsoft.icon'],
    ['%PDF-1.7\n', 'application/pdf'], ['PK\x03\x04\x14\0\0\0', 'application/zip'], ['\x1f\x8b\x08\0\0\0\0\0', 'application/gzip'],
    ['BZh91AY&SY', 'application/x-bzip2'], ['\xfd7zXZ\0\0\x04', 'application/x-xz'], ['\x28\xb5\x2f\xfd\x04\0', 'application/zstd'],
    ['7z\xbc\xaf\x27\x1c\0\x04', 'application/x-7z-compressed'], ['Rar!\x1a\x07\x01\0', 'application/vnd.rar'], ['\x7fELF\x02\x01\x01\0', 'application/x-elf'],
    ['\xcf\xfa\xed\xfe\x07\0\0\x01', 'application/x-mach-binary'], ['MZ\x90\0\x03\0\0\0', 'application/vnd.microsoft.portable-executable'],
    ['\xca\xfe\xba\xbe\0\0\0\x34', 'application/java-vm'], ['\0asm\x01\0\0\0', 'application/wasm'], ['SQLite format 3\0', 'application/vnd.sqlite3'],
    ['wOFF\0\x01\0\0', 'font/woff'], ['OTTO\0\x0b\0\x80', 'font/sfnt'], ['ID3\x04\0\0\0\0', 'audio/mpeg'], ['\0\0\0\x18ftypmp42', 'video/mp4'],
    ['OggS\0\x02\0\0', 'application/ogg'], ['fLaC\0\0\0\x22', 'audio/flac'], ['RIFF\x24\0\0\0WAVEfmt ', 'audio/wav'], ['RIFF\x24\0\0\0AVI LIST', 'video/x-msvideo'],
    ['\x1aE\xdf\xa3\xa3\x42\x86\x81', 'video/matroska'], ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'application/x-ole-storage'],
    [String.fromCharCode(...Array(32).keys()).repeat(20), 'application/octet-stream'],
  ]) {
    const { kind, mimeType, encoding, margin } = detect(latin1(`${start}${'\0'.repeat(200)}`));
    assert.deepEqual([kind, mimeType, encoding, margin], ['binary', type, null, null], type);
  }
});

test('an answer has the members of its kind', () => {
  const mixed = detect(latin1('line one\r\nl\0i\0n\0e\0 \0t\0w\0o\0\r\0\n\0'));
  assert.deepEqual([mixed.kind, mixed.offset], ['mixed', 10]);
  for (const [text, encoding, isStandard, hasBOM] of [
    ['\xff\xfe\0\0a\0\0\0', 'UTF-32LE', false, true], ['\0\0\xfe\xff\0\0\0a', 'UTF-32BE', false, true], ['\xff\xfea\0', 'UTF-16LE', true, true],
    ['\xef\xbb\xbfa', 'UTF-8', true, true], ['na\xc3\xafve', 'UTF-8', true, false], ['~{<:Ky2;S{#,NpJ)l6HK!#~} by', 'HZ', false, undefined],
    ['a\x1b$B%F%9%H\x1b(B', 'ISO-2022-JP', true, undefined], ['\x1b$)A\x0e<:Ky\x0f', 'ISO-2022-CN', false, undefined],
  ]) {
    const found = detect(latin1(text));
    assert.deepEqual([found.encoding, found.candidates[0].isStandard, found.hasBOM], [encoding, isStandard, hasBOM], encoding);
  }
  // The language of a text can have a script: "中文" in Big5.
  const big5 = latin1('\xa4\xa4\xa4\xe5');
  assert.equal(detect(big5, { languages: ['zh-Hant'] }).language, 'zh-Hant');
  assert.notEqual(detect(big5, { languages: ['zh-Hans'] }).language, 'zh-Hant');
});

test('an option that is true or false is any value', () => {
  const late = latin1('\xfa\x96\x7b\x8c\xea');
  for (const name of ['startsMidStream', 'endsMidStream']) {
    for (const value of [true, 1, 'no', {}, []]) assert.deepEqual(detect(late, { [name]: value }), detect(late, { [name]: true }));
    for (const value of [false, 0, '', null, undefined, NaN]) assert.deepEqual(detect(late, { [name]: value }), detect(late));
  }
});

test('a message says which argument is wrong', () => {
  for (const call of [() => detect('abc'), () => detect(), () => new Detector().feed('abc')]) {
    assert.throws(call, { name: 'TypeError', message: 'The bytes must be an ArrayBuffer, a SharedArrayBuffer or a view of one' });
  }
  for (const call of [() => detect(KOI8, 1), () => new Detector('ru')]) assert.throws(call, { name: 'TypeError', message: 'The options must be an object, null or undefined' });
  for (const [options, name] of [[{ among: 'koi8-r' }, 'among'], [{ exclude: 3 }, 'exclude'], [{ languages: 'ru' }, 'language'], [{ tiers: {} }, 'tier']]) {
    assert.throws(() => detect(KOI8, options), { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE', message: `The option ${name} must be an iterable of strings` });
  }
  for (const [options, name] of [[{ declared: 'a\0b' }, 'declared'], [{ languages: ['ru', '\0'] }, 'language'], [{ platform: '\0' }, 'platform'], [{ topLevelDomain: 'ru\0' }, 'topLevelDomain']]) {
    assert.throws(() => detect(KOI8, options), { name: 'RangeError', code: 'ERR_INVALID_ARG_VALUE', message: `The option ${name} contains U+0000` });
  }
});

test('damage has its number and its first place', () => {
  const sentence = new TextEncoder().encode('Grüße aus Köln. ');
  for (const places of [[0], [0, 1], [1, 2, 9], [40], Array.from({ length: 12 }, (_, at) => at)]) {
    const bytes = [];
    for (let at = 0; at <= 40; at++) bytes.push(...(places.includes(at) ? [0xff] : []), ...(at < 40 ? sentence : []));
    const { kind, malformed, offset } = detect(Uint8Array.from(bytes));
    assert.deepEqual([kind, malformed, offset], ['damaged-utf-8', places.length, places[0] * sentence.length]);
  }
});
