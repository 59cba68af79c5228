// The functions of lib/engine.mjs, in the build without vectors and in the build with them. `cargo xtask wasm` makes
// the files.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';

import { REASONS, compile, hasVectors, open } from '../lib/engine.mjs';

const folder = new URL('../dist/', import.meta.url);

for (const file of ['textcodec.wasm', 'textcodec.simd.wasm']) {
  const module = await WebAssembly.compile(await readFile(new URL(file, folder)));
  const engine = open(module);
  const number = (label) => engine.encodingOf(label);
  const bytesOf = (...bytes) => Uint8Array.from(bytes);

  test(`${file}: the library has no imports, and its memory is below 1 MB`, () => {
    assert.deepEqual(WebAssembly.Module.imports(module), []);
    const { memory } = new WebAssembly.Instance(module).exports;
    assert.ok(memory.buffer.byteLength < 1e6, `${memory.buffer.byteLength}`);
  });

  test(`${file}: there are 40 encodings with 228 labels`, () => {
    assert.equal(engine.encodings.length, 40);
    assert.equal(engine.encodings.flatMap(({ labels }) => labels).length, 228);
    assert.ok(engine.encodings.every(({ isLinked }) => isLinked));
    assert.equal(engine.names[number(' \n\tSJIS\r')], 'Shift_JIS');
    assert.equal(engine.names[number(`${' '.repeat(100_000)}latin1${'\f'.repeat(100_000)}`)], 'windows-1252');
    assert.equal(engine.getAnEncoding('utf-7'), undefined);
    assert.equal(engine.getAnEncoding('\u{a0}utf-8'), undefined);
    assert.throws(() => number('utf\ud8008'), RangeError);
  });

  test(`${file}: text of every length is decoded as in the host`, () => {
    const samples = { 'windows-1251': 'Привет, мир! ', 'shift_jis': '日本語abcｶﾅ', 'gb18030': '中文𠀀é ', 'utf-8': 'a€é💩', 'euc-kr': '한국어 x' };
    for (const [label, sample] of Object.entries(samples)) {
      const host = new TextDecoder(label);
      for (const length of [0, 1, 23, 24, 25, 1000, 65_535, 65_536, 65_537, 200_001]) {
        const text = sample.repeat(Math.ceil(length / sample.length)).slice(0, length).toWellFormed?.() ?? sample;
        const bytes = engine.encode(number(label), text, false);
        const expected = host.decode(bytes);
        assert.equal(engine.decodeAll(number(label), bytes), expected);
        const state = engine.newState();
        let streamed = '';
        for (let at = 0; at < bytes.length; at += 999) streamed += engine.decodeNext(number(label), state, bytes.subarray(at, at + 999), true);
        assert.equal(streamed + engine.decodeNext(number(label), state, bytesOf(), false), expected);
      }
    }
  });

  test(`${file}: UTF-8 has one result, whether the library or the host decodes it`, () => {
    const flags = [{}, { fatal: true }, { ignoreBOM: true }, { fatal: true, ignoreBOM: true }];
    const hosts = flags.map((options) => new TextDecoder('utf-8', options));
    const decodeByHost = (host, bytes) => {
      try {
        return host.decode(bytes);
      } catch {
        return undefined;
      }
    };
    // The library decodes long texts of which most bytes are not ASCII.
    for (const sample of ['plain text, é ', 'Все люди ', '平等である。', '💩', '\u{feff}й']) {
      for (const length of [511, 512, 513, 5000, 70_000]) {
        const text = new TextEncoder().encode(`\u{feff}${sample.repeat(length)}`).slice(0, length);
        for (const at of [undefined, 0, 3, 300, length - 1]) {
          const bytes = text.slice();
          if (at !== undefined) bytes[at] = 0xff;
          hosts.forEach((host, number) => {
            const config = engine.UTF_8 + (flags[number].fatal ? engine.FATAL : 0) + (flags[number].ignoreBOM ? engine.IGNORE_BOM : 0);
            assert.ok(engine.decodeAll(config, bytes) === decodeByHost(host, bytes), `${sample} ${length} ${at} ${number}`);
          });
        }
      }
    }
  });

  test(`${file}: malformed bytes have an offset, also in a long text`, () => {
    const bytes = new Uint8Array(150_000).fill(0x61);
    bytes.set([0x82, 0xff], 140_000);
    assert.equal(engine.legacyDecode(number('shift_jis'), bytes, true), undefined);
    const { offset, bytes: found, encoding } = engine.lastMalformed();
    assert.deepEqual([offset, [...found], engine.names[encoding]], [140_000, [0x82, 0xff], 'Shift_JIS']);
    assert.equal(engine.legacyDecode(number('shift_jis'), bytes, false).length, 149_999);
  });

  test(`${file}: a byte order mark decides the encoding of decode`, () => {
    assert.equal(engine.legacyDecode(number('koi8-r'), bytesOf(0xff, 0xfe, 0x2d, 0x4e), false), '中');
    assert.equal(engine.names[engine.bomSniff(bytesOf(0xef, 0xbb, 0xbf))], 'UTF-8');
    assert.equal(engine.bomSniff(bytesOf(0xef, 0xbb)), undefined);
  });

  test(`${file}: detail returns the sequences, however the bytes are cut`, () => {
    const bytes = bytesOf(0x61, 0x1b, 0x24, 0x42, 0x24, 0x22, 0xff, 0x24);
    const whole = engine.detail(number('iso-2022-jp'), bytes);
    assert.deepEqual(whole.sequences, [
      { offset: 0, length: 1, codePoints: [0x61] },
      { offset: 1, length: 3, codePoints: [] },
      { offset: 4, length: 2, codePoints: [0x3042] },
      { offset: 6, length: 1, reason: REASONS[0] },
      { offset: 7, length: 1, reason: REASONS[1] },
    ]);
    assert.equal(whole.read, 8);
    const state = engine.newState();
    const { sequences, read } = engine.detail(number('iso-2022-jp'), bytes.subarray(0, 5), { state, stream: true });
    assert.deepEqual([sequences.length, read], [2, 4]);
    const rest = engine.detail(number('iso-2022-jp'), bytes.subarray(4), { state });
    assert.deepEqual(rest.sequences.map(({ offset }) => offset), [0, 2, 3]);
    assert.equal(engine.detail(number('iso-2022-jp'), bytes, { most: 2 }).read, 4);
    const long = new Uint8Array(20_001).fill(0xa4);
    const all = engine.detail(number('big5'), long);
    assert.deepEqual([all.sequences.length, all.read, all.sequences.at(-1).reason], [10_001, 20_001, REASONS[1]]);
    assert.ok(all.sequences.every(({ offset }, at) => offset === 2 * at));
  });

  test(`${file}: a state that no stream has is an error`, () => {
    for (const words of [[0x2800, 0, 8], [0, 0, 0, 0, 3 << 24], [0, 0, 0xffffffff, 0xffffffff], new Array(8).fill(0xffffffff)]) {
      const state = engine.newState();
      state.set(words);
      assert.throws(() => engine.decodeNext(number('iso-2022-jp'), state, bytesOf(0x1b, 0x1b), true), RangeError);
      assert.throws(() => engine.detail(number('iso-2022-jp'), bytesOf(0x1b, 0x1b), { state }), RangeError);
    }
  });

  test(`${file}: encoding reports unmappable characters`, () => {
    assert.equal(engine.encode(number('koi8-r'), 'да💩☃', true), undefined);
    assert.deepEqual(engine.lastUnmappable(), { codePoint: 0x1f4a9, index: 2 });
    for (const label of ['windows-1252', 'iso-2022-jp']) {
      // The references need more space than one call has.
      const text = '\u{e000}é💩'.repeat(30_000);
      const { bytes, unmappable } = engine.encodeDetail(number(label), text);
      assert.deepEqual(bytes, engine.encode(number(label), text, false));
      const expected = [...text].map((character) => character.codePointAt(0)).filter((codePoint) => codePoint !== 0xe9 || label !== 'windows-1252');
      assert.deepEqual(unmappable.map(({ codePoint }) => codePoint), expected);
      const string = String.fromCharCode;
      for (const { codePoint, index, offset } of unmappable) {
        assert.equal(text.codePointAt(index), codePoint);
        assert.equal(string(...bytes.subarray(offset, offset + 2)), '&#');
      }
    }
    const text = `${'é'.repeat(100_000)}☃`;
    assert.equal(engine.encode(number('windows-1252'), text, true), undefined);
    assert.deepEqual(engine.lastUnmappable(), { codePoint: 0x2603, index: 100_000 });
  });

  test(`${file}: sniff says which rung decided`, () => {
    const page = new TextEncoder().encode('<!doctype html><meta charset="euc-jp"><title>x');
    const found = engine.sniff(page);
    assert.deepEqual([found.encoding, found.confidence, found.rung, found.reason], ['EUC-JP', 'tentative', 'meta', 'a meta element declares it']);
    assert.equal(new TextDecoder().decode(page.subarray(found.label.offset, found.label.offset + found.label.length)), 'euc-jp');
    assert.deepEqual(found.ladder.map(({ outcome }) => outcome), ['no', 'no', 'no', 'yes', 'unasked', 'unasked', 'unasked', 'unasked', 'unasked']);
    assert.equal(engine.sniff(page, 'HTML parser', { contentType: 'text/html; charset=koi8-r' }).encoding, 'KOI8-R');
    assert.equal(engine.sniff(page, 'HTML parser', { transport: 'nonsense' }).encoding, 'EUC-JP');
    assert.equal(engine.sniff(bytesOf(0x61), 'HTML parser', { locale: 'ru' }).encoding, 'windows-1251');
    // The type has no charset, and the locale comes after it.
    assert.equal(engine.sniff(bytesOf(0x61), 'HTML parser', { contentType: 'text/html', locale: 'ru' }).encoding, 'windows-1251');
    assert.equal(engine.sniff(bytesOf(0x61), 'HTML parser', { contentType: 'text/html; charset=koi8-r', locale: 'ru' }).encoding, 'KOI8-R');
    assert.equal(engine.sniff(bytesOf(0xc3, 0xa9), 'HTML parser', { guess: true }).rung, 'heuristic');
    for (const [hint, context, rung] of [
      ['override', 'XHR text response', 'override'],
      ['transport', 'HTML parser', 'transport'],
      ['container', 'HTML parser', 'container'],
      ['history', 'HTML parser', 'history'],
      ['default', 'HTML parser', 'default'],
    ]) {
      const { encoding, rung: found } = engine.sniff(bytesOf(0x61), context, { [hint]: 'koi8-r' });
      assert.deepEqual([encoding, found], ['KOI8-R', rung], hint);
    }
    assert.equal(engine.sniff(page.subarray(0, 20), 'HTML parser', {}, true), null);
    assert.throws(() => engine.sniff(page, 'HTML'), /HTML parser, /);
    for (const context of engine.contexts) {
      const sniffed = engine.sniff(page, context);
      assert.ok(sniffed === null || sniffed.ladder.filter(({ outcome }) => outcome === 'yes').length === 1, context);
    }
  });

  test(`${file}: each hint reaches its own rung, and a label of the caller comes before the header`, () => {
    const page = bytesOf(0x61);
    for (const [hints, context, encoding, rung] of [
      [{ override: 'koi8-r' }, 'XHR text response', 'KOI8-R', 'override'],
      [{ transport: 'koi8-r' }, 'HTML parser', 'KOI8-R', 'transport'],
      [{ charsetAttribute: 'koi8-r' }, 'classic script', 'KOI8-R', 'charset-attribute'],
      [{ environment: 'koi8-r' }, 'classic script', 'KOI8-R', 'environment'],
      [{ charsetAttribute: 'koi8-r', environment: 'gbk' }, 'classic script', 'KOI8-R', 'charset-attribute'],
      [{ container: 'koi8-r', history: 'gbk' }, 'HTML parser', 'KOI8-R', 'container'],
      [{ history: 'koi8-r', default: 'gbk' }, 'HTML parser', 'KOI8-R', 'history'],
      [{ default: 'koi8-r', locale: 'ja' }, 'HTML parser', 'KOI8-R', 'default'],
      [{ locale: 'ja' }, 'HTML parser', 'Shift_JIS', 'locale'],
      [{ transport: 'koi8-r', contentType: 'text/html; charset=gbk' }, 'HTML parser', 'KOI8-R', 'transport'],
      [{ transport: 'nonsense', contentType: 'text/html; charset=gbk' }, 'HTML parser', 'windows-1252', 'default'],
      [{ contentType: 'text/html; charset=gbk' }, 'HTML parser', 'GBK', 'transport'],
    ]) {
      // Contexts have names of their own; the one that is meant contains these words.
      const name = engine.contexts.find((name) => name.toLowerCase().startsWith(context.toLowerCase()));
      const found = engine.sniff(page, name, hints);
      assert.deepEqual([found.encoding, found.rung], [encoding, rung], JSON.stringify(hints));
    }
  });

  test(`${file}: the place of a label is that of its bytes, in each kind of declaration`, () => {
    for (const [text, context, label] of [
      ['<!doctype html><meta charset=koi8-r>', 'HTML parser', 'koi8-r'],
      ['<?xml version="1.0" encoding="koi8-r"?><a/>', 'XML parser', 'koi8-r'],
      ['@charset "koi8-r"; a {}', 'CSS', 'koi8-r'],
    ]) {
      const bytes = new TextEncoder().encode(text);
      const names = engine.contexts.filter((name) => name.startsWith(context) && engine.sniff(bytes, name)?.label);
      assert.ok(names.length > 0, context);
      for (const name of names) {
        const { label: { offset, length } } = engine.sniff(bytes, name);
        assert.equal(text.slice(offset, offset + length), label, name);
      }
    }
    // A declaration that does not end within the bytes that the library can take.
    const long = new TextEncoder().encode(`<?xml ${' '.repeat(70_000)}encoding="koi8-r"?>`);
    for (const context of engine.contexts) assert.equal(engine.sniff(long, context) === null, engine.sniff(bytesOf(0x3c), context) === null, context);
    assert.equal(engine.sniff(long, 'HTML parser', {}, true) === null, false);
  });

  test(`${file}: repair undoes one wrong decoding`, () => {
    assert.deepEqual(engine.repair(number('windows-1252'), 'cafÃ©'), { text: 'café' });
    assert.deepEqual(engine.repair(number('windows-1252'), 'ï»¿cafÃ©'), { text: '\ufeffcafé' }, 'a byte order mark is a character');
    assert.deepEqual(engine.repair(number('windows-1252'), '☃'), { unmappable: { codePoint: 0x2603, index: 0 } });
    assert.equal(engine.repair(number('windows-1252'), 'café').malformed.offset, 3);
  });

  test(`${file}: percent-encoding`, () => {
    const set = new Uint8Array(128);
    set[0x28] = 1;
    assert.equal(engine.percentEncode(number('euc-kr'), 'a b☃(', set, true), 'a+b%26%239731%3B%28');
    const long = '한'.repeat(50_000);
    assert.equal(engine.percentEncode(number('euc-kr'), long, set, false), '%C7%D1'.repeat(50_000));
  });
}

// A module whose function traps. Its memory and its stack pointer stay as a panic leaves them.
const trapping = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 8, 1, 4, 116, 114, 97, 112, 0, 0, 10, 5, 1, 3, 0, 0, 11,
)));

/**
 * An engine whose calls `fail` can make fail: `fail.next` is called in the place of the next function of the library.
 */
function failing(module) {
  const { Instance } = WebAssembly;
  const fail = { next: undefined, started: 0, refuses: 0 };
  WebAssembly.Instance = class {
    constructor(module) {
      if (fail.refuses > 0) {
        fail.refuses--;
        throw new RangeError('no memory');
      }
      const { exports } = new Instance(module);
      fail.started++;
      let isBroken = false;
      this.exports = { ...exports };
      for (const [name, value] of Object.entries(exports)) {
        if (typeof value !== 'function') continue;
        this.exports[name] = () => {
          assert.ok(!isBroken, `${name} of an instance that has failed is called`);
          const { next } = fail;
          if (next === undefined) return value();
          fail.next = undefined;
          isBroken = true;
          // A panic can leave anything in the memory.
          new Uint8Array(exports.memory.buffer).fill(0xa5);
          return next();
        };
      }
    }
  };
  try {
    return { engine: open(module), fail };
  } finally {
    WebAssembly.Instance = Instance;
  }
}

test('a trap is an ordinary Error, and another instance goes on', async () => {
  const { engine, fail } = failing(await WebAssembly.compile(await readFile(new URL('textcodec.simd.wasm', folder))));
  const sjis = engine.encodingOf('shift_jis');
  const page = new TextEncoder().encode('<meta charset=euc-jp>');
  const calls = {
    decode: () => engine.decodeAll(sjis, Uint8Array.of(0x83, 0x65)),
    legacyDecode: () => engine.legacyDecode(sjis, new Uint8Array(200_000).fill(0x80), false),
    encode: () => [...engine.encode(sjis, 'テ☃', false)],
    encodeDetail: () => engine.encodeDetail(sjis, 'テ☃'),
    percentEncode: () => engine.percentEncode(sjis, 'テ', new Uint8Array(128), false),
    detail: () => engine.detail(sjis, Uint8Array.of(0x83, 0x65, 0xff)),
    bomSniff: () => engine.bomSniff(Uint8Array.of(0xef, 0xbb, 0xbf)),
    getAnEncoding: () => engine.getAnEncoding(' SJIS'),
    sniff: () => engine.sniff(page),
    repair: () => engine.repair(engine.encodingOf('latin1'), 'cafÃ©'),
  };
  const results = Object.values(calls).map((call) => call());
  for (const [at, [name, call]] of Object.entries(calls).entries()) {
    const expected = results[at];
    const { started } = fail;
    fail.next = trapping.exports.trap;
    assert.throws(call, (error) => {
      assert.deepEqual([error.constructor, error.code, error.cause instanceof WebAssembly.RuntimeError], [Error, 'ERR_INTERNAL_ASSERTION', true], name);
      return /^textcodec failed: /.test(error.message);
    });
    assert.equal(fail.started, started + 1, name);
    assert.deepEqual(call(), expected, name);
    // Errors of the host pass unchanged, for example those of a full stack.
    fail.next = () => { throw new RangeError('the stack is full'); };
    assert.throws(call, { name: 'RangeError', message: 'the stack is full' });
    assert.deepEqual([call(), fail.started], [expected, started + 2], name);
  }
});

test('a stream goes on after a trap', async () => {
  const { engine, fail } = failing(await WebAssembly.compile(await readFile(new URL('textcodec.wasm', folder))));
  const number = engine.encodingOf('iso-2022-jp');
  const state = engine.newState();
  assert.equal(engine.decodeNext(number, state, Uint8Array.of(0x1b, 0x24, 0x42, 0x24), true), '');
  fail.next = trapping.exports.trap;
  assert.throws(() => engine.decodeNext(number, state, Uint8Array.of(0x22), true), /^Error: textcodec failed: /);
  assert.equal(engine.decodeNext(number, state, Uint8Array.of(0x22), false), 'あ');
});

test('a trap without memory for another instance fails until there is memory', async () => {
  const { engine, fail } = failing(await WebAssembly.compile(await readFile(new URL('textcodec.wasm', folder))));
  const decode = () => engine.decodeAll(engine.encodingOf('koi8-r'), Uint8Array.of(0xc1));
  fail.next = trapping.exports.trap;
  fail.refuses = 2;
  assert.throws(decode, { name: 'RangeError', message: 'no memory' });
  assert.throws(decode, { name: 'RangeError', message: 'no memory' });
  assert.throws(decode, /^Error: textcodec has started its library anew/);
  assert.equal(decode(), 'а');
});

test('compile chooses the build with vectors', async () => {
  assert.ok(hasVectors());
  const engine = open(await compile(folder));
  assert.equal(engine.decodeAll(engine.encodingOf('ibm866'), Uint8Array.of(0x80)), 'А');
});

test('encodeInto writes nothing after the text where the host refuses an array', async () => {
  // Browsers refuse arrays whose buffers can be resized.
  const { prototype } = TextEncoder;
  const { encodeInto } = prototype;
  prototype.encodeInto = function (string, array) {
    if (array.buffer.resizable) throw new TypeError('the buffer can be resized');
    return encodeInto.call(this, string, array);
  };
  try {
    const { open } = await import('../lib/engine.mjs?refuses');
    const engine = open(await WebAssembly.compile(await readFile(new URL('textcodec.wasm', folder))));
    for (const [string, capacity, read, written] of [['aé€', 9, 3, 6], ['aé€', 6, 3, 6], ['aé€', 5, 2, 3], ['💩', 3, 0, 0], ['a💩', 9, 3, 5], ['', 2, 0, 0]]) {
      const array = new Uint8Array(new ArrayBuffer(capacity, { maxByteLength: 20 })).fill(0xaa);
      assert.deepEqual(engine.encodeInto(string, array), { read, written }, string);
      const expected = new Uint8Array(capacity).fill(0xaa);
      expected.set(new TextEncoder().encode(string).subarray(0, written));
      assert.deepEqual([...array], [...expected], string);
    }
  } finally {
    prototype.encodeInto = encodeInto;
  }
});

/** An engine over a library with other exports. */
async function withExports(change) {
  const { Instance } = WebAssembly;
  WebAssembly.Instance = class {
    constructor(module) {
      this.exports = { ...new Instance(module).exports };
      change(this.exports);
    }
  };
  try {
    return open(await WebAssembly.compile(await readFile(new URL('textcodec.wasm', folder))));
  } finally {
    WebAssembly.Instance = Instance;
  }
}

test('a build without a feature says so, and does the rest', async () => {
  for (const [name, calls] of Object.entries({
    encode: [(engine) => engine.encode(engine.encodingOf('koi8-r'), 'a', false), (engine) => engine.percentEncode(0, 'a', new Uint8Array(128), false)],
    detail: [(engine) => engine.detail(0, Uint8Array.of(0x61))],
    encode_detail: [(engine) => engine.encodeDetail(0, 'a')],
    sniff: [(engine) => engine.sniff(Uint8Array.of(0x61))],
  })) {
    const engine = await withExports((exports) => { delete exports[name]; });
    for (const call of calls) assert.throws(() => call(engine), { name: 'Error', message: `This build of textcodec has no function ${name}: it was built without that feature` });
    assert.equal(engine.decodeAll(engine.encodingOf('koi8-r'), Uint8Array.of(0xc1)), 'а');
    assert.equal(String.fromCharCode(...engine.encodeUtf8('a')), 'a');
  }
  const engine = await withExports((exports) => { delete exports.contexts; });
  assert.deepEqual(engine.contexts, []);
  // An encoding of the Standard that is not linked.
  const code = 'ERR_ENCODING_NOT_SUPPORTED';
  for (const [number, why] of [[-1, 'is not supported'], [-2, 'is not part of this build of textcodec']]) {
    const other = await withExports((exports) => { exports.label_to_encoding = () => number; });
    assert.throws(() => other.encodingOf('GBK '), { name: 'RangeError', code, message: `The "GBK " encoding ${why}` });
    assert.equal(other.getAnEncoding('GBK '), undefined);
  }
});

test('a host with mistakes changes no text and no bytes', async () => {
  const [decoder, encoder] = [TextDecoder.prototype, TextEncoder.prototype];
  const [{ decode }, { encodeInto }] = [decoder, encoder];
  const texts = ['é', 'aé€', '💩a', 'a💩', '\ud83d', 'ab\ud83d💩', 'aé€💩z', 'a💩z💩', 'a\ud83dé'];
  const sources = [[0x61, 0xe2, 0x82, 0x62], [0xf0, 0x9f, 0x92], [0xed, 0xa0, 0x80, 0x61], [0, 0xd8, 0x61, 0], [0x61, 0, 0, 0xdc], [0x2d, 0x4e]].map((bytes) => Uint8Array.from(bytes));
  const run = ({ decodeAll, encodeInto, encodingOf, FATAL, IGNORE_BOM }) => [
    ...sources.flatMap((bytes) => ['utf-8', 'utf-16le', 'gbk'].flatMap((label) => [0, IGNORE_BOM, FATAL].map((flags) => decodeAll(encodingOf(label) | flags, bytes)))),
    ...texts.flatMap((text) => [0, 1, 2, 3, 4, 5, 6, 7, 8, 12].map((capacity) => {
      const array = new Uint8Array(capacity);
      return [encodeInto(text, array), array];
    })),
  ];
  const module = await WebAssembly.compile(await readFile(new URL('textcodec.wasm', folder)));
  const expected = run(open(module));
  // Several U+FFFD are one; surrogates stay; of a string that does not fit, the first character is written.
  const mistakes = {
    utf8: () => { decoder.decode = function (...values) { const text = decode.apply(this, values); return this.encoding === 'utf-8' ? text.replace(/\ufffd+/g, '\ufffd') : text; }; },
    utf16: () => { decoder.decode = function (...values) { const text = decode.apply(this, values); return this.encoding === 'utf-16le' ? text.replace(/\ufffd/g, '\ud800') : text; }; },
    encodeInto: () => {
      encoder.encodeInto = function (string, array) {
        const { read } = encodeInto.call(this, string, new Uint8Array(array.length));
        return encodeInto.call(this, read < string.length ? string.slice(0, string.codePointAt(0) > 0xffff ? 2 : 1) : string, array);
      };
    },
  };
  for (const [name, make] of Object.entries(mistakes)) {
    try {
      make();
      const { open } = await import(`../lib/engine.mjs?${name}`);
      assert.deepEqual(run(open(module)), expected, name);
    } finally {
      decoder.decode = decode;
      encoder.encodeInto = encodeInto;
    }
  }
});
