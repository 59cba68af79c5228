'use strict';
// https://webidl.spec.whatwg.org/#js-type-mapping: from JavaScript values to what the interfaces take.

const {
  TypeError,
  Uint8Array,
  create,
  dataViewBuffer,
  dataViewByteLength,
  dataViewByteOffset,
  defineProperty,
  getPrototypeOf,
  isAnyArrayBuffer,
  isView,
  markAsUncloneable,
  setPrototypeOf,
  typedArrayBuffer,
  typedArrayByteLength,
  typedArrayByteOffset,
  typedArrayName,
  uncurryThis,
} = require('./primordials.cjs');

// https://nodejs.org/api/util.html#utilinspectcustom
const inspectCustom = Symbol.for('nodejs.util.inspect.custom');

const NO_BYTES = new Uint8Array(0);
const NOTHING = { __proto__: null };
const TypeErrorPrototype = TypeError.prototype;

/** Sets a property, whatever setters there are. */
function define(object, key, value) {
  return defineProperty(object, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
}

/** An error with a code, as Node.js has them. */
function withCode(error, code) {
  return define(error, 'code', code);
}

function invalidArgument(message) {
  return withCode(new TypeError(message), 'ERR_INVALID_ARG_TYPE');
}

function illegalInvocation() {
  return withCode(new TypeError('Illegal invocation'), 'ERR_INVALID_THIS');
}

/** `value` if it can be an instance of a class; else an object that is none, so that the operator `in` can be asked. */
function receiver(value) {
  return (typeof value === 'object' && value !== null) || typeof value === 'function' ? value : NOTHING;
}

/**
 * https://webidl.spec.whatwg.org/#internally-create-a-new-object-implementing-the-interface: where `newTarget` has no prototype to
 * give, the object has that of the interface. A class gives it that of Object, whose own prototype is null: only where that is so
 * `newTarget` is asked again.
 */
function fallBack(object, newTarget, { prototype }) {
  if (getPrototypeOf(getPrototypeOf(object)) !== null) return;
  const given = newTarget.prototype;
  if ((typeof given !== 'object' && typeof given !== 'function') || given === null) setPrototypeOf(object, prototype);
}

/** https://webidl.spec.whatwg.org/#js-dictionary: the first step of all members; undefined if there are none to read. */
function toDictionary(value, name) {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object' && typeof value !== 'function') {
    throw invalidArgument(`The ${name} must be an object, null or undefined`);
  }
  return value;
}

/** https://webidl.spec.whatwg.org/#AllowSharedBufferSource: only whether it is one. */
function isBufferSource(value) {
  return isView(value) || isAnyArrayBuffer(value);
}

/** Throws what the conversion to AllowSharedBufferSource throws. */
function checkBufferSource(value, what) {
  if (!isBufferSource(value)) {
    throw invalidArgument(`The ${what} must be an ArrayBuffer, a SharedArrayBuffer or a view of one`);
  }
}

/**
 * The bytes held by a buffer source, in place, as a Uint8Array. There are none if it is detached or its view out of bounds.
 * https://webidl.spec.whatwg.org/#dfn-get-buffer-source-copy
 */
function toBytes(source) {
  const name = typedArrayName(source);
  if (name === 'Uint8Array') return source;
  if (name !== undefined) {
    const length = typedArrayByteLength(source);
    return length === 0 ? NO_BYTES : new Uint8Array(typedArrayBuffer(source), typedArrayByteOffset(source), length);
  }
  // The getters of a DataView throw a TypeError if it is detached or out of bounds, and so does a new array of a detached buffer. Any other
  // error is not about the buffer: near the end of the stack it is a RangeError, which the caller has to see.
  try {
    if (!isView(source)) return new Uint8Array(source);
    return new Uint8Array(dataViewBuffer(source), dataViewByteOffset(source), dataViewByteLength(source));
  } catch (error) {
    if (getPrototypeOf(error) !== TypeErrorPrototype) throw error;
    return NO_BYTES;
  }
}

/** https://webidl.spec.whatwg.org/#define-the-operations: enumerable, unlike what a class has; and the class string. */
function defineInterface(constructor, members) {
  const { prototype } = constructor;
  const descriptors = { __proto__: null };
  const getters = { __proto__: null };
  for (const member of members) {
    descriptors[member] = { __proto__: null, enumerable: true };
    const { get } = Object.getOwnPropertyDescriptor(prototype, member);
    if (get !== undefined) getters[member] = uncurryThis(get);
  }
  descriptors[Symbol.toStringTag] = { __proto__: null, value: constructor.name, configurable: true };
  descriptors[inspectCustom] = { __proto__: null, value: inspectWith(getters), writable: true, configurable: true };
  Object.defineProperties(prototype, descriptors);
}

/** The method that `console.log` and `util.inspect` of Node.js ask for what to show: an object of the class that has the attributes. */
function inspectWith(getters) {
  return function inspect() {
    const descriptors = { __proto__: null };
    try {
      for (const name in getters) descriptors[name] = { __proto__: null, value: getters[name](this), enumerable: true };
    } catch (error) {
      // `this` is no instance of the class: it is the prototype, or an object that this function has returned.
      if (error.code !== 'ERR_INVALID_THIS') throw error;
      return this;
    }
    return create(getPrototypeOf(this), descriptors);
  };
}

module.exports = {
  __proto__: null,
  NO_BYTES,
  checkBufferSource,
  define,
  defineInterface,
  fallBack,
  illegalInvocation,
  invalidArgument,
  markAsUncloneable,
  receiver,
  toBytes,
  toDictionary,
  withCode,
};
