// Charsets that the Standard does not have.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CharsetDecoder, CharsetEncoder, charsets, decode, decodeOrFail, encode, encodeOrFail, lookup } from '@textcodec/node/charsets';

const bytesOf = (...bytes) => Uint8Array.from(bytes);

test('a name is looked up in the registries after the Standard', () => {
  const { name, family, labels, canEncode, isSingleByte } = lookup('IBM437');
  assert.deepEqual([name, family, canEncode, isSingleByte, labels.slice(0, 2)], ['cp437', 'dos', true, true, ['cp437', 'ibm437']]);
  assert.deepEqual([lookup('latin1').name, lookup('glibc:latin1').name], ['windows-1252', 'exact-iso-8859-1']);
  assert.equal(lookup('utf-7').canEncode, false);
  const two = 'The charset "CP278" is not supported: two encodings have this name: iana:cp278 and java:cp278';
  assert.throws(() => lookup('CP278'), { name: 'RangeError', code: 'ERR_ENCODING_NOT_SUPPORTED', message: two });
  assert.throws(() => lookup('shift-jiss'), /did you mean shift-jis/);
});

test('every charset of the list can be looked up', () => {
  const all = charsets();
  assert.deepEqual(all[0], { name: 'UTF-8', family: null });
  assert.ok(all.length > 250 && new Set(all.map(({ name }) => name.toLowerCase())).size === all.length);
  for (const { name, family } of all) {
    const found = lookup(name);
    assert.deepEqual([found.name, found.family], [name, family]);
    assert.equal(decode(bytesOf(), name), '');
  }
});

test('text goes both ways', () => {
  assert.equal(decode(bytesOf(0xc8, 0x85, 0x93, 0x93, 0x96), 'cp037'), 'Hello');
  assert.deepEqual(encode('Hello', 'cp037'), bytesOf(0xc8, 0x85, 0x93, 0x93, 0x96));
  // These charsets have no byte order mark.
  assert.equal(decode(encode('\ufeffa', 'utf-32le'), 'utf-32le'), '\ufeffa');
  for (const [charset, text] of [['cp850', 'Größe ½ ▒ '], ['KOI8-T', 'Салом ҷаҳон '], ['utf-32', 'aé☃😀'], ['shift_jis', '日本語 '], ['viscii', 'Tiếng Việt ']]) {
    for (const count of [1, 300, 60_000]) {
      const long = text.repeat(count);
      const bytes = encodeOrFail(long, charset);
      assert.ok(bytes.length >= long.length / 2);
      assert.equal(decodeOrFail(bytes, charset), long, `${charset}, ${count}`);
    }
  }
});

test('errors say where they are', () => {
  assert.equal(decode(bytesOf(0x61, 0xe9), 'exact-ascii'), 'a\ufffd');
  assert.equal(decode(bytesOf(0x61, 0, 0), 'utf-32le'), '\ufffd');
  assert.throws(() => decodeOrFail(bytesOf(0x61, 0, 0, 0, 0x62), 'utf-32le'), { offset: 4, bytes: bytesOf(0x62) });
  assert.throws(() => decodeOrFail(bytesOf(0x61, 0xe9), 'exact-ascii'), {
    name: 'TypeError', code: 'ERR_ENCODING_INVALID_ENCODED_DATA', offset: 1, bytes: bytesOf(0xe9), message: 'The bytes E9 at 1 are malformed in exact-us-ascii',
  });
  assert.deepEqual(encode('a☃', 'cp437'), bytesOf(0x61, ...[...'&#9731;'].map((character) => character.charCodeAt(0))));
  assert.equal(decode(encode('a☃', 'cp037'), 'cp037'), 'a&#9731;');
  assert.throws(() => encodeOrFail('a😀☃', 'cp437'), {
    name: 'TypeError', code: 'ERR_ENCODING_UNMAPPABLE', codePoint: 0x1f600, index: 1, message: 'U+1F600 at 1 cannot be encoded into cp437',
  });
  assert.throws(() => encode('a', 'utf-7'), { name: 'RangeError', message: 'The charset "utf-7" can only be decoded' });
  assert.throws(() => decode('a', 'cp037'), { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' });
  assert.throws(() => decode(bytesOf(1), 'nonsense'), RangeError);
});

test('a stream gives the text of the whole', () => {
  const text = 'Grüße ☃😀 '.repeat(3000);
  for (const charset of ['utf-32le', 'utf-16-bom', 'gb18030']) {
    const encoder = new CharsetEncoder(charset, { fatal: true });
    const pieces = [];
    for (let at = 0; at < text.length; at += 7) pieces.push(...encoder.encode(text.slice(at, at + 7), { stream: true }));
    pieces.push(...encoder.encode());
    assert.deepEqual(Uint8Array.from(pieces), encode(text, charset), charset);
    const decoder = new CharsetDecoder(charset, { fatal: true });
    let decoded = '';
    for (let at = 0; at < pieces.length; at += 5) decoded += decoder.decode(Uint8Array.from(pieces.slice(at, at + 5)), { stream: true });
    assert.equal(decoded + decoder.decode(), text, charset);
    assert.deepEqual([decoder.charset, decoder.fatal, encoder.charset], [lookup(charset).name, true, lookup(charset).name]);
    // The next stream starts anew.
    assert.equal(decoder.decode(encoder.encode('a')), 'a');
  }
});

test('an error ends a fatal stream, and the next call starts another one', () => {
  const decoder = new CharsetDecoder('exact-ascii', { fatal: true });
  assert.equal(decoder.decode(bytesOf(0x61), { stream: true }), 'a');
  assert.throws(() => decoder.decode(bytesOf(0xff), { stream: true }), { offset: 1 });
  assert.throws(() => decoder.decode(bytesOf(0xff), { stream: true }), { offset: 0 });
  const encoder = new CharsetEncoder('cp437', { fatal: true });
  assert.deepEqual(encoder.encode('a', { stream: true }), bytesOf(0x61));
  assert.throws(() => encoder.encode('☃', { stream: true }), { index: 1 });
  assert.throws(() => encoder.encode('☃'), { index: 0 });
  assert.throws(() => new CharsetEncoder('utf-7'), RangeError);
  assert.equal(new CharsetDecoder('cp437').decode(), '');
});

test('a surrogate at the end of a part waits for the next part, and not for the next stream', () => {
  const [high, low] = ['\ud83d', '\ude00'];
  const one = lookup('utf-8').name;
  const encoder = new CharsetEncoder(one);
  const text = (bytes) => decode(bytes, one);
  assert.deepEqual(encoder.encode(high, { stream: true }), bytesOf());
  assert.equal(text(encoder.encode(low, { stream: true })), '😀');
  assert.equal(text(encoder.encode(`a${high}`, { stream: true })), 'a');
  assert.equal(text(encoder.encode('b')), '\ufffdb');
  assert.equal(text(encoder.encode('c')), 'c');
  assert.equal(text(encoder.encode(high)), '\ufffd');
  assert.equal(text(encoder.encode(low)), '\ufffd');
  // A trailing surrogate does not wait.
  assert.equal(text(encoder.encode(low, { stream: true })), '\ufffd');
});

test('the text is converted to a string before the name', () => {
  for (const convert of [encode, encodeOrFail]) {
    const log = [];
    const argument = (name) => ({ toString() { log.push(name); return 'nonsense'; } });
    assert.throws(() => convert(argument('string'), argument('charset')), RangeError);
    assert.deepEqual(log, ['string', 'charset']);
  }
});

test('every kind of memory is decoded', () => {
  const shared = new Uint8Array(new SharedArrayBuffer(5000)).fill(0xc1);
  for (const source of [shared, shared.buffer, new DataView(shared.buffer), Uint8Array.from(shared)]) {
    assert.equal(decode(source, 'cp037'), 'A'.repeat(5000));
    assert.equal(new CharsetDecoder('cp037').decode(source), 'A'.repeat(5000));
  }
});

test('an error ends a fatal stream with the surrogate that waits', () => {
  for (const charset of ['cp437', 'exact-ascii']) {
    const encoder = new CharsetEncoder(charset, { fatal: true });
    assert.throws(() => encoder.encode('a☃\ud83d', { stream: true }), { codePoint: 0x2603, index: 1 });
    assert.deepEqual(encoder.encode('b', { stream: true }), bytesOf(0x62));
    assert.throws(() => encoder.encode('☃\ud83d', { stream: true }), { codePoint: 0x2603, index: 1 });
    assert.deepEqual(encoder.encode(), bytesOf());
  }
});

test('the place of an error counts code units of all parts', () => {
  const encoder = new CharsetEncoder('gb18030', { fatal: true });
  for (const [parts, index] of [[['😀', 'a\ue5e5'], 3], [['😀😀', '\ue5e5'], 4], [['\ud83d', '\ude00\ue5e5'], 2], [['', 'é', '日', '\ue5e5😀'], 2]]) {
    const last = parts.pop();
    for (const part of parts) encoder.encode(part, { stream: true });
    assert.throws(() => encoder.encode(last, { stream: true }), { codePoint: 0xe5e5, index });
    assert.throws(() => encodeOrFail([...parts, last].join(''), 'gb18030'), { codePoint: 0xe5e5, index });
  }
  const decoder = new CharsetDecoder('exact-ascii', { fatal: true });
  for (const length of [0, 1, 1536, 1537, 65_536, 70_000]) {
    assert.equal(decoder.decode(new Uint8Array(length).fill(0x61), { stream: true }).length, length);
    assert.throws(() => decoder.decode(bytesOf(0x61, 0xe9)), { offset: length + 1, bytes: bytesOf(0xe9) });
  }
});

test('the options and the facts are those of the charset', () => {
  for (const fatal of [true, false, undefined]) {
    const [encoder, decoder] = [new CharsetEncoder('IBM037', { fatal }), new CharsetDecoder('IBM037', { fatal })];
    assert.deepEqual([encoder.charset, encoder.fatal, decoder.charset, decoder.fatal], ['cp037', fatal === true, 'cp037', fatal === true]);
  }
  assert.deepEqual([new CharsetEncoder('cp037').fatal, new CharsetDecoder('cp037', null).fatal], [false, false]);
  for (const [name, family, canEncode, isSingleByte] of [
    ['cp037', 'ebcdic', true, true], ['utf-32le', 'unicode', true, false], ['utf-7', 'unicode', false, false], ['shift_jis', null, true, false],
    ['koi8-r', null, true, true], ['replacement', null, false, false],
  ]) {
    const found = lookup(name);
    assert.deepEqual([found.family, found.canEncode, found.isSingleByte], [family, canEncode, isSingleByte], name);
  }
});

test('a text begins with a byte order mark once, also if it is empty', () => {
  const mark = bytesOf(0xff, 0xfe);
  assert.deepEqual(encode('', 'utf-16-bom'), mark);
  const encoder = new CharsetEncoder('utf-16-bom');
  for (const parts of [[], [''], ['', ''], ['a'], ['', 'a'], ['a', 'b']]) {
    const bytes = parts.flatMap((part) => [...encoder.encode(part, { stream: true })]);
    assert.deepEqual(Uint8Array.from([...bytes, ...encoder.encode()]), encode(parts.join(''), 'utf-16-bom'), JSON.stringify(parts));
  }
});

test('every character of ASCII and Latin-1 is itself', () => {
  const text = String.fromCharCode(...Array(256).keys());
  for (const charset of ['cp037', 'utf-32le', 'exact-iso-8859-1', 'utf-8', 'utf-16be']) {
    for (const string of [text, text.repeat(300), ...text]) {
      const bytes = encodeOrFail(string, charset);
      assert.ok(decodeOrFail(bytes, charset) === string && new CharsetDecoder(charset).decode(new CharsetEncoder(charset).encode(string)) === string, charset);
    }
  }
});

// Lengths at which a piece ends: of the native half, and of the package for browsers.
const ENDS = [16, 1536, 4096, 16_384, 65_536].flatMap((length) => [length - 1, length, length + 1]);

test('a text ends in its first state, and the next one begins there, at every length', () => {
  for (const [charset, letter, start, unit, end] of [
    ['iso-2022-jp', '日', [0x1b, 0x24, 0x42], [0x46, 0x7c], [0x1b, 0x28, 0x42]],
    ['glibc:ISO-2022-KR', '가', [0x1b, 0x24, 0x29, 0x43, 0x0e], [0x30, 0x21], [0x0f]],
    ['glibc:IBM939', '日', [0x0e], [0x45, 0x62], [0x0f]],
    // The letter waits for a mark.
    ['glibc:EUC-JISX0213', 'か', [], [0xa4, 0xab], []],
    ['glibc:BIG5-HKSCS', 'Ê', [], [0x88, 0x66], []],
    ['utf-16-bom', 'é', [0xff, 0xfe], [0xe9, 0], []],
    ['cp037', 'A', [], [0xc1], []],
  ]) {
    const [encoder, decoder] = [new CharsetEncoder(charset, { fatal: true }), new CharsetDecoder(charset, { fatal: true })];
    for (const length of ENDS) {
      const place = `${charset}, ${length}`;
      const bytes = Uint8Array.from(Buffer.concat([start, Buffer.alloc(length * unit.length, Buffer.from(unit)), end].map((part) => Buffer.from(part))));
      const text = letter.repeat(length);
      for (const convert of [encode, encodeOrFail, (string) => encoder.encode(string)]) assert.ok(Buffer.compare(convert(text, charset), bytes) === 0, place);
      for (const convert of [decode, decodeOrFail, (array) => decoder.decode(array)]) assert.ok(convert(bytes, charset) === text, place);
      // The end comes alone.
      const pieces = [encoder.encode(text, { stream: true }), encoder.encode('', { stream: true }), encoder.encode()];
      assert.ok(Buffer.compare(Buffer.concat(pieces), bytes) === 0, place);
      assert.ok(decoder.decode(bytes, { stream: true }) + decoder.decode() === text, place);
      if (length < 100) {
        const strings = Array.from(bytes, (byte) => decoder.decode(bytesOf(byte), { stream: true }));
        assert.equal(strings.join('') + decoder.decode(), text, place);
      }
    }
  }
});

test('a sequence that the end cuts off is an error at every length', () => {
  for (const [charset, unit, tail] of [['utf-32le', [0x61, 0, 0, 0], [0x61, 0]], ['gb18030', [0x61], [0x81, 0x30, 0x81]], ['glibc:EUC-JISX0213', [0x61], [0x8f, 0xa1]], ['glibc:IBM939', [0x81], [0x0e, 0x45]], ['utf-8', [0x61], [0xf0, 0x9f]]]) {
    for (const length of ENDS) {
      const count = Math.floor((length - tail.length) / unit.length);
      const room = count * unit.length;
      const bytes = Uint8Array.from(Buffer.concat([Buffer.alloc(room, Buffer.from(unit)), Buffer.from(tail)]));
      const text = 'a'.repeat(count);
      const place = `${charset}, ${length}`;
      const [decoder, strict] = [new CharsetDecoder(charset), new CharsetDecoder(charset, { fatal: true })];
      for (const convert of [decode, (array) => decoder.decode(array), (array) => decoder.decode(array, { stream: true }) + decoder.decode()]) {
        assert.ok(convert(bytes, charset) === `${text}\ufffd`, place);
      }
      for (const convert of [decodeOrFail, (array) => strict.decode(array), (array) => strict.decode(array, { stream: true }) + strict.decode()]) {
        assert.throws(() => convert(bytes, charset), ({ offset, bytes: malformed }) => {
          // A shift before the sequence is no part of it.
          assert.deepEqual([offset + malformed.length, [...malformed]], [bytes.length, tail.slice(-malformed.length)], place);
          return offset >= room;
        });
      }
      assert.ok(strict.decode(bytes.subarray(0, room)) === text, place);
    }
  }
});

test('the first and the last surrogates wait for the next part, and no other code unit does', () => {
  const encoder = new CharsetEncoder('utf-16be');
  for (const high of ['\ud800', '\ud83d', '\udbff']) {
    for (const low of ['\udc00', '\udfff']) {
      assert.deepEqual([...encoder.encode(`a${high}`, { stream: true })], [0, 0x61], 'the surrogate waits');
      assert.deepEqual(encoder.encode(low), encode(high + low, 'utf-16be'));
    }
  }
  for (const other of ['\ud7ff', '\udc00', '\ue000', '\uffff']) {
    assert.equal(encoder.encode(other, { stream: true }).length, 2);
    assert.equal(encoder.encode().length, 0);
  }
});

test('a message says which argument is wrong', () => {
  const [encoder, decoder] = [new CharsetEncoder('cp037'), new CharsetDecoder('cp037')];
  for (const [call, name] of [[() => decode('a', 'cp037'), 'bytes'], [() => decodeOrFail(3, 'cp037'), 'bytes'], [() => decoder.decode('a'), 'input'], [() => decoder.decode(null, {}), 'input']]) {
    assert.throws(call, { name: 'TypeError', message: `The ${name} must be an ArrayBuffer, a SharedArrayBuffer or a view of one` });
  }
  for (const call of [() => new CharsetEncoder('cp037', 1), () => new CharsetDecoder('cp037', 'fatal'), () => encoder.encode('a', true), () => decoder.decode(bytesOf(), 1)]) {
    assert.throws(call, { name: 'TypeError', message: 'The options must be an object, null or undefined' });
  }
});

test('a message has the name of the charset, and not the label of the caller', () => {
  for (const label of ['IBM437', 'cp437', ' CP437 ', 'glibc:ibm437']) {
    const { name } = lookup(label);
    for (const call of [() => encodeOrFail('☃', label), () => new CharsetEncoder(label, { fatal: true }).encode('☃')]) {
      assert.throws(call, { message: `U+2603 at 0 cannot be encoded into ${name}` });
    }
  }
  for (const label of ['exact-ascii', 'exact-us-ascii', 'glibc:ascii']) {
    for (const call of [() => decodeOrFail(bytesOf(0xff), label), () => new CharsetDecoder(label, { fatal: true }).decode(bytesOf(0xff))]) {
      assert.throws(call, { message: `The bytes FF at 0 are malformed in ${lookup(label).name}` });
    }
  }
});

test('bytes and code points are written with two and four digits at least', () => {
  for (const [bytes, charset, message] of [
    [[0x61, 0, 0, 0, 1, 0, 0x11, 0], 'utf-32le', 'The bytes 01 00 11 00 at 4'], [[0x0f, 0xd8, 0, 0], 'utf-32le', 'The bytes 0F D8 00 00 at 0'], [[0x0e, 0x45], 'glibc:IBM939', 'The bytes 45 at 1'], [[0xd8], 'utf-16be', 'The bytes D8 at 0'],
  ]) {
    assert.throws(() => decodeOrFail(Uint8Array.from(bytes), charset), { message: `${message} are malformed in ${lookup(charset).name}` });
  }
  for (const [text, code] of [['\x80', '0080'], ['Ā', '0100'], ['\u{1f600}', '1F600'], ['\u{10ffff}', '10FFFF']]) {
    assert.throws(() => encodeOrFail(`a${text}`, 'exact-us-ascii'), { message: `U+${code} at 1 cannot be encoded into exact-us-ascii` });
  }
});
