// The functions of lib/parts.mjs, which call the libraries of the detector and of the charsets, with every argument and
// after failures of these libraries.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import * as parts from '../lib/parts.mjs';

const bytesOf = (...bytes) => Uint8Array.from(bytes);
const compiled = (name) => new WebAssembly.Module(readFileSync(new URL(`../dist/textcodec.${name}.wasm`, import.meta.url)));
const [FATAL, LAST] = [1, 2];
const KOI8 = bytesOf(0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4, 0x2c, 0x20, 0xcb, 0xc1, 0xcb);

// A module whose function traps.
const trapping = new WebAssembly.Instance(new WebAssembly.Module(bytesOf(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 8, 1, 4, 116, 114, 97, 112, 0, 0, 10, 5, 1, 3, 0, 0, 11,
)));

/**
 * The functions over a library, and `fail`: the next call of `fail.name` traps, or throws `fail.error`. `fail.started`
 * counts the instances, and no function of an instance that has failed may be called.
 */
function failing(open, module) {
  const { Instance } = WebAssembly;
  const fail = { name: undefined, error: undefined, started: 0 };
  WebAssembly.Instance = class {
    constructor(module) {
      const { exports } = new Instance(module);
      fail.started++;
      let isBroken = false;
      this.exports = { ...exports };
      for (const [name, value] of Object.entries(exports)) {
        if (typeof value !== 'function') continue;
        this.exports[name] = (...numbers) => {
          assert.ok(!isBroken, `${name} of an instance that has failed is called`);
          if (fail.name !== name) return value(...numbers);
          fail.name = undefined;
          isBroken = true;
          if (fail.error !== undefined) throw fail.error;
          return trapping.exports.trap();
        };
      }
    }
  };
  // Each failure makes another instance, so the class stays until the test has ended.
  return { library: open(module), fail, end: () => { WebAssembly.Instance = Instance; } };
}

/** Each function of the library for detection, and of that for charsets: the export that it calls, and a call. */
const CALLS = {
  openDetection: {
    start: ['new_detector', (library) => typeof library.start('') === 'number'],
    feed: ['feed_detector', (library) => library.feed(library.start(''), KOI8)],
    bestSoFar: ['best_so_far', (library) => JSON.parse(library.bestSoFar(library.start(''))).kind],
    finish: ['finish_detector', (library) => JSON.parse(library.finish(library.start(''))).kind],
    forget: ['forget_detector', (library) => library.forget(library.start(''))],
  },
  openCharsets: {
    all: ['charsets', (library) => JSON.parse(library.all()).length],
    lookUp: ['look_up_charset', (library) => JSON.parse(library.lookUp('cp037')).name],
    decoder: ['new_charset_decoder', (library) => typeof library.decoder('cp037', 0) === 'number'],
    encoder: ['new_charset_encoder', (library) => typeof library.encoder('cp037', 0) === 'number'],
    decode: ['decode_charset', (library) => library.decode(library.decoder('cp037', 0), bytesOf(0xc1), LAST)],
    encode: ['encode_charset', (library) => [...library.encode(library.encoder('cp037', 0), 'A', LAST)]],
    forgetDecoder: ['forget_charset_decoder', (library) => library.forgetDecoder(library.decoder('cp037', 0))],
    forgetEncoder: ['forget_charset_encoder', (library) => library.forgetEncoder(library.encoder('cp037', 0))],
    error: [undefined, (library) => typeof library.error()],
  },
};
const FILES = { openDetection: 'detect', openCharsets: 'charsets' };

test('the tables have every function, and every export of the libraries', () => {
  assert.deepEqual(Object.keys(parts).sort(), Object.keys(CALLS).sort());
  for (const [open, calls] of Object.entries(CALLS)) {
    const module = compiled(FILES[open]);
    assert.deepEqual(Object.keys(parts[open](module)).sort(), Object.keys(calls).sort());
    const exported = WebAssembly.Module.exports(module).filter(({ kind }) => kind === 'function').map(({ name }) => name);
    const called = Object.values(calls).flatMap(([name]) => name ?? []);
    assert.deepEqual(exported.sort(), [...called, 'input_address', 'output_address', 'output_length'].sort());
    assert.deepEqual(WebAssembly.Module.imports(module), []);
  }
});

test('a failure in any function is an Error, and a new instance takes no object of the old one', () => {
  for (const [open, calls] of Object.entries(CALLS)) {
    const { library, fail, end } = failing(parts[open], compiled(FILES[open]));
    try {
      for (const [name, [exported, call]] of Object.entries(calls)) {
        if (exported === undefined) continue;
        const expected = call(library);
        for (const isTrap of [true, false]) {
          // These objects were made before the failure.
          const old = open === 'openDetection' ? [library.start('')] : [library.decoder('cp037', 0), library.encoder('cp037', 0)];
          const { started } = fail;
          fail.name = exported;
          fail.error = isTrap ? undefined : new RangeError('the stack is full');
          assert.throws(() => call(library), (error) => {
            if (!isTrap) return error === fail.error;
            assert.deepEqual([error.constructor, error.code, error.cause instanceof WebAssembly.RuntimeError], [Error, 'ERR_INTERNAL_ASSERTION', true], name);
            return /^textcodec failed: /.test(error.message);
          });
          assert.deepEqual([fail.started, call(library)], [started + 1, expected], name);
          const lost = { message: 'textcodec has started its library anew, and has lost this object' };
          const [first, second] = old;
          // The new instance has objects with the same numbers inside.
          for (let count = 0; count < 50; count++) if (open === 'openDetection') library.start(''); else library.encoder('cp037', 0);
          if (open === 'openDetection') {
            for (const use of [() => library.feed(first, KOI8), () => library.bestSoFar(first), () => library.finish(first)]) assert.throws(use, lost, name);
            library.forget(first);
          } else {
            for (const use of [() => library.decode(first, KOI8, 0), () => library.encode(second, 'a', 0)]) assert.throws(use, lost, name);
            library.forgetDecoder(first);
            library.forgetEncoder(second);
          }
          assert.equal(fail.started, started + 1);
        }
      }
    } finally {
      end();
    }
  }
});

test('a name, options and an input have their greatest lengths', () => {
  const charsets = parts.openCharsets(compiled('charsets'));
  const detection = parts.openDetection(compiled('detect'));
  const message = 'The string is too long';
  const [fits, long] = ['x'.repeat(65_536), 'x'.repeat(65_537)];
  for (const call of [charsets.lookUp, charsets.decoder, charsets.encoder]) {
    assert.match(call(fits, 0), /^ERR_ENCODING_NOT_SUPPORTED The charset "x/);
    assert.throws(() => call(long, 0), { name: 'RangeError', message });
    assert.throws(() => call('é'.repeat(32_769), 0), { name: 'RangeError', message });
  }
  assert.equal(typeof detection.start(`language\0${'x'.repeat(65_000)}\0`), 'number');
  assert.throws(() => detection.start(`language\0${long}\0`), { name: 'RangeError', message });
  assert.match(detection.start('among\0nothing\0'), /^ERR_ENCODING_NOT_SUPPORTED /);
  // An error is that of its own stream, and is kept until the next one.
  const strict = charsets.decoder('exact-us-ascii', FATAL);
  for (const length of [0, 1, 65_535, 65_536, 131_072, 131_073]) {
    const decoder = charsets.decoder('exact-us-ascii', FATAL);
    const bytes = new Uint8Array(length + 1).fill(0x61);
    bytes[length] = 0xe9;
    assert.equal(charsets.decode(decoder, bytes, LAST), undefined);
    assert.deepEqual(JSON.parse(charsets.error()), { offset: length, bytes: [0xe9], charset: 'exact-us-ascii' });
    assert.equal(charsets.decode(strict, bytes.subarray(0, length), 0).length, length);
    assert.equal(JSON.parse(charsets.error()).offset, length);
    const encoder = charsets.encoder('exact-us-ascii', FATAL);
    assert.equal(charsets.encode(encoder, `${'a'.repeat(length)}😀`, LAST), undefined);
    assert.deepEqual(JSON.parse(charsets.error()), { codePoint: 0x1f600, index: length });
  }
  // A number of a stream that has ended, or was forgotten, means nothing.
  for (const forget of [(decoder) => charsets.forgetDecoder(decoder), (decoder) => charsets.decode(decoder, bytesOf(), LAST)]) {
    const decoder = charsets.decoder('cp037', 0);
    forget(decoder);
    assert.equal(charsets.decode(decoder, bytesOf(0xc1), 0), undefined);
  }
  const [encoder, decoder] = [charsets.encoder('cp037', 0), charsets.decoder('cp037', 0)];
  charsets.forgetEncoder(encoder);
  assert.equal(charsets.encode(encoder, 'A', 0), undefined);
  assert.equal(charsets.decode(decoder, bytesOf(0xc1), 0), 'A', 'a decoder with the same number stays');
});

test('a long text is that of its characters, wherever the pieces end', () => {
  const library = parts.openCharsets(compiled('charsets'));
  for (const charset of ['cp037', 'iso-2022-jp', 'utf-16be', 'utf-8']) {
    const [letter, other] = charset === 'cp037' ? ['é', 'é'] : ['日', charset === 'iso-2022-jp' ? 'a' : '😀'];
    for (const length of [0, 1, 16_382, 16_383, 16_384, 16_385, 32_767, 32_768, 32_769]) {
      // A character of two code units stands over the end of a piece, or at the end of the text.
      for (const text of [letter.repeat(length), letter.repeat(length) + other, `${letter.repeat(length)}${other}${letter}`]) {
        const whole = library.encode(library.encoder(charset, FATAL), text, LAST);
        const stream = library.encoder(charset, FATAL);
        const bytes = [];
        for (const part of [letter.repeat(Math.floor(length / 2)), letter.repeat(Math.ceil(length / 2)), text.slice(length), '']) bytes.push(library.encode(stream, part, 0));
        bytes.push(library.encode(stream, '', LAST));
        assert.ok(Buffer.compare(Buffer.concat(bytes), whole) === 0, `${charset}, ${length}, ${text.length}`);
        assert.equal(library.encode(stream, 'a', LAST), undefined, 'the stream has ended');
        assert.ok(library.decode(library.decoder(charset, FATAL), whole, LAST) === text, `${charset}, ${length}`);
      }
    }
    // A surrogate without a partner becomes U+FFFD, also at the end of a piece, which is then the end of the text.
    const lone = library.encode(library.encoder(charset, 0), `${letter.repeat(16_384)}\ud83d`, LAST);
    assert.ok(Buffer.compare(lone, library.encode(library.encoder(charset, 0), `${letter.repeat(16_384)}\ufffd`, LAST)) === 0, charset);
  }
});
