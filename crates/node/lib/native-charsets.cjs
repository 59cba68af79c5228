'use strict';
// The charsets of the native half. A stream is a number.

const native = require('./native.cjs');

module.exports = {
  __proto__: null,
  all: () => native.withNothing('charsets', 0),
  /** The facts about a charset as JSON, or a string that says why the name is refused. */
  lookUp: (name) => native.withString('lookUpCharset', 0, 0, name),
  /** The number of a new stream, or a string that says why the name is refused. */
  decoder: (name, flags) => native.withString('newCharsetDecoder', 0, flags, name),
  encoder: (name, flags) => native.withString('newCharsetEncoder', 0, flags, name),
  /** The result for the next part of a stream, or undefined for an error, which `error` describes. */
  decode: (stream, bytes, flags) => native.withBytes('decodeCharset', stream, flags, bytes),
  encode: native.encodeCharset,
  error: () => native.withNothing('charsetError', 0),
  forgetDecoder(stream) {
    native.withNothing('forgetCharsetDecoder', stream);
  },
  forgetEncoder(stream) {
    native.withNothing('forgetCharsetEncoder', stream);
  },
};
