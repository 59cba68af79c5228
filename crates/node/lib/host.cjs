'use strict';
// The parts of Node.js that the scripts need besides the language. The package for browsers has another script in its
// place.

const { builtin } = require('./modules.cjs');

const { types } = builtin('node:util');
const { TransformStream, TransformStreamDefaultController } = builtin('node:stream/web');

// https://nodejs.org/api/worker_threads.html#worker_threadsmarkasuncloneableobject. Node.js has this function since
// 22.10. Earlier versions offer no way to make structuredClone reject an object of a class.
const { markAsUncloneable = () => {} } = builtin('node:worker_threads');

module.exports = {
  __proto__: null,
  TransformStream,
  TransformStreamDefaultController,
  isAnyArrayBuffer: types.isAnyArrayBuffer,
  isSharedArrayBuffer: types.isSharedArrayBuffer,
  markAsUncloneable,
};
