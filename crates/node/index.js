'use strict';
// The Encoding Standard: https://encoding.spec.whatwg.org/, and the detector.

const standard = require('./lib/standard.cjs');
const detection = require('./lib/detection.cjs');

exports.TextDecoder = standard.TextDecoder;
exports.TextEncoder = standard.TextEncoder;
exports.TextDecoderStream = standard.TextDecoderStream;
exports.TextEncoderStream = standard.TextEncoderStream;
exports.decode = standard.decode;
exports.decodeOrFail = standard.decodeOrFail;
exports.encode = standard.encode;
exports.encodeOrFail = standard.encodeOrFail;
exports.bomSniff = standard.bomSniff;
exports.labelToName = standard.labelToName;
exports.percentEncodeAfterEncoding = standard.percentEncodeAfterEncoding;
exports.install = standard.install;
exports.detect = detection.detect;
exports.Detector = detection.Detector;
