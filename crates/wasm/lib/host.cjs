'use strict';
// The parts of browsers and workers that the scripts of crates/node/lib need besides the language, in the place of
// crates/node/lib/host.cjs.

const { TransformStream } = globalThis;
const { bind, call } = Function.prototype;
const uncurryThis = bind.bind(call);
const getter = (prototype, key) => uncurryThis(Object.getOwnPropertyDescriptor(prototype, key).get);
const HostTypeError = TypeError;

// A page that is not isolated has no global SharedArrayBuffer, but it can have objects of this class.
const SharedArrayBuffer = new WebAssembly.Memory({ initial: 0, maximum: 0, shared: true }).buffer.constructor;
const byteLength = getter(ArrayBuffer.prototype, 'byteLength');
const sharedByteLength = getter(SharedArrayBuffer.prototype, 'byteLength');

/** Whether a getter accepts a value. The getters of buffers throw a TypeError for all other objects. */
function accepts(get, value) {
  try {
    get(value);
    return true;
  } catch (error) {
    // Near the end of the stack there are other errors, which say nothing about the value.
    if (!(error instanceof HostTypeError)) throw error;
    return false;
  }
}

const isSharedArrayBuffer = (value) => accepts(sharedByteLength, value);
const isAnyArrayBuffer = (value) => accepts(byteLength, value) || isSharedArrayBuffer(value);

/** The controller's class is not a global in every engine. Its prototype can be had from an object. */
function controllerClass() {
  let controller;
  new TransformStream({ start(given) { controller = given; } });
  return controller.constructor;
}

module.exports = {
  __proto__: null,
  TransformStream,
  TransformStreamDefaultController: controllerClass(),
  isAnyArrayBuffer,
  isSharedArrayBuffer,
  // Scripts of pages cannot make structuredClone reject an object of a class.
  markAsUncloneable() {},
};
