'use strict';
// https://webidl.spec.whatwg.org/#js-type-mapping: from JavaScript values to the types of the interfaces.

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

/** Defines a property. Setters of prototypes are not called. */
function define(object, key, value) {
  return defineProperty(object, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
}

/** Adds a code to an error, as Node.js does. */
function withCode(error, code) {
  return define(error, 'code', code);
}

function invalidArgument(message) {
  return withCode(new TypeError(message), 'ERR_INVALID_ARG_TYPE');
}

function illegalInvocation() {
  return withCode(new TypeError('Illegal invocation'), 'ERR_INVALID_THIS');
}

/**
 * Returns `value` if it is an object, and else an object without private members. The operator `in` needs an object.
 */
function receiver(value) {
  return (typeof value === 'object' && value !== null) || typeof value === 'function' ? value : NOTHING;
}

/**
 * https://webidl.spec.whatwg.org/#internally-create-a-new-object-implementing-the-interface: if the `prototype` of
 * `newTarget` is no object, the new object gets the prototype of the interface. JavaScript gives such an object the
 * prototype of Object, whose own prototype is null; `newTarget` is asked only in this case.
 */
function fallBack(object, newTarget, { prototype }) {
  if (getPrototypeOf(getPrototypeOf(object)) !== null) return;
  const given = newTarget.prototype;
  if ((typeof given !== 'object' && typeof given !== 'function') || given === null) setPrototypeOf(object, prototype);
}

/**
 * https://webidl.spec.whatwg.org/#js-dictionary, the steps before members are read. Undefined means that there are no
 * members.
 */
function toDictionary(value, name) {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object' && typeof value !== 'function') {
    throw invalidArgument(`The ${name} must be an object, null or undefined`);
  }
  return value;
}

/** Whether a value is an https://webidl.spec.whatwg.org/#AllowSharedBufferSource. */
function isBufferSource(value) {
  return isView(value) || isAnyArrayBuffer(value);
}

/** Throws if a value cannot be converted to AllowSharedBufferSource. */
function checkBufferSource(value, what) {
  if (!isBufferSource(value)) {
    throw invalidArgument(`The ${what} must be an ArrayBuffer, a SharedArrayBuffer or a view of one`);
  }
}

/**
 * The bytes of a buffer source as a Uint8Array, without a copy. The array is empty if the buffer is detached or the
 * view out of bounds.
 * https://webidl.spec.whatwg.org/#dfn-get-buffer-source-copy
 */
function toBytes(source) {
  const name = typedArrayName(source);
  if (name === 'Uint8Array') return source;
  if (name !== undefined) {
    const length = typedArrayByteLength(source);
    return length === 0 ? NO_BYTES : new Uint8Array(typedArrayBuffer(source), typedArrayByteOffset(source), length);
  }
  // The getters of a DataView throw a TypeError if its buffer is detached or the view out of bounds, and so does the
  // constructor of an array. Other errors are thrown again: near the end of the stack, a RangeError says nothing about
  // the buffer.
  try {
    if (!isView(source)) return new Uint8Array(source);
    return new Uint8Array(dataViewBuffer(source), dataViewByteOffset(source), dataViewByteLength(source));
  } catch (error) {
    if (getPrototypeOf(error) !== TypeErrorPrototype) throw error;
    return NO_BYTES;
  }
}

/**
 * https://webidl.spec.whatwg.org/#define-the-operations: members are enumerable, which members of a class are not. Also
 * adds the class string.
 */
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

/**
 * The method that `console.log` and `util.inspect` of Node.js call. It returns an object with the values of the
 * attributes.
 */
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
