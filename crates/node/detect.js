'use strict';
// The detector alone.

const detection = require('./lib/detection.cjs');

exports.detect = detection.detect;
exports.Detector = detection.Detector;
