'use strict';
// Charsets that the Encoding Standard does not have, beside those that it has.

const charsets = require('./lib/charsets.cjs');

exports.charsets = charsets.charsets;
exports.lookup = charsets.lookup;
exports.decode = charsets.decode;
exports.decodeOrFail = charsets.decodeOrFail;
exports.encode = charsets.encode;
exports.encodeOrFail = charsets.encodeOrFail;
exports.CharsetDecoder = charsets.CharsetDecoder;
exports.CharsetEncoder = charsets.CharsetEncoder;
