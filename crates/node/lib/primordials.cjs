'use strict';
// Functions of the language and of its host as they were when this package was loaded. A program that changes
// prototypes later does not change results. Iterables other than arrays are still read with the iterator that they
// have.

const { TransformStream, TransformStreamDefaultController, isAnyArrayBuffer, isSharedArrayBuffer, markAsUncloneable } = require('./host.cjs');

const { bind, call } = Function.prototype;
const uncurryThis = bind.bind(call);
const getter = (prototype, key) => uncurryThis(Object.getOwnPropertyDescriptor(prototype, key).get);

const TypedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype);

module.exports = {
  __proto__: null,
  ArrayBuffer,
  Error,
  FinalizationRegistry,
  RangeError,
  TransformStream,
  TypeError,
  Uint32Array,
  Uint8Array,
  create: Object.create,
  defineProperty: Object.defineProperty,
  getPrototypeOf: Object.getPrototypeOf,
  setPrototypeOf: Object.setPrototypeOf,
  uncurryThis,
  isAnyArrayBuffer,
  isSharedArrayBuffer,
  isArray: Array.isArray,
  isView: ArrayBuffer.isView,
  markAsUncloneable,
  iterator: Symbol.iterator,
  fromCharCode: String.fromCharCode,
  arrayBufferByteLength: getter(ArrayBuffer.prototype, 'byteLength'),
  charCodeAt: uncurryThis(String.prototype.charCodeAt),
  codePointAt: uncurryThis(String.prototype.codePointAt),
  jsonParse: JSON.parse,
  stringIndexOf: uncurryThis(String.prototype.indexOf),
  stringPadStart: uncurryThis(String.prototype.padStart),
  stringSlice: uncurryThis(String.prototype.slice),
  stringToUpperCase: uncurryThis(String.prototype.toUpperCase),
  numberToString: uncurryThis(Number.prototype.toString),
  dataViewBuffer: getter(DataView.prototype, 'buffer'),
  dataViewByteLength: getter(DataView.prototype, 'byteLength'),
  dataViewByteOffset: getter(DataView.prototype, 'byteOffset'),
  typedArrayBuffer: getter(TypedArrayPrototype, 'buffer'),
  typedArrayByteLength: getter(TypedArrayPrototype, 'byteLength'),
  typedArrayByteOffset: getter(TypedArrayPrototype, 'byteOffset'),
  typedArraySet: uncurryThis(TypedArrayPrototype.set),
  // The name of an array's constructor, or undefined for any other value.
  typedArrayName: getter(TypedArrayPrototype, Symbol.toStringTag),
  enqueue: uncurryThis(TransformStreamDefaultController.prototype.enqueue),
  transformReadable: getter(TransformStream.prototype, 'readable'),
  transformWritable: getter(TransformStream.prototype, 'writable'),
};
