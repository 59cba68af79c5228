// The rules of Web IDL for the four interfaces: https://webidl.spec.whatwg.org/#js-interfaces
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { runInNewContext } from 'node:vm';
import workers from 'node:worker_threads';
import * as textcodec from '@textcodec/node';

const { TextDecoder, TextEncoder, TextDecoderStream, TextEncoderStream } = textcodec;

const INTERFACES = [
  { constructor: TextDecoder, attributes: ['encoding', 'fatal', 'ignoreBOM'], operations: { decode: 0 } },
  { constructor: TextEncoder, attributes: ['encoding'], operations: { encode: 0, encodeInto: 2 } },
  {
    constructor: TextDecoderStream,
    attributes: ['encoding', 'fatal', 'ignoreBOM', 'readable', 'writable'],
    operations: {},
  },
  { constructor: TextEncoderStream, attributes: ['encoding', 'readable', 'writable'], operations: {} },
];

test('Node.js shows the attributes', () => {
  assert.equal(
    inspect(new TextDecoder('sjis', { fatal: true })), "TextDecoder { encoding: 'shift_jis', fatal: true, ignoreBOM: false }",
  );
  assert.equal(inspect(new TextEncoder()), "TextEncoder { encoding: 'utf-8' }");
  assert.match(inspect(new TextDecoderStream()), /^TextDecoderStream \{\s+encoding: 'utf-8',[^]*readable: ReadableStream/);
  assert.match(inspect(new TextEncoderStream()), /^TextEncoderStream \{\s+encoding: 'utf-8',[^]*writable: WritableStream/);
  assert.match(inspect(new (class Mine extends TextDecoder {})()), /^Mine .*\{\s+encoding: 'utf-8'/);
  for (const { constructor } of INTERFACES) {
    assert.equal(inspect(constructor.prototype).includes('encoding: [Getter]'), true);
    inspect(Object.create(constructor.prototype));
  }
});

for (const { constructor, attributes, operations } of INTERFACES) {
  const { name, prototype } = constructor;

  test(`${name} is an interface object`, () => {
    assert.equal(Object.getPrototypeOf(constructor), Function.prototype);
    assert.deepEqual(Object.getOwnPropertyDescriptor(constructor, 'length'), {
      value: 0, writable: false, enumerable: false, configurable: true,
    });
    assert.deepEqual(Object.getOwnPropertyDescriptor(constructor, 'name'), {
      value: name, writable: false, enumerable: false, configurable: true,
    });
    assert.deepEqual(Object.getOwnPropertyDescriptor(constructor, 'prototype'), {
      value: prototype, writable: false, enumerable: false, configurable: false,
    });
    assert.throws(() => constructor(), TypeError, 'without new');
    assert.deepEqual(Object.keys(constructor), []);
  });

  test(`${name}.prototype has exactly the members`, () => {
    assert.equal(Object.getPrototypeOf(prototype), Object.prototype);
    assert.deepEqual(Object.getOwnPropertyDescriptor(prototype, 'constructor'), {
      value: constructor, writable: true, enumerable: false, configurable: true,
    });
    assert.deepEqual(Object.getOwnPropertyDescriptor(prototype, Symbol.toStringTag), {
      value: name, writable: false, enumerable: false, configurable: true,
    });
    const members = [...attributes, ...Object.keys(operations)];
    const ofNode = inspect.custom;
    assert.deepEqual(new Set(Reflect.ownKeys(prototype)), new Set([...members, 'constructor', Symbol.toStringTag, ofNode]));
    assert.deepEqual(new Set(Object.keys(prototype)), new Set(members));
    assert.equal(String(prototype), `[object ${name}]`);
    assert.equal(String(new constructor()), `[object ${name}]`);
    // Deno marks uncloneable objects with a symbol.
    const own = Reflect.ownKeys(new constructor()).filter((key) => String(key) !== 'Symbol([[Uncloneable]])');
    assert.deepEqual(own, []);
  });

  test(`the attributes of ${name} are getters that check their object`, () => {
    for (const attribute of attributes) {
      const descriptor = Object.getOwnPropertyDescriptor(prototype, attribute);
      assert.deepEqual(
        { ...descriptor, get: undefined },
        { get: undefined, set: undefined, enumerable: true, configurable: true },
      );
      assert.equal(descriptor.get.name, `get ${attribute}`);
      assert.equal(descriptor.get.length, 0);
      for (const other of [undefined, null, 1, 'a', {}, prototype, Object.create(new constructor()), () => {}]) {
        assert.throws(() => descriptor.get.call(other), { name: 'TypeError', code: 'ERR_INVALID_THIS', message: 'Illegal invocation' });
      }
      const object = new constructor();
      const before = object[attribute];
      assert.throws(() => { object[attribute] = 'x'; }, TypeError);
      assert.equal(object[attribute], before, 'the same each time');
    }
  });

  test(`the operations of ${name} check their object`, () => {
    for (const [operation, length] of Object.entries(operations)) {
      const descriptor = Object.getOwnPropertyDescriptor(prototype, operation);
      assert.deepEqual(
        { ...descriptor, value: undefined },
        { value: undefined, writable: true, enumerable: true, configurable: true },
      );
      assert.equal(descriptor.value.name, operation);
      assert.equal(descriptor.value.length, length);
      assert.throws(() => new descriptor.value(), TypeError);
      for (const other of [undefined, null, 1, {}, prototype, new TextDecoderStream()]) {
        const call = () => descriptor.value.call(other, 'a', new Uint8Array(1));
        assert.throws(call, { name: 'TypeError', code: 'ERR_INVALID_THIS', message: 'Illegal invocation' });
      }
    }
  });

  test(`structuredClone rejects a ${name}`, { skip: !workers.markAsUncloneable && 'Node.js before 22.10 offers no way to reject' }, () => {
    assert.throws(() => structuredClone(new constructor()), { name: 'DataCloneError' });
    assert.throws(() => structuredClone(new (class extends constructor {})()), { name: 'DataCloneError' });
  });

  test(`${name} can be extended`, () => {
    class Extended extends constructor {
      get encoding() { return `extended ${super.encoding}`; }
    }
    const object = new Extended();
    assert.ok(object instanceof constructor && object instanceof Extended);
    assert.equal(object.encoding, 'extended utf-8');
    assert.equal(String(object), `[object ${name}]`);
    class Other {}
    assert.equal(Object.getPrototypeOf(Reflect.construct(constructor, [], Other)), Other.prototype);
  });

  test(`${name} gets its own prototype if the new target has none`, () => {
    for (const none of [null, undefined, 1, 'a', Symbol('a')]) {
      function Other() {}
      Other.prototype = none;
      const object = Reflect.construct(constructor, [], Other);
      assert.equal(Object.getPrototypeOf(object), prototype);
      assert.equal(object.encoding, 'utf-8');
      assert.equal(Object.getPrototypeOf(Reflect.construct(constructor, [], new Proxy(Other, {}))), prototype);
      assert.equal(Object.getPrototypeOf(Reflect.construct(constructor, [], Other.bind())), prototype);
    }
    // A function of another realm has another Object.prototype.
    const foreign = runInNewContext('(function () {})');
    foreign.prototype = null;
    assert.equal(Object.getPrototypeOf(Reflect.construct(constructor, [], foreign)), prototype);
    // Any object is accepted as a prototype, also Object.prototype.
    for (const given of [Object.prototype, Object.create(null), Array.prototype, () => {}]) {
      function Other() {}
      Other.prototype = given;
      assert.equal(Object.getPrototypeOf(Reflect.construct(constructor, [], Other)), given);
    }
  });
}

for (const constructor of [TextDecoder, TextDecoderStream]) {
  test(`${constructor.name} converts the label, then the options in order, and only then gets an encoding`, () => {
    const log = [];
    const label = { toString() { log.push('label'); return 'nothing'; } };
    const options = {
      get ignoreBOM() { log.push('ignoreBOM'); return 0; },
      get fatal() { log.push('fatal'); return ''; },
      get other() { log.push('other'); return 1; },
    };
    assert.throws(() => new constructor(label, options), RangeError);
    assert.deepEqual(log, ['label', 'fatal', 'ignoreBOM']);
    assert.throws(() => new constructor('nothing', 1), TypeError, 'the dictionary comes before the label is looked up');
    assert.throws(() => new constructor(Symbol('utf-8')), TypeError);
    for (const which of ['fatal', 'ignoreBOM']) {
      const error = new Error(which);
      assert.throws(() => new constructor('utf-8', { get [which]() { throw error; } }), error);
    }
  });

  test(`${constructor.name} accepts all values that Web IDL can convert`, () => {
    assert.equal(new constructor(undefined).encoding, 'utf-8');
    assert.equal(new constructor({ toString: () => 'SJIS' }).encoding, 'shift_jis');
    assert.equal(new constructor(['koi8-r']).encoding, 'koi8-r');
    for (const options of [undefined, null, {}, [], () => {}, new Date(), { fatal: undefined, ignoreBOM: undefined }]) {
      const object = new constructor('utf-8', options);
      assert.deepEqual([object.fatal, object.ignoreBOM], [false, false]);
    }
    for (const truthy of [true, 1, 'false', {}, [], Symbol('a')]) {
      const object = new constructor('utf-8', { fatal: truthy, ignoreBOM: truthy });
      assert.deepEqual([object.fatal, object.ignoreBOM], [true, true]);
    }
    for (const falsy of [false, 0, '', null, NaN, 0n]) {
      const object = new constructor('utf-8', { fatal: falsy, ignoreBOM: falsy });
      assert.deepEqual([object.fatal, object.ignoreBOM], [false, false]);
    }
    for (const options of [true, 1, 'a', Symbol('a'), 1n]) {
      assert.throws(() => new constructor('utf-8', options), TypeError);
    }
    for (const label of [null, 1, {}, true]) assert.throws(() => new constructor(label), RangeError);
    const inherited = Object.create({ fatal: true });
    assert.equal(new constructor('utf-8', inherited).fatal, true);
  });
}

test('a failed conversion leaves a decoder as it is', () => {
  const decoder = new TextDecoder();
  decoder.decode(new Uint8Array([0xe2, 0x82]), { stream: true });
  for (const input of [null, 1, 'a', true, {}, [0xac], Symbol('a'), () => {}, new Proxy(new Uint8Array(1), {})]) {
    assert.throws(() => decoder.decode(input), TypeError);
    assert.throws(() => decoder.decode(input, { get stream() { throw new RangeError('the input comes first'); } }), TypeError);
  }
  for (const options of [1, 'a', true, Symbol('a')]) {
    assert.throws(() => decoder.decode(new Uint8Array([0xac]), options), TypeError);
  }
  const error = new Error('stream');
  assert.throws(() => decoder.decode(new Uint8Array([0xac]), { get stream() { throw error; } }), error);
  assert.equal(decoder.decode(new Uint8Array([0xac])), '€');
});

test('only stream is read of the options of decode', () => {
  const decoder = new TextDecoder();
  for (const options of [undefined, null, {}, () => {}, { stream: 0 }]) {
    assert.equal(decoder.decode(new Uint8Array([0xe2]), options), '\u{fffd}');
  }
  assert.equal(decoder.decode(new Uint8Array([0xe2]), { stream: 'yes' }), '');
  assert.equal(decoder.decode(undefined, { stream: 1 }), '');
  assert.equal(decoder.decode(), '\u{fffd}');
});

test('the bytes are read after the option', () => {
  const bytes = new Uint8Array([0x61]);
  const options = { get stream() { bytes[0] = 0x62; return false; } };
  assert.equal(new TextDecoder().decode(bytes, options), 'b');
  const detach = { get stream() { structuredClone(bytes.buffer, { transfer: [bytes.buffer] }); return false; } };
  assert.equal(new TextDecoder().decode(bytes, detach), '');
  // A view without a length of its own is as long as its buffer is after the option.
  for (const View of [Uint8Array, Uint16Array, DataView]) {
    const buffer = new ArrayBuffer(2, { maxByteLength: 4 });
    if (!buffer.resizable) return;
    const view = new View(buffer);
    const grow = { get stream() { buffer.resize(4); return false; } };
    assert.equal(new TextDecoder().decode(view, grow), '\0'.repeat(4), View.name);
  }
});

test('encode and encodeInto convert to strings', () => {
  const encoder = new TextEncoder();
  const text = (value) => String.fromCharCode(...encoder.encode(value));
  assert.equal(text(), '');
  assert.equal(text(undefined), '');
  assert.equal(text(null), 'null');
  assert.equal(text(1.5), '1.5');
  assert.equal(text(['a', 'b']), 'a,b');
  assert.equal(text({ toString: () => 'c' }), 'c');
  assert.throws(() => encoder.encode(Symbol('a')), TypeError);
  const destination = new Uint8Array(9);
  assert.deepEqual(encoder.encodeInto(undefined, destination), { read: 9, written: 9 });
  assert.throws(() => encoder.encodeInto(), TypeError);
  assert.throws(() => encoder.encodeInto({ toString() { throw new RangeError('too early'); } }), TypeError);
  const error = new Error('source');
  assert.throws(() => encoder.encodeInto({ toString() { throw error; } }, null), error, 'the source comes first');
  assert.throws(() => encoder.encodeInto(Symbol('a'), destination), TypeError);
  // No other view is a destination, also if its elements are bytes.
  for (const other of [new Uint8ClampedArray(9), new Int8Array(9), new DataView(new ArrayBuffer(9)), new ArrayBuffer(9), Array(9), null]) {
    assert.throws(() => encoder.encodeInto('a', other), { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' });
  }
});

test('the result of encodeInto is a plain object with read and written', () => {
  const result = new TextEncoder().encodeInto('é', new Uint8Array(2));
  assert.equal(Object.getPrototypeOf(result), Object.prototype);
  assert.deepEqual(Object.entries(result), [['read', 1], ['written', 2]]);
});

test('no label changes a TextEncoder', () => {
  for (const label of ['utf-16', 'latin1', {}, Symbol('a')]) assert.equal(new TextEncoder(label).encoding, 'utf-8');
});

test('errors have the codes of Node.js', () => {
  const fatal = new TextDecoder('big5', { fatal: true });
  assert.throws(() => fatal.decode(new Uint8Array([0xff])), {
    name: 'TypeError',
    code: 'ERR_ENCODING_INVALID_ENCODED_DATA',
    message: 'The encoded data was not valid for encoding big5',
  });
  // Each multi-byte encoding has its own name in the message.
  for (const label of ['utf-8', 'gbk', 'gb18030', 'big5', 'euc-jp', 'iso-2022-jp', 'shift_jis', 'euc-kr', 'utf-16be', 'utf-16le']) {
    const message = `The encoded data was not valid for encoding ${label}`;
    assert.throws(() => new TextDecoder(label, { fatal: true }).decode(new Uint8Array([0xff])), { message });
  }
  assert.throws(() => new TextDecoder('a'), { name: 'RangeError', code: 'ERR_ENCODING_NOT_SUPPORTED' });
  assert.throws(() => fatal.decode('a'), { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' });
  assert.throws(() => TextDecoder.prototype.fatal, { name: 'TypeError', code: 'ERR_INVALID_THIS' });
});
