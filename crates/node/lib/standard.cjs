'use strict';
// The Encoding Standard: https://encoding.spec.whatwg.org/. The package for browsers has the same exports.

const { TextDecoder } = require('./text-decoder.cjs');
const { TextEncoder } = require('./text-encoder.cjs');
const { TextDecoderStream, TextEncoderStream } = require('./streams.cjs');
const { invalidArgument } = require('./webidl.cjs');
const hooks = require('./hooks.cjs');

/** Replaces the four global interfaces, or defines them on `target`. */
function install(target = globalThis) {
  if ((typeof target !== 'object' && typeof target !== 'function') || target === null) {
    throw invalidArgument('The target must be an object');
  }
  for (const value of [TextDecoder, TextEncoder, TextDecoderStream, TextEncoderStream]) {
    Object.defineProperty(target, value.name, { value, writable: true, enumerable: false, configurable: true });
  }
}

exports.TextDecoder = TextDecoder;
exports.TextEncoder = TextEncoder;
exports.TextDecoderStream = TextDecoderStream;
exports.TextEncoderStream = TextEncoderStream;
exports.decode = hooks.decode;
exports.decodeOrFail = hooks.decodeOrFail;
exports.encode = hooks.encode;
exports.encodeOrFail = hooks.encodeOrFail;
exports.bomSniff = hooks.bomSniff;
exports.labelToName = hooks.labelToName;
exports.percentEncodeAfterEncoding = hooks.percentEncodeAfterEncoding;
exports.install = install;
