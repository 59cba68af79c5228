'use strict';
// The engine in the place of the scripts of crates/node/lib that call the native half. `scripts/build.mjs` puts this
// file into a function whose parameter is the engine.

/* global engine */
module.exports = engine;
