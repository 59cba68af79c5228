// https://encoding.spec.whatwg.org/#interface-textdecoder
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { TextDecoder, TextDecoderStream, TextEncoder, install } from '@textcodec/node';

const bytes = (...values) => Uint8Array.from(values);
const detach = (buffer) => structuredClone(buffer, { transfer: [buffer] });
const stream = { stream: true };

test('the defaults', () => {
  const decoder = new TextDecoder();
  assert.deepEqual([decoder.encoding, decoder.fatal, decoder.ignoreBOM], ['utf-8', false, false]);
  assert.equal(decoder.decode(), '');
  assert.equal(decoder.decode(undefined), '');
});

test('every kind of buffer source', () => {
  for (const Buffer of [ArrayBuffer, SharedArrayBuffer]) {
    for (const length of [8, 8192]) {
      const buffer = new Buffer(length);
      new Uint8Array(buffer).fill(0x61);
      new Uint8Array(buffer).set([0xe2, 0x82, 0xac], 1);
      const expected = `a€${'a'.repeat(length - 4)}`;
      const decoder = new TextDecoder();
      assert.equal(decoder.decode(buffer), expected);
      const views = [
        DataView, Uint8Array, Uint8ClampedArray, Int8Array, Uint16Array, Int16Array, Uint32Array, Int32Array,
        Float32Array, Float64Array, BigInt64Array, BigUint64Array, globalThis.Float16Array ?? Uint8Array,
      ];
      for (const View of views) assert.equal(decoder.decode(new View(buffer)), expected, View.name);
      assert.equal(decoder.decode(new Uint8Array(buffer, 1, 4)), '€a');
      assert.equal(decoder.decode(new DataView(buffer, 4, 2)), 'aa');
      assert.equal(decoder.decode(new Uint16Array(buffer, 4, 2)), 'aaaa');
      assert.equal(decoder.decode(new Uint8Array(buffer, 2)), `\u{fffd}\u{fffd}${'a'.repeat(length - 4)}`);
    }
  }
  assert.equal(new TextDecoder().decode(Buffer.from('é')), 'é');
  const memory = new WebAssembly.Memory({ initial: 1 });
  assert.equal(new TextDecoder().decode(new Uint8Array(memory.buffer, 0, 2)), '\0\0');
});

test('a detached buffer has no bytes', () => {
  for (const length of [1, 100, 8192]) {
    for (const view of [(b) => b, (b) => new Uint8Array(b), (b) => new DataView(b), (b) => new Int8Array(b)]) {
      const buffer = new ArrayBuffer(length);
      const source = view(buffer);
      detach(buffer);
      assert.equal(new TextDecoder().decode(source), '');
      const decoder = new TextDecoder('utf-8', { fatal: true });
      decoder.decode(bytes(0xc3), stream);
      assert.equal(decoder.decode(source, stream), '');
      assert.equal(decoder.decode(bytes(0xa9)), 'é');
    }
  }
});

test('near the end of the stack the bytes are decoded or an error is thrown, and never lost', () => {
  const script = `
    const { TextDecoder, bomSniff, decode } = require('@textcodec/node');
    const mark = Uint8Array.of(0xef, 0xbb, 0xbf, 0x61).buffer;
    const decoder = new TextDecoder();
    const wrong = new Set();
    const calls = {
      decode: () => decoder.decode(mark) === 'a',
      view: () => decoder.decode(new DataView(mark)) === 'a',
      hook: () => decode(mark) === 'a',
      bomSniff: () => bomSniff(mark) === 'UTF-8',
    };
    for (const [name, call] of Object.entries(calls)) {
      // Frames of every size make the stack end at every place of the call.
      const down = (...padding) => {
        try {
          down(...padding);
        } catch {}
        try {
          if (!call()) wrong.add(name);
        } catch {}
      };
      for (let size = 0; size < 40; size++) down(...Array(size).fill(0));
    }
    console.log([...wrong].join() || 'none');
  `;
  const options = { cwd: new URL('..', import.meta.url), encoding: 'utf8' };
  const { stdout, stderr } = spawnSync(process.execPath, ['--stack-size=100', '-e', script], options);
  assert.equal(stdout.trim(), 'none', stderr);
});

test('resizable and growable buffers', () => {
  for (const length of [4, 8192]) {
    const resizable = new ArrayBuffer(length, { maxByteLength: 2 * length });
    const all = new Uint8Array(resizable);
    const rest = new Uint8Array(resizable, 2);
    const fixed = new Uint8Array(resizable, 2, length - 2);
    const view = new DataView(resizable, 2);
    const fixedView = new DataView(resizable, 2, length - 2);
    const decoder = new TextDecoder();
    all.fill(0x61);
    for (const [source, expected] of [[resizable, length], [all, length], [rest, length - 2], [fixed, length - 2], [view, length - 2]]) {
      assert.equal(decoder.decode(source), 'a'.repeat(expected));
    }
    resizable.resize(2 * length);
    all.fill(0x62);
    for (const [source, expected] of [[resizable, 2 * length], [all, 2 * length], [rest, 2 * length - 2], [fixed, length - 2], [view, 2 * length - 2]]) {
      assert.equal(decoder.decode(source), 'b'.repeat(expected));
    }
    resizable.resize(3);
    for (const [source, expected] of [[resizable, 3], [all, 3], [rest, 1], [view, 1]]) {
      assert.equal(decoder.decode(source), 'b'.repeat(expected));
    }
    for (const source of [fixed, fixedView]) assert.equal(decoder.decode(source), '', 'out of bounds');
    resizable.resize(1);
    for (const source of [rest, view, fixed]) assert.equal(decoder.decode(source), '', 'out of bounds');
  }
  if (typeof SharedArrayBuffer.prototype.grow === 'function') {
    const growable = new SharedArrayBuffer(2, { maxByteLength: 8192 });
    const all = new Uint8Array(growable).fill(0x61);
    assert.equal(new TextDecoder().decode(all), 'aa');
    growable.grow(8192);
    assert.equal(new TextDecoder().decode(all), `aa${'\0'.repeat(8190)}`);
  }
});

test('properties of an array do not matter', () => {
  const source = bytes(0x61, 0x62);
  for (const key of ['length', 'byteLength', 'byteOffset', 'buffer', Symbol.toStringTag, 'constructor']) {
    Object.defineProperty(source, key, { get() { throw new Error(key); } });
  }
  assert.equal(new TextDecoder().decode(source), 'ab');
  assert.throws(() => new TextDecoder().decode(Object.create(Uint8Array.prototype)), TypeError);
});

test('the input is copied', () => {
  const decoder = new TextDecoder();
  const source = bytes(0xe2, 0x82);
  assert.equal(decoder.decode(source, stream), '');
  source.fill(0x61);
  assert.equal(decoder.decode(bytes(0xac)), '€');
  const large = new Uint8Array(100_000).fill(0x61);
  const text = decoder.decode(large);
  large.fill(0x62);
  assert.equal(text, 'a'.repeat(100_000));
});

test('a byte order mark of the same encoding is removed once, at the start', () => {
  for (const [label, source, expected] of [
    ['utf-8', bytes(0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf, 0x61), '\u{feff}a'],
    ['utf-8', bytes(0x61, 0xef, 0xbb, 0xbf), 'a\u{feff}'],
    ['utf-16be', bytes(0xfe, 0xff, 0, 0x61), 'a'],
    ['utf-16le', bytes(0xff, 0xfe, 0x61, 0), 'a'],
    ['utf-16le', bytes(0xfe, 0xff), '\u{fffe}'],
    ['gb18030', bytes(0x84, 0x31, 0x95, 0x33), '\u{feff}'],
  ]) {
    assert.equal(new TextDecoder(label).decode(source), expected);
    const kept = new TextDecoder(label, { ignoreBOM: true }).decode(source);
    assert.equal(kept, ['utf-8', 'utf-16be'].includes(label) && source[0] !== 0x61 || source[0] === 0xff ? `\u{feff}${expected}` : expected);
  }
});

test('BOM seen belongs to a stream', () => {
  const decoder = new TextDecoder();
  assert.equal(decoder.decode(bytes(0xef), stream), '');
  assert.equal(decoder.decode(bytes(0xbb, 0xbf), stream), '');
  assert.equal(decoder.decode(bytes(0xef, 0xbb, 0xbf), stream), '\u{feff}');
  assert.equal(decoder.decode(), '');
  assert.equal(decoder.decode(bytes(0xef, 0xbb, 0xbf, 0x61)), 'a');
});

test('the flag of the previous call decides', () => {
  const decoder = new TextDecoder();
  assert.equal(decoder.decode(bytes(0xe2, 0x82), stream), '');
  assert.equal(decoder.decode(bytes(0xac)), '€');
  assert.equal(decoder.decode(bytes(0xe2, 0x82)), '\u{fffd}');
  assert.equal(decoder.decode(bytes(0xac), stream), '\u{fffd}');
  assert.equal(decoder.decode(bytes(0xe2), stream), '');
  assert.equal(decoder.decode(), '\u{fffd}');
  assert.equal(decoder.decode(), '');
});

test('after an error in a stream unread bytes are lost and the state is kept', () => {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  assert.throws(() => utf8.decode(bytes(0xfd, 0xef), stream), TypeError);
  assert.equal(utf8.decode(), '');
  assert.throws(() => utf8.decode(bytes(0x61, 0xff), stream), TypeError);
  assert.equal(utf8.decode(bytes(0xef, 0xbb, 0xbf, 0x61)), 'a', 'nothing was output, so this is a byte order mark');
  const gb18030 = new TextDecoder('gb18030', { fatal: true });
  assert.equal(gb18030.decode(bytes(0x81, 0x30, 0x81), stream), '');
  assert.throws(() => gb18030.decode(bytes(0x61), stream), TypeError);
  assert.equal(gb18030.decode(bytes(0x62)), 'b');
  const japanese = new TextDecoder('iso-2022-jp', { fatal: true });
  assert.throws(() => japanese.decode(bytes(0x1b, 0x28, 0x4a, 0xff, 0x5c), stream), TypeError);
  assert.equal(japanese.decode(bytes(0x5c)), '¥');
  assert.equal(japanese.decode(bytes(0x5c)), '\\');
});

test('after an error outside of a stream the next call starts a new stream', () => {
  const decoder = new TextDecoder('iso-2022-jp', { fatal: true });
  assert.throws(() => decoder.decode(bytes(0x1b, 0x28, 0x4a, 0xff)), TypeError);
  assert.equal(decoder.decode(bytes(0x5c)), '\\');
  const utf16 = new TextDecoder('utf-16le', { fatal: true });
  assert.equal(utf16.decode(bytes(0), stream), '');
  assert.throws(() => utf16.decode(), TypeError);
  assert.equal(utf16.decode(), '');
});

test('cases that Node.js decodes incorrectly', () => {
  for (const [label, source, expected] of [
    ['windows-1252', bytes(0x80, 0x81, 0x9f), '€\u{81}Ÿ'],
    ['iso-8859-16', bytes(0xa4, 0xaa), '€Ș'],
    ['x-user-defined', bytes(0x61, 0x80, 0xff), 'a\u{f780}\u{f7ff}'],
    ['gbk', bytes(0x80, 0xa2, 0xe3), '€€'],
    ['gb18030', bytes(0xa6, 0xd9, 0x84, 0x31, 0x82, 0x36), '\u{fe10}\u{fe10}'],
    ['big5', bytes(0x88, 0x62, 0x87, 0x40), '\u{ca}\u{304}\u{43f0}'],
    ['euc-kr', bytes(0x81, 0x41, 0xc9), '갂\u{fffd}'],
    ['shift_jis', bytes(0x80, 0xf0, 0x40), '\u{80}\u{e000}'],
    ['koi8-u', bytes(0xae, 0xbe), 'ўЎ'],
  ]) {
    assert.equal(new TextDecoder(label).decode(source), expected, label);
  }
});

test('a message says which argument is wrong', () => {
  const code = 'ERR_INVALID_ARG_TYPE';
  const source = 'must be an ArrayBuffer, a SharedArrayBuffer or a view of one';
  for (const [call, error] of [
    [() => new TextDecoder().decode('a'), { name: 'TypeError', code, message: `The input ${source}` }],
    [() => new TextDecoder().decode(null, stream), { name: 'TypeError', code, message: `The input ${source}` }],
    [() => new TextDecoder().decode(bytes(), 1), { name: 'TypeError', code, message: 'The options must be an object, null or undefined' }],
    [() => new TextEncoder().encodeInto('a', 'a'), { name: 'TypeError', code, message: 'The destination must be a Uint8Array' }],
    [() => new TextEncoder().encodeInto('a'), { name: 'TypeError', code: 'ERR_MISSING_ARGS', message: 'encodeInto needs a source and a destination' }],
    [() => install(3), { name: 'TypeError', code, message: 'The target must be an object' }],
    [() => TextDecoder.prototype.decode.call({}), { name: 'TypeError', code: 'ERR_INVALID_THIS', message: 'Illegal invocation' }],
  ]) {
    assert.throws(call, error);
  }
  for (const Class of [TextDecoder, TextDecoderStream]) {
    assert.throws(() => new Class('utf-8', 'fatal'), { name: 'TypeError', code, message: 'The options must be an object, null or undefined' });
    for (const label of ['x', 'replacement', 'ISO-2022-KR']) {
      assert.throws(() => new Class(label), { name: 'RangeError', code: 'ERR_ENCODING_NOT_SUPPORTED', message: `The "${label}" encoding is not supported` });
    }
    for (const [label, name] of [['SJIS', 'shift_jis'], ['utf-16', 'utf-16le'], ['utf8', 'utf-8']]) {
      const fatal = { name: 'TypeError', code: 'ERR_ENCODING_INVALID_ENCODED_DATA', message: `The encoded data was not valid for encoding ${name}` };
      if (Class === TextDecoder) assert.throws(() => new Class(label, { fatal: true }).decode(bytes(0x80 + 0x7f)), fatal);
    }
  }
});

test('streams of several decoders in turns do not affect each other', () => {
  const texts = [
    ['utf-8', [0xef, 0xbb, 0xbf, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x92, 0xa9, 0xe2]], ['shift_jis', [0x83, 0x65, 0x61, 0x83, 0x4c, 0x83]], ['gb18030', [0x81, 0x30, 0x81, 0x30, 0xd6, 0xd0, 0x81]],
    ['iso-2022-jp', [0x1b, 0x24, 0x42, 0x24, 0x22, 0x1b, 0x28, 0x4a, 0x5c]], ['iso-2022-jp', [0x1b, 0x28, 0x49, 0x31, 0x1b, 0x28, 0x42, 0x5c]], ['utf-16le', [0xff, 0xfe, 0x3d, 0xd8, 0xa9, 0xdc, 0x61]],
    ['utf-16be', [0xd8, 0x3d, 0xdc, 0xa9, 0, 0x61, 0xd8]], ['big5', [0x88, 0x62, 0xa4, 0xa4, 0xa4]], ['euc-jp', [0x8f, 0xa2, 0xaf, 0xa4, 0xa2, 0x8e]], ['windows-1253', [0xe4, 0xaa, 0x61]],
  ];
  for (const ignoreBOM of [false, true]) {
    const all = texts.map(([label, values]) => ({ values, decoder: new TextDecoder(label, { ignoreBOM }), text: '', expected: new TextDecoder(label, { ignoreBOM }).decode(bytes(...values)) }));
    for (let round = 0; round < 2; round++) {
      for (let at = 0; at < 12; at++) for (const one of all) if (at < one.values.length) one.text += one.decoder.decode(bytes(one.values[at]), stream);
      for (const one of all) {
        assert.equal(one.text + one.decoder.decode(), one.expected, one.decoder.encoding);
        one.text = '';
      }
    }
  }
});
