'use strict';
// The exports of the package: those of the Node package, and `sniff`.

const textcodec = require('../../node/lib/standard.cjs');
const { checkBufferSource, toBytes } = require('../../node/lib/webidl.cjs');
const native = require('../../node/lib/native.cjs');

/** Finds out the encoding of a resource, with the ladder of its context. `lib/engine.mjs` describes the result. */
function sniff(bytes, context = undefined, hints = undefined) {
  checkBufferSource(bytes, 'bytes');
  return native.sniff(toBytes(bytes), context, hints ?? {});
}

module.exports = { ...textcodec, contexts: native.contexts, encodings: native.encodings, sniff };
