// Every function and every class with every kind of argument. The tables name all of them: a new one has to enter them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as index from '@textcodec/node';
import * as charsets from '@textcodec/node/charsets';
import * as detection from '@textcodec/node/detect';

/**
 * The parameters of each function. A `string` and a `label` are converted to strings; the value of a label names an
 * encoding or a charset.
 */
const FUNCTIONS = {
  index: {
    decode: ['bytes', 'label'], decodeOrFail: ['bytes', 'label'], encode: ['string', 'label'], encodeOrFail: ['string', 'label'], bomSniff: ['bytes'],
    labelToName: ['label'], percentEncodeAfterEncoding: ['label', 'string', 'set'], install: ['target'],
  },
  charsets: {
    charsets: [], lookup: ['label'], decode: ['bytes', 'label'], decodeOrFail: ['bytes', 'label'], encode: ['string', 'label'], encodeOrFail: ['string', 'label'],
  },
  detection: { detect: ['bytes', 'options'] },
};

/** The classes: the parameters of the constructor, of each method, and the getters. */
const CLASSES = {
  index: {
    TextDecoder: [['label', 'options'], { decode: ['bytes', 'options'] }, ['encoding', 'fatal', 'ignoreBOM']],
    TextEncoder: [[], { encode: ['string'], encodeInto: ['string', 'destination'] }, ['encoding']],
    TextDecoderStream: [['label', 'options'], {}, ['encoding', 'fatal', 'ignoreBOM', 'readable', 'writable']],
    TextEncoderStream: [[], {}, ['encoding', 'readable', 'writable']],
  },
  charsets: {
    CharsetDecoder: [['label', 'options'], { decode: ['bytes', 'options'] }, ['charset', 'fatal']],
    CharsetEncoder: [['label', 'options'], { encode: ['string', 'options'] }, ['charset', 'fatal']],
  },
  detection: { Detector: [['options'], { feed: ['bytes'], bestSoFar: [], finish: [] }, []] },
};
const ENTRIES = { index, charsets, detection };
// What an entry has besides: names of another entry, and the names of the package for browsers.
const OTHERS = { index: ['default', 'detect', 'Detector', 'sniff', 'contexts', 'encodings'], charsets: ['default'], detection: ['default'] };

const latin1 = (text) => Uint8Array.from(text, (character) => character.charCodeAt(0));
// "Привет, как дела" in KOI8-R: 16 bytes, so that arrays of all elements can have them.
const BYTES = latin1('\xf0\xd2\xc9\xd7\xc5\xd4, \xcb\xc1\xcb \xc4\xc5\xcc\xc1');
const VALUES = { string: 'Aé☃', label: 'koi8-r', set: 'query', bytes: BYTES, options: {}, target: {} };

/** The result of a call, or the class and the code of its error. */
function outcome(call) {
  try {
    return call();
  } catch (error) {
    return [error.constructor, error.code];
  }
}

/** Every function, constructor and method: its name, its parameters, and a function that calls it anew. */
function* calls() {
  for (const [entry, functions] of Object.entries(FUNCTIONS)) {
    for (const [name, parameters] of Object.entries(functions)) yield [`${entry}: ${name}`, parameters, (...values) => ENTRIES[entry][name](...values)];
  }
  for (const [entry, classes] of Object.entries(CLASSES)) {
    for (const [name, [parameters, methods]] of Object.entries(classes)) {
      const Class = ENTRIES[entry][name];
      const facts = (object) => [object.encoding, object.charset, object.fatal, object.ignoreBOM];
      if (parameters.length > 0) yield [`${entry}: new ${name}`, parameters, (...values) => facts(new Class(...values))];
      const ofClass = parameters.includes('label') ? ['koi8-r'] : [];
      for (const [method, ofMethod] of Object.entries(methods)) {
        yield [`${entry}: ${name}.${method}`, ofMethod, (...values) => {
          const object = new Class(...ofClass);
          const result = object[method](...values);
          return result ?? object.finish?.();
        }];
      }
    }
  }
}

/** The arguments for the parameters, with `value` for the parameter number `place`. */
const withValue = (parameters, place, value) => parameters.map((kind, at) => (at === place ? value : kind === 'destination' ? new Uint8Array(9) : VALUES[kind]));

test('the tables have every function, class and member', () => {
  for (const [entry, all] of Object.entries(ENTRIES)) {
    const listed = [...Object.keys(FUNCTIONS[entry]), ...Object.keys(CLASSES[entry])];
    assert.deepEqual(Object.keys(all).filter((name) => !OTHERS[entry].includes(name)).sort(), listed.sort(), entry);
    for (const [name, [, methods, getters]] of Object.entries(CLASSES[entry])) {
      const descriptors = Object.getOwnPropertyDescriptors(all[name].prototype);
      const { constructor, ...members } = descriptors;
      assert.deepEqual(Object.keys(members).sort(), [...Object.keys(methods), ...getters].sort(), name);
      for (const getter of getters) assert.deepEqual([typeof members[getter].get, members[getter].set], ['function', undefined], `${name}.${getter}`);
      assert.equal(all[name].prototype[Symbol.toStringTag], name);
      assert.throws(() => all[name](), TypeError, 'a class needs new');
    }
  }
});

/** Sources with these bytes in every kind of memory. */
function sources(bytes) {
  const found = {};
  for (const [kind, Buffer] of Object.entries({ own: ArrayBuffer, shared: SharedArrayBuffer })) {
    const buffer = new Buffer(bytes.length + 16);
    new Uint8Array(buffer).fill(0xff).set(bytes, 8);
    for (const View of [Uint8Array, Int8Array, Uint8ClampedArray, Uint16Array, Int16Array, Uint32Array, Int32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array]) {
      found[`${kind} ${View.name}`] = new View(buffer, 8, bytes.length / View.BYTES_PER_ELEMENT);
    }
    found[`${kind} DataView`] = new DataView(buffer, 8, bytes.length);
    const exact = new Buffer(bytes.length);
    new Uint8Array(exact).set(bytes);
    found[`${kind} buffer`] = exact;
    const growing = new Buffer(bytes.length, { maxByteLength: 99 });
    new Uint8Array(growing).set(bytes);
    found[`${kind} buffer that can grow`] = growing;
  }
  return found;
}

test('each kind of memory gives the same result in each function, and is not changed', () => {
  for (const [name, parameters, call] of calls()) {
    const place = parameters.indexOf('bytes');
    if (place < 0) continue;
    for (const bytes of [BYTES, new Uint8Array(0), latin1('\xff\xfea\0b\0c\0')]) {
      const expected = outcome(() => call(...withValue(parameters, place, bytes)));
      for (const [kind, source] of Object.entries(sources(bytes))) {
        assert.deepEqual(outcome(() => call(...withValue(parameters, place, source))), expected, `${name}, ${kind}`);
        const after = source.buffer === undefined ? new Uint8Array(source) : new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
        assert.deepEqual(Array.from(after), Array.from(bytes), `${name}, ${kind}`);
      }
      if (!Array.isArray(expected) || expected[0] !== TypeError) assert.notEqual(expected, undefined, name);
    }
    const { buffer } = new Uint8Array(9);
    const views = [buffer, new Uint8Array(buffer), new DataView(buffer)];
    structuredClone(buffer, { transfer: [buffer] });
    const empty = outcome(() => call(...withValue(parameters, place, new Uint8Array(0))));
    for (const detached of views) assert.deepEqual(outcome(() => call(...withValue(parameters, place, detached))), empty, `${name}, detached`);
  }
});

test('a value that is no memory is an error of the same kind in each function', () => {
  for (const [name, parameters, call] of calls()) {
    const place = parameters.indexOf('bytes');
    if (place < 0) continue;
    for (const value of [undefined, null, 0, 1n, true, 'abc', Symbol('a'), {}, [1, 2], () => {}, { buffer: new ArrayBuffer(1) }, Object.create(Uint8Array.prototype)]) {
      // Without an input, a decoder ends its stream.
      if (value === undefined && name.includes('.decode')) continue;
      const error = outcome(() => call(...withValue(parameters, place, value)));
      assert.deepEqual(error, [TypeError, 'ERR_INVALID_ARG_TYPE'], name);
    }
  }
});

test('each string and each label is converted to a string once, and symbols are errors', () => {
  for (const [name, parameters, call] of calls()) {
    for (const [place, kind] of parameters.entries()) {
      if (kind !== 'string' && kind !== 'label') continue;
      const expected = outcome(() => call(...withValue(parameters, place, VALUES[kind])));
      let count = 0;
      const converted = { toString() { count++; return VALUES[kind]; }, valueOf() { throw new Error('not this'); } };
      assert.deepEqual(outcome(() => call(...withValue(parameters, place, converted))), expected, name);
      // charsets.lookup is also called for the name in an error.
      assert.equal(count, 1, name);
      assert.deepEqual(outcome(() => call(...withValue(parameters, place, new String(VALUES[kind])))), expected, name);
      assert.deepEqual(outcome(() => call(...withValue(parameters, place, [VALUES[kind]]))), expected, name);
      assert.equal(outcome(() => call(...withValue(parameters, place, Symbol('a'))))[0], TypeError, name);
      const thrown = new Error('of the program');
      const throwing = { toString() { throw thrown; } };
      assert.throws(() => call(...withValue(parameters, place, throwing)), (error) => error === thrown, name);
    }
  }
});

test('a label is the same in any case and with spaces around it, and an unknown one is the same error', () => {
  for (const [name, parameters, call] of calls()) {
    const place = parameters.indexOf('label');
    if (place < 0) continue;
    const expected = outcome(() => call(...withValue(parameters, place, 'koi8-r')));
    for (const label of ['KOI8-R', 'Koi8', ' koi8_r', 'csKOI8R\t', '\n\f\r koi \n\f\r']) {
      assert.deepEqual(outcome(() => call(...withValue(parameters, place, label))), expected, `${name}, ${JSON.stringify(label)}`);
    }
    for (const label of ['', ' ', 'koi8-r\0', '\u{a0}koi8-r', 'koi8\u{2010}r', 'KOI8-ſ', 'nothing', 'null', null, 8]) {
      const found = outcome(() => call(...withValue(parameters, place, label)));
      if (name === 'index: labelToName') assert.equal(found, null);
      else assert.deepEqual(found, [RangeError, 'ERR_ENCODING_NOT_SUPPORTED'], `${name}, ${JSON.stringify(label)}`);
    }
  }
  // Without a label, the encoding is UTF-8; a charset has to be named.
  const { decode, decodeOrFail, encode, encodeOrFail, TextDecoder, TextDecoderStream } = index;
  const utf8 = new TextEncoder().encode('é');
  for (const absent of [[], [undefined]]) {
    for (const call of [decode, decodeOrFail]) assert.equal(call(utf8, ...absent), 'é');
    for (const call of [encode, encodeOrFail]) assert.deepEqual(call('é', ...absent), utf8);
    for (const Class of [TextDecoder, TextDecoderStream]) assert.equal(new Class(...absent).encoding, 'utf-8');
    for (const call of [charsets.decode, charsets.decodeOrFail]) assert.throws(() => call(utf8, ...absent), RangeError);
    for (const call of [charsets.encode, charsets.encodeOrFail]) assert.throws(() => call('é', ...absent), RangeError);
    for (const Class of [charsets.CharsetDecoder, charsets.CharsetEncoder]) assert.throws(() => new Class(...absent), RangeError);
  }
});

test('options are an object, null or nothing in each function', () => {
  for (const [name, parameters, call] of calls()) {
    const place = parameters.indexOf('options');
    if (place < 0) continue;
    const expected = outcome(() => call(...withValue(parameters, place, {})));
    for (const options of [undefined, null, [], () => {}, Object.create(null), new Proxy({}, {}), { unknown: 1 }]) {
      assert.deepEqual(outcome(() => call(...withValue(parameters, place, options))), expected, name);
    }
    assert.deepEqual(outcome(() => call(...parameters.slice(0, place).map((kind) => VALUES[kind]))), expected, name);
    for (const options of [1, true, 'fatal', Symbol('a'), 1n]) {
      assert.deepEqual(outcome(() => call(...withValue(parameters, place, options))), [TypeError, 'ERR_INVALID_ARG_TYPE'], name);
    }
    const thrown = new Error('of the program');
    const throwing = new Proxy({}, { get() { throw thrown; } });
    assert.throws(() => call(...withValue(parameters, place, throwing)), (error) => error === thrown, name);
  }
});

test('members and getters of a class refuse all other objects', () => {
  for (const [entry, classes] of Object.entries(CLASSES)) {
    for (const [name, [parameters, methods, getters]] of Object.entries(classes)) {
      const Class = ENTRIES[entry][name];
      const own = new Class(...(parameters.includes('label') ? ['koi8-r'] : []));
      const others = Object.values(CLASSES).flatMap((all) => Object.keys(all)).filter((other) => other !== name);
      const objects = others.map((other) => Object.values(ENTRIES).map((all) => all[other]).find((found) => found)).map((Other) => new Other('koi8-r'.slice(0, Other.name.startsWith('Detector') ? 0 : 6) || undefined));
      for (const receiver of [undefined, null, 1, 'a', {}, Class, Class.prototype, Object.create(own), ...objects]) {
        for (const method of Object.keys(methods)) {
          assert.deepEqual(outcome(() => Class.prototype[method].call(receiver, BYTES, {})), [TypeError, 'ERR_INVALID_THIS'], `${name}.${method}`);
        }
        for (const getter of getters) {
          const { get } = Object.getOwnPropertyDescriptor(Class.prototype, getter);
          assert.deepEqual(outcome(() => get.call(receiver)), [TypeError, 'ERR_INVALID_THIS'], `${name}.${getter}`);
        }
      }
    }
  }
});

test('install defines the four interfaces on any object, and on the global object by default', () => {
  const names = ['TextDecoder', 'TextEncoder', 'TextDecoderStream', 'TextEncoderStream'];
  const check = (target) => {
    for (const name of names) {
      const { value, ...flags } = Object.getOwnPropertyDescriptor(target, name);
      assert.deepEqual([value === index[name], flags], [true, { writable: true, enumerable: false, configurable: true }], name);
    }
  };
  for (const target of [{}, () => {}, Object.create(null), [], { TextDecoder: 1 }, Object.create({ TextDecoder: 1 })]) {
    const before = Object.getOwnPropertyNames(target);
    assert.equal(index.install(target), undefined);
    check(target);
    assert.deepEqual(new Set(Object.getOwnPropertyNames(target)), new Set([...before, ...names]));
  }
  for (const none of [null, 1, 'a', true, 1n, Symbol('a')]) assert.deepEqual(outcome(() => index.install(none)), [TypeError, 'ERR_INVALID_ARG_TYPE']);
  assert.throws(() => index.install(Object.freeze({})), TypeError);
  const saved = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
  for (const absent of [[], [undefined]]) {
    try {
      index.install(...absent);
      check(globalThis);
    } finally {
      names.forEach((name, at) => Object.defineProperty(globalThis, name, saved[at]));
    }
  }
});

test('what a function has returned is the program\'s, and later results do not depend on it', () => {
  const { encode, encodeOrFail, TextEncoder } = index;
  const spoil = (value) => {
    if (value instanceof Uint8Array) value.fill(0);
    else if (Array.isArray(value)) value.splice(0).forEach(spoil);
    else if (typeof value === 'object' && value !== null) for (const [key, member] of Object.entries(value)) { spoil(member); value[key] = 'spoilt'; }
  };
  const encoder = new TextEncoder();
  const ofCharset = new charsets.CharsetEncoder('cp037');
  const malformed = () => outcome(() => { try { index.decodeOrFail(Uint8Array.of(0x82, 0xff), 'sjis'); } catch (error) { return error.bytes; } });
  const malformedInCharset = () => { try { charsets.decodeOrFail(Uint8Array.of(0x61, 0xe9), 'exact-ascii'); } catch (error) { return error.bytes; } };
  for (const call of [
    () => encode('é', 'koi8-u'), () => encode('é'), () => encodeOrFail('é'), () => encoder.encode('é'), () => encoder.encode('é'.repeat(99)), () => encode('é'.repeat(40_000), 'gbk'),
    () => ofCharset.encode('abc'), () => ofCharset.encode('a'.repeat(99_999), { stream: true }), () => charsets.encode('a', 'cp037'), () => charsets.charsets(),
    () => charsets.lookup('cp037'), () => detection.detect(BYTES), malformed, malformedInCharset,
  ]) {
    const first = call();
    const copy = structuredClone(first);
    assert.deepEqual(first, copy);
    const second = call();
    spoil(first);
    assert.deepEqual([second, call()], [copy, copy], `${call}`);
  }
});

test('an object goes on after each error', () => {
  const { TextDecoder } = index;
  for (const Class of [TextDecoder, charsets.CharsetDecoder]) {
    for (const fatal of [false, true]) {
      const decoder = new Class('shift_jis', { fatal });
      assert.equal(decoder.decode(Uint8Array.of(0x61, 0x83), { stream: true }), 'a');
      for (const wrong of [() => decoder.decode('a'), () => decoder.decode(null), () => decoder.decode(BYTES, 1), () => decoder.decode(BYTES, { get stream() { throw new Error(); } })]) assert.throws(wrong);
      assert.equal(decoder.decode(Uint8Array.of(0x65)), 'テ', `${Class.name}, ${fatal}`);
      assert.equal(decoder.decode(Uint8Array.of(0x65)), 'e');
    }
  }
  const encoder = new charsets.CharsetEncoder('gb18030');
  assert.equal(encoder.encode('\ud83d', { stream: true }).length, 0);
  for (const wrong of [() => encoder.encode(Symbol('a')), () => encoder.encode('a', 1)]) assert.throws(wrong);
  assert.equal(charsets.decode(encoder.encode('\ude00'), 'gb18030'), '😀');
  const detector = new detection.Detector();
  detector.feed(BYTES.subarray(0, 6));
  for (const wrong of ['abc', null, undefined, 1]) assert.throws(() => detector.feed(wrong), TypeError);
  detector.feed(BYTES.subarray(6));
  assert.deepEqual(detector.finish(), detection.detect(BYTES));
  for (const call of [() => detector.feed(BYTES), () => detector.bestSoFar(), () => detector.finish()]) {
    assert.throws(call, { name: 'Error', code: 'ERR_INVALID_STATE', message: 'The detector is finished' });
  }
});
