'use strict';
// Makes `@textcodec/node` mean this package in every module and script, so that the tests of the Node package run over
// it: `node --require ./test/support/in-place.cjs --test …`. `scripts/test.mjs` makes the file for `require`.
const Module = require('node:module');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

const dist = join(__dirname, '../../dist');
const resolve = Module._resolveFilename;
Module._resolveFilename = function (name, ...rest) {
  return name === '@textcodec/node' ? join(dist, 'test/textcodec.cjs') : resolve.call(this, name, ...rest);
};

const url = pathToFileURL(join(dist, 'textcodec.mjs')).href;
const hook = `export const resolve = (name, context, next) => (name === '@textcodec/node' ? { url: ${JSON.stringify(url)}, shortCircuit: true } : next(name, context));`;
Module.register(`data:text/javascript,${encodeURIComponent(hook)}`);
