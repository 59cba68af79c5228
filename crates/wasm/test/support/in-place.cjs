'use strict';
// Makes `@textcodec/node` mean this package in every module and script, so that the tests of the Node package run over
// it: `node --require ./test/support/in-place.cjs --test …`. `scripts/test.mjs` makes the file for `require`.
const Module = require('node:module');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

const dist = join(__dirname, '../../dist');
// The entries of the Node package that this package has, too.
const ENTRIES = ['detect', 'charsets', 'chardet', 'jschardet'];
const resolve = Module._resolveFilename;
Module._resolveFilename = function (name, ...rest) {
  return name === '@textcodec/node' ? join(dist, 'test/textcodec.cjs') : resolve.call(this, name, ...rest);
};

const urls = { '@textcodec/node': pathToFileURL(join(dist, 'textcodec.mjs')).href };
for (const entry of ENTRIES) urls[`@textcodec/node/${entry}`] = pathToFileURL(join(dist, `${entry}.mjs`)).href;
const hook = `const urls = ${JSON.stringify(urls)};
export const resolve = (name, context, next) => (Object.hasOwn(urls, name) ? { url: urls[name], shortCircuit: true } : next(name, context));`;
Module.register(`data:text/javascript,${encodeURIComponent(hook)}`);
