// Inputs of different lengths are converted in different ways. The result must not depend on the way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as textcodec from '@textcodec/node';
import * as utf8Oracle from '../oracle/utf8.mjs';

const LENGTHS = [
  ...Array(70).keys(), 127, 128, 255, 256, 1023, 1024, 1025, 1535, 1536, 1537, 4094, 4095, 4096, 4097, 4098, 8191, 32767, 32768, 65535, 65536,
  65537, 140_000,
];
// ASCII, Latin-1, larger code units and surrogate pairs; `texts` also puts each at the end or the start of ASCII.
const TEXTS = ['a', 'é', 'aé', '€', 'a€', '💩', 'a💩é', '\u{feff}a', '\0'];

function* texts() {
  for (const length of LENGTHS) {
    for (const text of TEXTS) {
      yield text.repeat(Math.ceil(length / text.length)).slice(0, length);
      if (length > 0) yield 'a'.repeat(length - 1) + text;
      if (length > 0) yield text + 'a'.repeat(length - 1);
    }
  }
}

test('decode returns text that was encoded into UTF-8 or UTF-16LE, at any length', () => {
  for (const text of texts()) {
    const whole = utf8Oracle.wellFormed(text);
    const utf8 = utf8Oracle.encode(text);
    const utf16 = Uint8Array.from(Buffer.from(text, 'utf16le'));
    for (const ignoreBOM of [false, true]) {
      const expected = !ignoreBOM && whole.startsWith('\u{feff}') ? whole.slice(1) : whole;
      for (const fatal of [false, true]) {
        const decoder = new textcodec.TextDecoder('utf-8', { ignoreBOM, fatal });
        assert.ok(decoder.decode(utf8) === expected, `${text.length} of UTF-8`);
        assert.ok(decoder.decode(utf8, { stream: true }) + decoder.decode() === expected, `${text.length} of UTF-8, streaming`);
      }
      const wide = new textcodec.TextDecoder('utf-16le', { ignoreBOM });
      assert.ok(wide.decode(utf16) === expected, `${text.length} of UTF-16LE`);
    }
  }
});

/** The same bytes in all that can hold them. */
function* sources(bytes) {
  yield bytes;
  yield Buffer.from(bytes);
  for (const buffer of [
    new ArrayBuffer(bytes.length + 8),
    new SharedArrayBuffer(bytes.length + 8),
    // Versions without resizable buffers ignore the option.
    new ArrayBuffer(bytes.length + 8, { maxByteLength: bytes.length + 10_000 }),
    new SharedArrayBuffer(bytes.length + 8, { maxByteLength: bytes.length + 10_000 }),
  ]) {
    new Uint8Array(buffer).fill(0xaa).set(bytes, 8);
    yield new Uint8Array(buffer, 8);
    yield new DataView(buffer, 8);
    if (bytes.length % 2 === 0) yield new Uint16Array(buffer, 8);
  }
}

test('the text does not depend on where the bytes are', () => {
  for (const length of [0, 1, 16, 17, 64, 1535, 1536, 1537, 2000, 4095, 4096, 4097, 5000, 10_000]) {
    for (const [label, some] of [['utf-8', 'Привет, 日本 '], ['windows-1251', 'Привет, мир. '], ['windows-1252', 'Straße '], ['windows-1252', 'abc']]) {
      const part = textcodec.encode(some, label);
      const bytes = Uint8Array.from({ length }, (_, at) => part[at % part.length]);
      const decoder = new textcodec.TextDecoder(label);
      const expected = label === 'utf-8' ? utf8Oracle.decode(bytes)
        : Array.from(bytes, (byte) => decoder.decode(Uint8Array.of(byte))).join('');
      for (const source of sources(bytes)) {
        const what = `${length} of ${label} in a ${source.constructor.name} of a ${source.buffer.constructor.name}`;
        assert.ok(decoder.decode(source) === expected, what);
        assert.ok(decoder.decode(source, { stream: true }) + decoder.decode() === expected, `${what}, streaming`);
        assert.ok(textcodec.decode(source, label) === expected, `${what}, the hook`);
        if (!expected.endsWith('\u{fffd}')) assert.ok(textcodec.decodeOrFail(source, label) === expected, `${what}, the fatal hook`);
      }
    }
  }
});

test('calls of several decoders in turns do not affect each other', () => {
  const make = (label, options) => new textcodec.TextDecoder(label, options);
  const bytes = Uint8Array.of(0xef, 0xbb, 0xbf, 0xc3, 0xa9);
  const malformed = Uint8Array.of(0xc3, 0xa9, 0xd2, 0x28);
  const decoders = [
    [make('utf-8'), 'é', 'é\u{fffd}('],
    [make('utf-8', { fatal: true }), 'é', null],
    [make('utf-8', { ignoreBOM: true }), '\u{feff}é', 'é\u{fffd}('],
    [make('utf-8', { fatal: true, ignoreBOM: true }), '\u{feff}é', null],
    [make('windows-1253'), 'ο»ΏΓ©', 'Γ©\u{fffd}('],
    [make('windows-1253', { fatal: true }), 'ο»ΏΓ©', null],
    [make('iso-2022-jp'), '\u{fffd}'.repeat(5), '\u{fffd}\u{fffd}\u{fffd}('],
    [make('iso-2022-jp', { fatal: true }), null, null],
  ];
  const check = (decoder, input, expected) => {
    if (expected === null) assert.throws(() => decoder.decode(input), TypeError);
    else assert.equal(decoder.decode(input), expected);
  };
  for (const [one, ...ofOne] of decoders) {
    for (const [other, ...ofOther] of decoders) {
      for (const [at, input] of [bytes, malformed].entries()) {
        check(one, input, ofOne[at]);
        check(other, input, ofOther[at]);
      }
    }
  }
});

test('one byte beyond ASCII can be at any place of a short input', () => {
  for (let length = 1; length <= 70; length++) {
    for (let at = 0; at < length; at++) {
      const bytes = new Uint8Array(length).fill(0x61).fill(0xe9, at, at + 1);
      const expected = `${'a'.repeat(at)}é${'a'.repeat(length - at - 1)}`;
      assert.equal(new textcodec.TextDecoder('latin1').decode(bytes), expected);
      assert.equal(textcodec.decode(bytes, 'latin1'), expected);
      assert.throws(() => new textcodec.TextDecoder('utf-8', { fatal: true }).decode(bytes), TypeError);
    }
  }
});

test('malformed bytes are errors at every position', () => {
  for (const length of LENGTHS) {
    const bytes = new Uint8Array(length + 1).fill(0x61);
    bytes[length] = 0xff;
    for (const label of ['utf-8', 'shift_jis', 'euc-kr']) {
      assert.ok(new textcodec.TextDecoder(label).decode(bytes) === `${'a'.repeat(length)}\u{fffd}`);
      assert.throws(() => new textcodec.TextDecoder(label, { fatal: true }).decode(bytes), TypeError);
    }
  }
});

// Inputs are decoded in pieces of the first length, and large inputs in pieces of the second length.
const PIECES = [8192, 65536];

test('the first code unit above Latin-1 and each sequence can be at any position', () => {
  for (const [label, sequence, text] of [
    ['windows-1252', [0x80], '€'], ['shift_jis', [0x83, 0x65], 'テ'], ['gb18030', [0x81, 0x30, 0x81, 0x34, 0x94, 0x39, 0xda, 0x33], '\u{84}💩'],
    ['utf-8', [0xf0, 0x9f, 0x92, 0xa9], '💩'], ['iso-2022-jp', [0x1b, 0x24, 0x42, 0x25, 0x46, 0x1b, 0x28, 0x42], 'テ'],
    ['iso-8859-15', [0xe4], 'ä'], ['utf-16le', [0x3d, 0xd8, 0xa9, 0xdc], '💩'],
  ]) {
    const unit = label === 'utf-16le' ? [0x61, 0] : [0x61];
    for (const place of [1, ...PIECES.flatMap((piece) => [piece, 2 * piece, 3 * piece])]) {
      for (let before = 1; before <= sequence.length; before++) {
        const length = Math.ceil(Math.max(0, place - before) / unit.length);
        const behind = before === 1 ? 65536 : 1000;
        const bytes = Uint8Array.from([...Array(length).fill(unit).flat(), ...sequence, ...Array(behind).fill(unit).flat()]);
        const expected = 'a'.repeat(length) + text + 'a'.repeat(behind);
        const decoder = new textcodec.TextDecoder(label);
        assert.ok(decoder.decode(bytes) === expected, `${label}, ${before} before ${place}`);
        assert.ok(decoder.decode(bytes, { stream: true }) + decoder.decode() === expected, `${label}, ${before} before ${place}, streaming`);
        assert.ok(textcodec.decode(bytes, label) === expected, `${label}, ${before} before ${place}, the hook`);
      }
    }
  }
});

test('an error in any piece ends the stream if the call is its last', () => {
  const fe = (length, at) => new Uint8Array(length).fill(0xe4).fill(0xff, at, at + 1);
  const japanese = new textcodec.TextDecoder('iso-2022-jp', { fatal: true });
  const roman = [0x1b, 0x28, 0x4a];
  for (const piece of PIECES) {
    for (const at of [0, piece - 1, piece, 2 * piece]) {
      const decoder = new textcodec.TextDecoder('windows-1253', { fatal: true });
      assert.equal(decoder.decode(Uint8Array.of(0xe4), { stream: true }), 'δ');
      assert.throws(() => decoder.decode(fe(3 * piece, at)), TypeError);
      assert.equal(decoder.decode(Uint8Array.of(0xe4), { stream: true }), 'δ');
      // A call with the option stream does not end the stream.
      assert.throws(() => decoder.decode(fe(3 * piece, at), { stream: true }), TypeError);
      assert.equal(decoder.decode(Uint8Array.of(0xe4)), 'δ');
      // Nothing was output, so that a byte order mark can follow.
      const utf8 = new textcodec.TextDecoder('utf-8', { fatal: true });
      assert.throws(() => utf8.decode(new Uint8Array(3 * piece).fill(0x61).fill(0xff, at, at + 1), { stream: true }), TypeError);
      assert.equal(utf8.decode(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61)), 'a');
    }
    for (const at of [10, piece, 2 * piece]) {
      const bytes = new Uint8Array(3 * piece).fill(0x5c);
      bytes.set([...roman, 0xff], at);
      assert.throws(() => japanese.decode(bytes, { stream: true }), TypeError);
      assert.equal(japanese.decode(Uint8Array.of(0x5c), { stream: true }), '¥');
      assert.throws(() => japanese.decode(bytes), TypeError);
      assert.equal(japanese.decode(Uint8Array.of(0x5c), { stream: true }), '\\');
      assert.equal(japanese.decode(), '');
    }
  }
});

test('encode agrees with the Standard at any length', () => {
  const encoder = new textcodec.TextEncoder();
  for (const text of texts()) {
    const bytes = encoder.encode(text);
    assert.ok(Buffer.compare(bytes, utf8Oracle.encode(text)) === 0, `${text.length}`);
    assert.ok(bytes.constructor === Uint8Array && bytes.byteOffset === 0 && bytes.buffer.byteLength === bytes.length);
  }
});

test('encodeInto agrees with the Standard at any length and capacity', () => {
  const encoder = new textcodec.TextEncoder();
  for (const text of texts()) {
    if (text.length > 10_000) continue;
    const length = Buffer.byteLength(text);
    for (const capacity of [
      0, 1, 2, 3, 4, 23, 24, 25, 26, 27, 28, 64, 1023, text.length - 1, text.length, text.length + 1, length - 3, length - 2, length - 1, length, length + 3,
    ]) {
      if (capacity < 0) continue;
      const { bytes, read } = utf8Oracle.encodeInto(text, capacity);
      for (const Buffer of [ArrayBuffer, SharedArrayBuffer]) {
        const destination = new Uint8Array(new Buffer(capacity + 8), 4, capacity);
        const whole = new Uint8Array(destination.buffer).fill(0xaa);
        // Bytes after `written` do not change.
        const expected = new Uint8Array(capacity + 8).fill(0xaa);
        expected.set(bytes, 4);
        assert.deepEqual(encoder.encodeInto(text, destination), { read, written: bytes.length }, `${text.length} into ${capacity}`);
        assert.ok(whole.every((byte, at) => byte === expected[at]), `${text.length} into ${capacity}`);
      }
    }
  }
});

test('decode agrees with the Standard for malformed UTF-8 of any length', () => {
  const sequences = [
    [0x80], [0xc0, 0xaf], [0xc3], [0xc3, 0xa9], [0xe0, 0x80], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x92], [0xf0, 0x9f, 0x92, 0xa9],
    [0xf4, 0x90, 0x80, 0x80], [0xff], [0xe6, 0x97, 0xa5], [0xd0, 0xb4],
  ];
  for (const length of [1, 15, 60, 64, 65, 100, 250, 256, 257, 300, 400, 1500, 1540, 3000, 5000, 9000]) {
    for (const [at, sequence] of sequences.entries()) {
      const other = sequences[(at + 5) % sequences.length];
      for (const pattern of [sequence, [...sequence, 0x61], [...sequence, ...other], [...Array(50).fill(0x61), ...sequence]]) {
        const bytes = Uint8Array.from({ length }, (_, index) => pattern[index % pattern.length]);
        const expected = utf8Oracle.decode(bytes);
        assert.equal(new textcodec.TextDecoder().decode(bytes), expected);
        const fatal = new textcodec.TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
        if (!expected.includes('\u{fffd}')) assert.equal(fatal.decode(bytes), expected);
        else assert.throws(() => fatal.decode(bytes), { name: 'TypeError', message: 'The encoded data was not valid for encoding utf-8' });
      }
    }
  }
});

test('surrogates without a partner become U+FFFD at any length', () => {
  const encoder = new textcodec.TextEncoder();
  for (const length of LENGTHS) {
    for (const text of ['\u{d83d}', '\u{dca9}', 'a\u{d83d}', '\u{dca9}\u{d83d}', '\u{d83d}\u{e000}', '\u{d83d}\u{ffff}', '\u{d83d}\u{d7ff}']) {
      const string = text.repeat(Math.ceil(length / text.length)).slice(0, length);
      const expected = utf8Oracle.encode(string);
      assert.ok(Buffer.compare(encoder.encode(string), expected) === 0);
      const destination = new Uint8Array(3 * length);
      assert.deepEqual(encoder.encodeInto(string, destination), { read: length, written: expected.length });
      assert.ok(Buffer.compare(destination.subarray(0, expected.length), expected) === 0);
    }
  }
});

// Lengths at which a way begins or a piece ends, in the scripts, in the native half and in the package for browsers.
const ENDS = [16, 64, 1536, 8192, 16_384, 65_536, 131_072].flatMap((length) => [length - 1, length, length + 1]);

test('a sequence that the end cuts off is an error at every length', () => {
  for (const [label, unit, wide, tail, rest = ''] of [
    ['utf-8', [0x61], [0xe6, 0x97, 0xa5], [0xe2, 0x82]],
    ['utf-8', [0x61], [0xc3, 0xa9], [0xf0, 0x9f, 0x92]],
    ['shift_jis', [0x61], [0x83, 0x65], [0x83]],
    ['gb18030', [0x61], [0xd6, 0xd0], [0x81, 0x30, 0x81]],
    ['euc-jp', [0x61], [0xa4, 0xa2], [0x8f, 0xa1]],
    ['big5', [0x61], [0xa4, 0xa4], [0xa4]],
    ['utf-16le', [0x61, 0], [0x2d, 0x4e], [0x61]],
    ['utf-16be', [0, 0x61], [0x4e, 0x2d], [0xd8, 0x3d]],
    // The end of an escape sequence that has begun is text.
    ['iso-2022-jp', [0x61], [0x62], [0x1b, 0x28], '('],
  ]) {
    for (const length of ENDS) {
      const room = length - tail.length;
      // ASCII, and text with characters above Latin-1 from its start on.
      for (const units of [unit, wide]) {
        const first = room % units.length;
        // The characters of one byte come first, so that the others end where the tail begins.
        if (first % unit.length !== 0) continue;
        const bytes = Uint8Array.from(Buffer.concat([Buffer.alloc(first, Buffer.from(unit)), Buffer.alloc(room - first, Buffer.from(units)), Buffer.from(tail)]));
        const whole = textcodec.decode(bytes.subarray(0, room), label);
        assert.equal(whole.length, first / unit.length + (room - first) / units.length);
        const expected = `${whole}\u{fffd}${rest}`;
        const place = `${label}, ${length}, ${units}`;
        const decoder = new textcodec.TextDecoder(label);
        const strict = new textcodec.TextDecoder(label, { fatal: true });
        assert.ok(decoder.decode(bytes) === expected, place);
        assert.ok(textcodec.decode(bytes, label) === expected, `${place}, the hook`);
        assert.ok(decoder.decode(bytes, { stream: true }) === whole, `${place}, streaming`);
        assert.equal(decoder.decode(), `\u{fffd}${rest}`, `${place}, streaming`);
        // The bytes are the last ones of a stream that has begun.
        assert.equal(decoder.decode(bytes.subarray(0, 0), { stream: true }), '');
        assert.ok(decoder.decode(bytes) === expected, `${place}, the last part`);
        assert.throws(() => strict.decode(bytes), { name: 'TypeError', code: 'ERR_ENCODING_INVALID_ENCODED_DATA' }, place);
        assert.ok(strict.decode(bytes, { stream: true }) === whole, place);
        assert.throws(() => strict.decode(), { name: 'TypeError', code: 'ERR_ENCODING_INVALID_ENCODED_DATA' }, place);
        // The next text begins anew.
        assert.ok(strict.decode(bytes.subarray(0, room)) === whole, place);
        const malformed = Uint8Array.from(rest === '' ? tail : tail.slice(0, 1));
        assert.throws(() => textcodec.decodeOrFail(bytes, label), { offset: room, bytes: malformed }, place);
        assert.ok(textcodec.decodeOrFail(bytes.subarray(0, room), label) === whole, place);
      }
    }
  }
});

test('a text in ISO-2022-JP ends in ASCII at every length', () => {
  for (const length of ENDS) {
    const expected = Buffer.from(`\x1b$B${'F|'.repeat(length)}\x1b(B`);
    const text = '日'.repeat(length);
    for (const convert of [textcodec.encode, textcodec.encodeOrFail]) assert.ok(Buffer.compare(convert(text, 'iso-2022-jp'), expected) === 0, `${length}`);
    const percent = textcodec.percentEncodeAfterEncoding('iso-2022-jp', text, 'component');
    assert.ok(percent === `%1B%24B${'F|'.repeat(length).replaceAll('|', '%7C')}%1B(B`, `${length}`);
    assert.ok(textcodec.decode(expected, 'iso-2022-jp') === text);
    // A reference is ASCII, and the text goes on after it.
    const unmappable = textcodec.encode(`${text}☃`, 'iso-2022-jp');
    assert.ok(Buffer.compare(unmappable, Buffer.concat([expected, Buffer.from('&#9731;')])) === 0, `${length}`);
    assert.throws(() => textcodec.encodeOrFail(`${text}☃`, 'iso-2022-jp'), { codePoint: 0x2603, index: length });
    // Results of one byte for each code unit, and of none less.
    const latin = 'é'.repeat(length);
    assert.ok(Buffer.compare(textcodec.encode(latin, 'latin1'), new Uint8Array(length).fill(0xe9)) === 0, `${length}`);
    assert.ok(textcodec.percentEncodeAfterEncoding('latin1', latin, 'query') === '%E9'.repeat(length), `${length}`);
  }
});

test('a result does not depend on the call before', () => {
  const long = `${'aé€'.repeat(3000)}💩`;
  const utf8 = utf8Oracle.encode(long);
  const encoder = new textcodec.TextEncoder();
  const calls = {
    'a short text': [() => textcodec.encode('é', 'koi8-r'), Uint8Array.from(Buffer.from('&#233;'))],
    'a long text': [() => textcodec.encode('é'.repeat(9000), 'latin1'), new Uint8Array(9000).fill(0xe9)],
    'a long text without errors': [() => textcodec.encodeOrFail('é'.repeat(70_000), 'latin1'), new Uint8Array(70_000).fill(0xe9)],
    'UTF-8': [() => encoder.encode(long), Uint8Array.from(utf8)],
    'UTF-8 into a short array': [() => encoder.encodeInto(long, new Uint8Array(6000)), { read: 3000, written: 6000 }],
    'UTF-8 into a long array': [() => encoder.encodeInto(long, new Uint8Array(30_000)), { read: 9002, written: 18_004 }],
    'UTF-8 into shared memory': [() => encoder.encodeInto(long, new Uint8Array(new SharedArrayBuffer(30_000))), { read: 9002, written: 18_004 }],
    'a query': [() => textcodec.percentEncodeAfterEncoding('latin1', 'é'.repeat(2000), 'query'), '%E9'.repeat(2000)],
    'a short query': [() => textcodec.percentEncodeAfterEncoding('koi8-r', 'a b', 'component'), 'a%20b'],
    'a label': [() => textcodec.labelToName('  KOI8-R'), 'KOI8-R'],
    'no label': [() => textcodec.labelToName('x'.repeat(5000)), null],
    'bytes': [() => textcodec.decode(new Uint8Array(5000).fill(0xe4), 'windows-1253'), 'δ'.repeat(5000)],
    'few bytes': [() => new textcodec.TextDecoder('windows-1253').decode(Uint8Array.of(0xe4)), 'δ'],
    'no bytes': [() => new textcodec.TextDecoder('shift_jis').decode(new Uint8Array(0), { stream: true }), ''],
  };
  for (const [before, [first]] of Object.entries(calls)) {
    for (const [name, [call, expected]] of Object.entries(calls)) {
      first();
      assert.deepEqual(call(), expected, `${name} after ${before}`);
    }
  }
});
