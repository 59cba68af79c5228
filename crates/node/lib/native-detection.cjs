'use strict';
// The detectors of the native half. A detector is a number.

const native = require('./native.cjs');

module.exports = {
  __proto__: null,
  /** The number of a new detector, or a string that says why the options are refused. */
  start: (options) => native.withString('newDetector', 0, 0, options),
  feed(detector, bytes) {
    native.withBytes('feedDetector', detector, 0, bytes);
  },
  bestSoFar: (detector) => native.withNothing('bestSoFar', detector),
  /** The answer for the whole text. The number means nothing afterwards. */
  finish: (detector) => native.withNothing('finishDetector', detector),
  forget(detector) {
    native.withNothing('forgetDetector', detector);
  },
};
