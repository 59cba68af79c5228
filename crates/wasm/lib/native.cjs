'use strict';
// The engine in the place of crates/node/lib/native.cjs. `scripts/build.mjs` puts this file into a function whose
// parameter is the engine.

/* global engine */
module.exports = engine;
