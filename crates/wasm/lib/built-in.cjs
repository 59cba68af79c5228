'use strict';
// In the place of crates/node/lib/built-in.cjs: the host's own functions encode all UTF-8.

const { encodeInto, encodeUtf8 } = require('./native.cjs');

module.exports = {
  __proto__: null,
  encode: encodeUtf8,
  encodeInto: (string, length, destination) => encodeInto(string, destination),
};
