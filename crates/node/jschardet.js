'use strict';
// The interface of the npm package `jschardet`, over this package's detector.

module.exports = require('./lib/jschardet.cjs');
