// https://encoding.spec.whatwg.org/#legacy-hooks and https://url.spec.whatwg.org/#string-percent-encode-after-encoding
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bomSniff, decode, decodeOrFail, encode, encodeOrFail, labelToName, percentEncodeAfterEncoding } from '@textcodec/node';

const bytes = (...values) => Uint8Array.from(values);
const latin1 = (array) => Buffer.from(array).toString('latin1');

test('decode: a byte order mark takes precedence over the label and is removed', () => {
  assert.equal(decode(bytes(0x83, 0x65), 'shift_jis'), 'テ');
  assert.equal(decode(bytes(0xef, 0xbb, 0xbf, 0xc3, 0xa9), 'shift_jis'), 'é');
  assert.equal(decode(bytes(0xff, 0xfe, 0xe9, 0), 'shift_jis'), 'é');
  assert.equal(decode(bytes(0xfe, 0xff, 0, 0xe9), 'shift_jis'), 'é');
  assert.equal(decode(bytes(0xc3, 0xa9)), 'é');
  assert.equal(decode(bytes(0xff)), '\u{fffd}');
  assert.equal(decode(bytes(0x61, 0x62), 'iso-2022-kr'), '\u{fffd}', 'replacement');
  assert.equal(decode(new ArrayBuffer(0), 'replacement'), '');
  assert.equal(decode(new Uint8Array(new SharedArrayBuffer(2)), 'gbk'), '\0\0');
  assert.throws(() => decode(bytes(), 'nothing'), RangeError);
  assert.throws(() => decode('a'), TypeError);
  assert.throws(() => decode(), TypeError);
});

test('encode: an unmappable character becomes a character reference', () => {
  assert.equal(latin1(encode('テ☃', 'shift_jis')), '\x83\x65&#9731;');
  assert.equal(latin1(encode('é')), '\xc3\xa9');
  assert.equal(latin1(encode('é', 'utf-16le')), '\xc3\xa9', 'the output encoding');
  assert.equal(latin1(encode('é', 'replacement')), '\xc3\xa9');
  assert.equal(latin1(encode('\u{d800}', 'big5')), '&#65533;');
  assert.equal(latin1(encode('あ', 'iso-2022-jp')), '\x1b$B$"\x1b(B');
  assert.equal(latin1(encode('\u{e5e5}', 'gb18030')), '&#58853;');
  assert.equal(encode('☃'.repeat(50_000), 'big5').length, 350_000);
  assert.ok(encode('a') instanceof Uint8Array);
  assert.throws(() => encode('a', 'nothing'), RangeError);
});

test('encodeOrFail: an unmappable character is an error with its code point and index', () => {
  assert.equal(latin1(encodeOrFail('テ', 'shift_jis')), '\x83\x65');
  assert.throws(() => encodeOrFail('💩テ☃', 'shift_jis'), { name: 'TypeError', codePoint: 0x1f4a9, index: 0 });
  assert.throws(() => encodeOrFail('テ☃', 'shift_jis'), {
    code: 'ERR_ENCODING_UNMAPPABLE', codePoint: 0x2603, index: 1, message: 'U+2603 at 1 cannot be encoded into Shift_JIS',
  });
  assert.throws(() => encodeOrFail('\x1b', 'iso-2022-jp'), { codePoint: 0xfffd, index: 0 });
  assert.equal(latin1(encodeOrFail('\u{d800}')), '\xef\xbf\xbd');
});

test('arguments are converted in their order, and a label is looked up after that', () => {
  const log = [];
  const argument = (name, value) => ({ toString() { log.push(name); return value; } });
  for (const [call, names] of [
    [() => encode(argument('string', 'a'), argument('label', 'nothing')), ['string', 'label']],
    [() => encodeOrFail(argument('string', 'a'), argument('label', 'nothing')), ['string', 'label']],
    [() => percentEncodeAfterEncoding(argument('label', 'nothing'), argument('string', 'a'), 'query'), ['label', 'string']],
  ]) {
    log.length = 0;
    assert.throws(call, { name: 'RangeError', message: 'The "nothing" encoding is not supported' });
    assert.deepEqual(log, names);
  }
});

test('a surrogate pair can be at any place of a long string', () => {
  // The package for browsers encodes 16,384 code units at once.
  for (const before of [1023, 4095, 8191, 16_382, 16_383, 16_384, 32_767, 65_535]) {
    const string = `${'a'.repeat(before)}💩☃`;
    assert.equal(latin1(encode(string, 'shift_jis')), `${'a'.repeat(before)}&#128169;&#9731;`);
    assert.equal(decode(encodeOrFail(string, 'gb18030'), 'gb18030'), string);
    assert.equal(percentEncodeAfterEncoding('koi8-r', string, 'query'), `${'a'.repeat(before)}%26%23128169%3B%26%239731%3B`);
    assert.throws(() => encodeOrFail(string, 'shift_jis'), { codePoint: 0x1f4a9, index: before });
    assert.throws(() => encodeOrFail(string, 'gbk'), { codePoint: 0x1f4a9, index: before });
  }
});

test('bomSniff', () => {
  assert.equal(bomSniff(bytes(0xef, 0xbb, 0xbf)), 'UTF-8');
  assert.equal(bomSniff(bytes(0xfe, 0xff, 0)), 'UTF-16BE');
  assert.equal(bomSniff(bytes(0xff, 0xfe, 0, 0).buffer), 'UTF-16LE');
  for (const source of [bytes(), bytes(0xef, 0xbb), bytes(0xff), bytes(0, 0xfe, 0xff)]) assert.equal(bomSniff(source), null);
  const shared = new Uint8Array(new SharedArrayBuffer(2));
  shared.set([0xff, 0xfe]);
  assert.equal(bomSniff(shared), 'UTF-16LE');
});

test('labelToName', () => {
  assert.equal(labelToName(' SJIS '), 'Shift_JIS');
  assert.equal(labelToName('latin1'), 'windows-1252');
  assert.equal(labelToName('iso-2022-kr'), 'replacement');
  assert.equal(labelToName('latin-1'), null);
});

test('percentEncodeAfterEncoding returns the examples of the URL Standard and follows its sets', () => {
  const userinfo = 'userinfo';
  assert.equal(percentEncodeAfterEncoding('Shift_JIS', ' ', userinfo), '%20');
  assert.equal(percentEncodeAfterEncoding('Shift_JIS', '≡', userinfo), '%81%DF');
  assert.equal(percentEncodeAfterEncoding('Shift_JIS', '‽', userinfo), '%26%238253%3B');
  assert.equal(percentEncodeAfterEncoding('ISO-2022-JP', '¥', userinfo), '%1B(J\\%1B(B'.replace('\\', '%5C'));
  assert.equal(percentEncodeAfterEncoding('Shift_JIS', '1+1 ≡ 2%20‽', userinfo, true), '1+1+%81%DF+2%20%26%238253%3B');
  assert.equal(percentEncodeAfterEncoding('utf-16', '≡', userinfo), '%E2%89%A1', 'the output encoding');
  const all = String.fromCharCode(...Array(128).keys());
  // The URL parser encodes each part of a URL with the set of that part.
  for (const [set, part] of [
    // Chromium encodes an apostrophe here, which the Standard does for special URLs only.
    ['query', (c) => (c.includes("'") ? c : new URL(`a://b/?${c}`).search.slice(1))],
    ['special-query', (c) => new URL(`http://b/?${c}`).search.slice(1)],
    ['fragment', (c) => new URL(`http://b/#${c}`).hash.slice(1)],
  ]) {
    for (const character of all) {
      const encoded = part(`x${character}x`);
      // The URL parser removes tab, newline and return, and # ends a query.
      if (['\t', '\n', '\r', ...(set === 'fragment' ? [] : ['#'])].includes(character)) continue;
      assert.equal(percentEncodeAfterEncoding('utf-8', `x${character}x`, set), encoded, JSON.stringify(character));
    }
  }
  const form = percentEncodeAfterEncoding('utf-8', all, 'application/x-www-form-urlencoded', true);
  assert.equal(form, new URLSearchParams({ '': all }).toString().slice(1));
  assert.equal(percentEncodeAfterEncoding('utf-8', all, 'component'), encodeURIComponent(all));
});

test('every unmappable character costs the same, however long the rest of the string is', () => {
  // One vector as long as the rest for each unmappable character would take 7 µs each: 0.4 s in all.
  // Where it can be had, the time of the processor counts: other programs make the time of the clock longer.
  const now = () => {
    const used = globalThis.process?.cpuUsage?.();
    return used === undefined ? performance.now() : (used.user + used.system) / 1000;
  };
  const rest = 'a'.repeat(34_000_000);
  const time = (unmappable) => {
    const string = '☃'.repeat(unmappable) + rest;
    const start = now();
    const encoded = percentEncodeAfterEncoding('windows-1251', string, 'query');
    const milliseconds = now() - start;
    assert.equal(encoded.length, unmappable * '%26%239731%3B'.length + rest.length);
    return milliseconds;
  };
  const without = Math.min(time(0), time(0));
  assert.ok(time(60_000) - without < 400);
  const code = (codePoint) => percentEncodeAfterEncoding('windows-1252', String.fromCodePoint(codePoint), 'query');
  for (const codePoint of [0x100, 0x3e8, 0x270f, 0x2710, 0xffff, 0x10000, 0x1869f, 0x186a0, 0xf423f, 0xf4240, 0x10ffff]) {
    assert.equal(code(codePoint), `%26%23${codePoint}%3B`);
  }
});

test('a result of percentEncodeAfterEncoding can be as long as a piece of the encoder, or longer', () => {
  for (const length of [1022, 1023, 1024, 1025, 2048, 5000]) {
    for (const text of ['日', 'a日', '日¥', 'a']) {
      const string = text.repeat(Math.ceil(length / text.length)).slice(0, length);
      for (const label of ['iso-2022-jp', 'shift_jis', 'utf-8']) {
        const expected = Array.from(encode(string, label), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
        assert.equal(percentEncodeAfterEncoding(label, string, () => true), expected);
      }
    }
  }
});

test('a percent-encode set can be a name, a function or characters', () => {
  assert.equal(percentEncodeAfterEncoding('utf-8', 'abc é', 'C0 control percent-encode set'), 'abc %C3%A9');
  assert.equal(percentEncodeAfterEncoding('utf-8', 'abc é', (codePoint) => codePoint === 0x62), 'a%62c %C3%A9');
  assert.equal(percentEncodeAfterEncoding('utf-8', 'abc é', new Set(['c', ' '])), 'ab%63%20%C3%A9');
  assert.equal(percentEncodeAfterEncoding('utf-8', 'abc', [0x61]), '%61bc');
  assert.equal(percentEncodeAfterEncoding('utf-8', 'a\0\x7fé', [0, '\x7f']), 'a%00%7F%C3%A9');
  assert.throws(() => percentEncodeAfterEncoding('nothing', 'a', 'query'), RangeError);
});

test('a value that is no percent-encode set is an error', () => {
  for (const [name, code, sets] of [
    ['TypeError', 'ERR_INVALID_ARG_TYPE', [undefined, null, 1, {}, [undefined], [null], [{}], [['a']], [true], [1n], new Map([['a', 1]])]],
    ['TypeError', 'ERR_INVALID_ARG_VALUE', ['nothing', '', '__proto__', 'constructor', [''], ['ab'], ['a', 'ab'], ['💩💩'], ['\uffffa'], ['\u{10000}a'], new Set([''])]],
    ['RangeError', 'ERR_OUT_OF_RANGE', [[-1], [1.5], [200], [0x80], [NaN], [Infinity], ['\x80'], ['é'], ['💩'], ['\u{d800}'], [-0.5]]],
  ]) {
    for (const set of sets) {
      const what = () => percentEncodeAfterEncoding('utf-8', 'a', set);
      assert.throws(what, { name, code }, JSON.stringify(set, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)));
    }
  }
});

test('decodeOrFail: malformed bytes are an error with the bytes and their offset', () => {
  assert.equal(decodeOrFail(bytes(0x83, 0x65), 'shift_jis'), 'テ');
  assert.equal(decodeOrFail(bytes(0xef, 0xbb, 0xbf, 0xc3, 0xa9), 'shift_jis'), 'é');
  assert.equal(decodeOrFail(bytes()), '');
  assert.equal(decodeOrFail(bytes(), 'replacement'), '');
  const code = 'ERR_ENCODING_INVALID_ENCODED_DATA';
  const mark = [0xef, 0xbb, 0xbf];
  for (const [label, source, offset, malformed, name] of [
    ['shift_jis', [0x61, 0x62, 0x63, 0x82, 0xff, 0x64], 3, [0x82, 0xff], 'Shift_JIS'],
    ['utf-8', [0x61, 0xff], 1, [0xff], 'UTF-8'],
    ['utf-8', [0xf0, 0x9f, 0x92], 0, [0xf0, 0x9f, 0x92], 'UTF-8'],
    ['big5', [...mark, 0xe2, 0x82], 3, [0xe2, 0x82], 'UTF-8'],
    ['koi8-r', [0xff, 0xfe, 0, 0xdc, 0x61], 2, [0, 0xdc], 'UTF-16LE'],
    ['gb18030', [0x81, 0x30, 0x81], 0, [0x81, 0x30, 0x81], 'gb18030'],
    ['gb18030', [0x61, 0x84, 0x31, 0xa5, 0x30], 1, [0x84, 0x31, 0xa5, 0x30], 'gb18030'],
    ['replacement', [0x61, 0x62], 0, [0x61], 'replacement'],
    ['iso-2022-jp', [0x1b, 0x28, 0x4a, 0x5c, 0x0e], 4, [0x0e], 'ISO-2022-JP'],
    ['windows-1253', [...Array(300_000).fill(0xe4), 0xff], 300_000, [0xff], 'windows-1253'],
    ['windows-1253', [...Array(9000).fill(0xe4), 0xff, 0xff], 9000, [0xff], 'windows-1253'],
  ]) {
    for (const Buffer of [ArrayBuffer, SharedArrayBuffer]) {
      const array = new Uint8Array(new Buffer(source.length));
      array.set(source);
      assert.throws(() => decodeOrFail(array, label), (error) => {
        assert.ok(error instanceof TypeError);
        assert.deepEqual([error.offset, error.bytes, error.code], [offset, bytes(...malformed), code]);
        const hex = malformed.map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ');
        assert.equal(error.message, `The bytes ${hex} at ${offset} are malformed in ${name}`);
        return true;
      });
    }
  }
  // The message does not depend on a property that a program can replace.
  const { prototype } = Object.getPrototypeOf(Uint8Array);
  const length = Object.getOwnPropertyDescriptor(prototype, 'length');
  let message;
  try {
    Object.defineProperty(prototype, 'length', { configurable: true, value: 0 });
    decodeOrFail(bytes(0x82, 0xff), 'shift_jis');
  } catch (error) {
    ({ message } = error);
  } finally {
    Object.defineProperty(prototype, 'length', length);
  }
  assert.equal(message, 'The bytes 82 FF at 0 are malformed in Shift_JIS');
  assert.throws(() => decodeOrFail(bytes(), 'nothing'), RangeError);
  assert.throws(() => decodeOrFail('a'), TypeError);
});

test('the index of an unmappable character counts code units, at any length', () => {
  const [label, unmappable] = ['gb18030', '\ue5e5'];
  for (const text of ['💩', '中a', 'a💩é']) {
    for (const count of [0, 1, 2, 5461, 8191, 8192, 8193, 16_384, 30_000]) {
      const string = text.repeat(count) + unmappable + text;
      const error = { codePoint: unmappable.codePointAt(0), index: text.length * count };
      assert.throws(() => encodeOrFail(string, label), error, `${label}, ${count}`);
    }
  }
});

test('every set of the URL Standard has exactly its characters', () => {
  const ascii = String.fromCharCode(...Array(128).keys());
  const controls = `${ascii.slice(0, 32)}\x7f`;
  for (const [name, characters] of Object.entries({
    'C0 control': '',
    fragment: ' "<>`',
    query: ' "#<>',
    'special-query': ' "#<>\'',
    path: ' "#<>?^`{}',
    userinfo: ' "#<>?^`{}/:;=@[\\]|',
    component: ' "#<>?^`{}/:;=@[\\]|$%&+,',
    'application/x-www-form-urlencoded': ' "#<>?^`{}/:;=@[\\]|$%&+,!\'()~',
  })) {
    for (const set of [name, `${name} percent-encode set`]) {
      for (const character of ascii) {
        const isInSet = controls.includes(character) || characters.includes(character);
        const encoded = `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
        assert.equal(percentEncodeAfterEncoding('utf-8', character, set), isInSet ? encoded : character, `${set}: ${encoded}`);
        const withPlus = percentEncodeAfterEncoding('utf-8', character, set, true);
        assert.equal(withPlus, character === ' ' ? '+' : isInSet ? encoded : character, `${set}: ${encoded}`);
      }
    }
  }
});

test('spaceAsPlus is converted to a boolean', () => {
  const encoded = (value) => percentEncodeAfterEncoding('utf-8', 'a b', 'query', value);
  for (const value of [1, 'false', {}, [], -1n, Symbol.iterator]) assert.equal(encoded(value), 'a+b', String(value));
  for (const value of [0, '', null, undefined, NaN, 0n]) assert.equal(encoded(value), 'a%20b', String(value));
});

test('a message says which argument is wrong', () => {
  for (const call of [decode, decodeOrFail, bomSniff]) {
    for (const value of ['a', undefined, null, 3, {}]) {
      assert.throws(() => call(value), { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE', message: 'The bytes must be an ArrayBuffer, a SharedArrayBuffer or a view of one' });
    }
  }
  for (const call of [() => decode(bytes(), 'x'), () => decodeOrFail(bytes(), 'x'), () => encode('', 'x'), () => encodeOrFail('', 'x'), () => percentEncodeAfterEncoding('x', '', 'query')]) {
    assert.throws(call, { name: 'RangeError', code: 'ERR_ENCODING_NOT_SUPPORTED', message: 'The "x" encoding is not supported' });
  }
  for (const [set, name, code, message] of [
    ['x', 'TypeError', 'ERR_INVALID_ARG_VALUE', 'There is no percent-encode set "x"'],
    [['ab'], 'TypeError', 'ERR_INVALID_ARG_VALUE', '"ab" in the percentEncodeSet is not one character'],
    [3, 'TypeError', 'ERR_INVALID_ARG_TYPE', 'The percentEncodeSet must be a name, a function or an iterable of characters'],
    [[{}], 'TypeError', 'ERR_INVALID_ARG_TYPE', 'The items of the percentEncodeSet must be characters or code points'],
    [[128], 'RangeError', 'ERR_OUT_OF_RANGE', '128 in the percentEncodeSet is not ASCII'],
    [['é'], 'RangeError', 'ERR_OUT_OF_RANGE', 'é in the percentEncodeSet is not ASCII'],
  ]) {
    assert.throws(() => percentEncodeAfterEncoding('utf-8', 'a', set), { name, code, message });
  }
});

test('the members of an error can be listed', () => {
  const members = (call) => {
    try {
      call();
    } catch (error) {
      return Object.keys(error);
    }
  };
  for (const call of [() => decode('a'), () => decode(bytes(), 'x'), () => percentEncodeAfterEncoding('utf-8', 'a', 'x')]) {
    assert.deepEqual(members(call), ['code']);
  }
  assert.deepEqual(members(() => decodeOrFail(bytes(0xff))), ['offset', 'bytes', 'code']);
  assert.deepEqual(members(() => encodeOrFail('☃', 'koi8-r')), ['codePoint', 'index', 'code']);
});
