'use strict';
// Errors that Rust describes with a string: the code of a RangeError, a space, and its message.

const { RangeError, stringIndexOf, stringSlice } = require('./primordials.cjs');
const { withCode } = require('./webidl.cjs');

function refusal(text) {
  const at = stringIndexOf(text, ' ');
  return withCode(new RangeError(stringSlice(text, at + 1)), stringSlice(text, 0, at));
}

module.exports = { __proto__: null, refusal };
