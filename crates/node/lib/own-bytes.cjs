'use strict';
// Bytes that no other thread can write to.

const { Uint8Array, isSharedArrayBuffer, typedArrayBuffer, typedArrayByteLength, typedArrayByteOffset, typedArraySet } =
  require('./primordials.cjs');
const { checkBufferSource, toBytes } = require('./webidl.cjs');

/** The bytes of a buffer source as a Uint8Array. Shared memory is copied. */
function ownBytes(source, what) {
  checkBufferSource(source, what);
  const bytes = toBytes(source);
  const length = typedArrayByteLength(bytes);
  // An array with a detached buffer has no buffer to ask.
  if (length === 0 || !isSharedArrayBuffer(typedArrayBuffer(bytes))) return bytes;
  const copy = new Uint8Array(length);
  // Another thread can make the buffer grow, so the length that was counted is used.
  typedArraySet(copy, new Uint8Array(typedArrayBuffer(bytes), typedArrayByteOffset(bytes), length));
  return copy;
}

module.exports = { __proto__: null, ownBytes };
