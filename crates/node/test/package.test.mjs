// The package as a whole: how it is loaded, and how it and the program affect each other.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import * as module from '@textcodec/node';

const folder = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

/** The output of a script in a process of its own. */
function run(script, type) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`--input-type=${type}`, '--eval', script], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

test('ESM and CommonJS have the same exports, and the default of ESM has all of them', () => {
  const commonJs = require('@textcodec/node');
  const names = Object.keys(commonJs);
  assert.deepEqual(new Set([...names, 'default']), new Set(Object.keys(module)));
  for (const name of names) assert.equal(module[name], commonJs[name]);
  assert.equal(module.default, commonJs);
});

test('the packed files include all scripts and the licences of the repository', () => {
  const { stdout, stderr } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  assert.notEqual(stdout, '', stderr);
  const files = JSON.parse(stdout)[0].files.map(({ path }) => path);
  const licences = ['LICENSE-APACHE', 'LICENSE-MIT', 'LICENSE-WHATWG'];
  const lib = readdirSync(`${folder}lib`).map((name) => `lib/${name}`);
  const index = ['index.d.mts', 'index.d.ts', 'index.js', 'index.mjs'];
  for (const name of ['charsets', 'chardet', 'detect', 'jschardet']) index.push(`${name}.d.ts`, `${name}.js`);
  assert.deepEqual(files.toSorted(), [...licences, 'README.md', ...index, ...lib, 'package.json', 'textcodec.node'].toSorted());
  for (const name of licences) assert.equal(readFileSync(`${folder}${name}`, 'utf8'), readFileSync(`${folder}../../${name}`, 'utf8'));
});

test('importing leaves the globals alone', () => {
  assert.notEqual(globalThis.TextDecoder, module.TextDecoder);
});

test('install replaces the globals with properties of the same kind', () => {
  const script = `
    const names = ['TextDecoder', 'TextEncoder', 'TextDecoderStream', 'TextEncoderStream'];
    const textcodec = require('@textcodec/node');
    textcodec.install();
    textcodec.install();
    const { writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(globalThis, 'TextDecoder');
    console.log(names.every((name) => globalThis[name] === textcodec[name]), writable, enumerable, configurable);
    console.log(new TextDecoder('iso-8859-16').decode(new Uint8Array([0xa4])));
  `;
  assert.equal(run(script, 'commonjs'), 'true true false true\n€');
});

test('install accepts another target', () => {
  const context = createContext({});
  const before = globalThis.TextDecoder;
  module.install(runInContext('globalThis', context));
  assert.equal(globalThis.TextDecoder, before);
  assert.equal(runInContext("new TextDecoder('koi8-r').encoding + new TextEncoder().encoding", context), 'koi8-rutf-8');
  const target = () => {};
  module.install(target);
  for (const name of ['TextDecoder', 'TextEncoder', 'TextDecoderStream', 'TextEncoderStream']) {
    assert.deepEqual(Object.getOwnPropertyDescriptor(target, name), {
      value: module[name], writable: true, enumerable: false, configurable: true,
    });
  }
  for (const none of [null, 1, 'a']) assert.throws(() => module.install(none), { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' });
});

test('results belong to the realm that loaded the package, however long they are', () => {
  // Some test runners load every module in a context with its own global object.
  const context = createContext({ process, console });
  const cache = new Map();
  const load = (file) => {
    if (cache.has(file)) return cache.get(file).exports;
    const inner = { exports: {} };
    cache.set(file, inner);
    const wrapper = runInContext(`(function (exports, require, module, __filename) {${readFileSync(file, 'utf8')}\n})`, context, { filename: file });
    const from = createRequire(file);
    const requireInner = (name) => (/^\.{1,2}\/.*\.c?js$/.test(name) ? load(from.resolve(name)) : from(name));
    wrapper(inner.exports, requireInner, inner, file);
    return inner.exports;
  };
  const inner = load(require.resolve('@textcodec/node'));
  const InnerUint8Array = runInContext('Uint8Array', context);
  const InnerArrayBuffer = runInContext('ArrayBuffer', context);
  for (const [textcodec, Array_, Buffer_] of [[inner, InnerUint8Array, InnerArrayBuffer], [module, Uint8Array, ArrayBuffer]]) {
    for (const unit of ['a', 'д', '日']) {
      for (const length of [0, 1, 24, 25, 1000, 1365, 1366, 4096, 4097, 100_000]) {
        const text = unit.repeat(length);
        for (const [name, bytes] of Object.entries({
          TextEncoder: new textcodec.TextEncoder().encode(text),
          encode: textcodec.encode(text),
          'encode into GBK': textcodec.encode(text, 'gbk'),
          encodeOrFail: textcodec.encodeOrFail(text, 'gb18030'),
        })) {
          assert.ok(bytes instanceof Array_ && bytes.buffer instanceof Buffer_, `${name} of ${length}`);
          assert.equal(textcodec.decode(bytes, name.startsWith('Text') || name === 'encode' ? 'utf-8' : 'gb18030'), text);
        }
      }
    }
    try {
      textcodec.decodeOrFail(Uint8Array.of(0xff));
      assert.fail('no error');
    } catch (error) {
      assert.ok(error.bytes instanceof Array_);
    }
  }
});

test('install does not change exports of Node.js modules', () => {
  const script = `
    const { TextDecoder } = require('node:util');
    const { TextDecoderStream } = require('node:stream/web');
    require('@textcodec/node').install();
    console.log(require('node:util').TextDecoder === TextDecoder, require('node:stream/web').TextDecoderStream === TextDecoderStream);
  `;
  assert.equal(run(script, 'commonjs'), 'true true');
});

test('changed prototypes do not change results', () => {
  const script = `
    import {
      TextDecoder, TextEncoder, TextDecoderStream, TextEncoderStream, decode, encode, encodeOrFail, bomSniff, labelToName,
      percentEncodeAfterEncoding,
    } from '@textcodec/node';
    const bad = () => { throw new Error('called'); };
    const TypedArray = Object.getPrototypeOf(Uint8Array);
    const arrayIterator = Array.prototype[Symbol.iterator];
    const { stringify } = JSON;
    for (const [object, keys] of [
      [TypedArray, ['from', 'of', Symbol.species]],
      [TypedArray.prototype, ['set', 'subarray', 'slice', 'fill', 'length', 'byteLength', 'byteOffset', 'buffer', Symbol.iterator]],
      [Uint8Array.prototype, ['constructor']],
      [DataView.prototype, ['byteLength', 'byteOffset', 'buffer']],
      [ArrayBuffer.prototype, ['byteLength', 'slice', 'constructor']],
      [String.prototype, [
        'charCodeAt', 'codePointAt', 'toLowerCase', 'toUpperCase', 'trim', 'padStart', 'replace', 'slice', 'split', Symbol.iterator,
      ]],
      [Number.prototype, ['toString']],
      [RegExp.prototype, ['exec', 'test', Symbol.replace]],
      [Map.prototype, ['get', 'has']],
      [Object.prototype, ['start', 'readableType', 'stream', 'fatal', 'codePoint', 'index', 'code']],
      [TransformStream.prototype, ['readable', 'writable']],
      [TransformStreamDefaultController.prototype, ['enqueue']],
      [Array.prototype, ['map', 'push', 'slice', Symbol.iterator]],
    ]) {
      for (let at = 0; at < keys.length; at++) {
        const key = keys[at];
        // An option that every object inherits is read, so it has to be false here.
        const isOption = key === 'stream' || key === 'fatal';
        Object.defineProperty(object, key, { configurable: true, ...(isOption ? { value: false } : { get: bad, set: bad }) });
      }
    }
    const bytes = new Uint8Array(2);
    bytes[0] = 0xc3;
    bytes[1] = 0xa9;
    let all = new TextDecoder('UTF8').decode(bytes) + new TextDecoder().decode(new DataView(new ArrayBuffer(1)));
    all += new TextDecoder().decode(bytes, { stream: true });
    all += new TextEncoder().encode('é')[1] + new TextEncoder().encode('é'.repeat(99))[197];
    all += new TextEncoder().encodeInto('é'.repeat(99), new Uint8Array(400)).written;
    all += new TextEncoder().encodeInto('é'.repeat(99), new Uint8Array(new SharedArrayBuffer(400))).written;
    all += decode(bytes, 'gbk') + encode('☃', 'sjis')[0] + bomSniff(bytes) + labelToName(' Sjis');
    try {
      encodeOrFail('é', 'sjis');
    } catch (error) {
      all += error.message + error.codePoint + error.index + error.code;
    }
    all += percentEncodeAfterEncoding('sjis', 'テ?"', 'query percent-encode set');
    all += percentEncodeAfterEncoding('sjis', 'テab', ['a', 0x62]) + percentEncodeAfterEncoding('sjis', 'ab', (c) => c === 0x61);
    // The streams of Node.js need the iterator of arrays.
    Object.defineProperty(Array.prototype, Symbol.iterator, { value: arrayIterator });
    const stream = new TextDecoderStream();
    stream.writable.getWriter().write(bytes);
    all += (await stream.readable.getReader().read()).value;
    const encoder = new TextEncoderStream();
    const writer = encoder.writable.getWriter();
    writer.write('\u{d83d}');
    writer.close();
    all += (await encoder.readable.getReader().read()).value[0];
    process._rawDebug(stringify(all));
  `;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: folder, encoding: 'utf8' });
  let expected = 'é\0é338198198茅38nullShift_JISU+00E9 at 0 cannot be encoded into Shift_JIS2330ERR_ENCODING_UNMAPPABLE';
  expected += '%83e?%22%83e%61%62%61bé239';
  assert.equal(stderr.trim(), JSON.stringify(expected));
});

test('workers do not share state', async () => {
  const script = `
    const { parentPort } = require('node:worker_threads');
    const { TextDecoder, TextEncoder } = require('@textcodec/node');
    const decoder = new TextDecoder('gbk');
    decoder.decode(new Uint8Array([0xd6]), { stream: true });
    const large = new TextDecoder().decode(new TextEncoder().encode('é€'.repeat(100_000)));
    parentPort.postMessage(decoder.decode(new Uint8Array([0xd0])) + large.length);
  `;
  // A worker from a string resolves packages from the current folder, so this is the package's path.
  const source = script.replace("'@textcodec/node'", JSON.stringify(require.resolve('@textcodec/node')));
  const decoder = new module.TextDecoder('gbk');
  decoder.decode(new Uint8Array([0xd6]), { stream: true });
  const answers = [1, 2, 3].map(() => new Promise((resolve, reject) => {
    new Worker(source, { eval: true }).once('message', resolve).once('error', reject);
  }));
  assert.deepEqual(await Promise.all(answers), ['中200000', '中200000', '中200000']);
  assert.equal(decoder.decode(new Uint8Array([0xd0])), '中');
});

test('large strings live exactly as long as they are used', () => {
  const script = `
    const { TextDecoder } = require('@textcodec/node');
    const decoder = new TextDecoder('shift_jis');
    const bytes = new Uint8Array(1 << 20).fill(0xb1);
    let kept = '';
    for (let n = 0; n < 300; n++) {
      const text = decoder.decode(bytes);
      if (text.length !== bytes.length || text[n] !== 'ｱ') throw new Error('wrong text');
      if (n === 7) kept = text;
      if (n % 20 === 0) gc();
    }
    gc();
    console.log(kept === 'ｱ'.repeat(1 << 20), process.memoryUsage().rss < 500e6);
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', '--eval', script], { cwd: folder, encoding: 'utf8' });
  assert.equal(stdout.trim(), 'true true', stderr);
});

test('decoders that are abandoned in a stream are collected', () => {
  const script = `
    const { TextDecoder } = require('@textcodec/node');
    for (let n = 0; n < 50_000; n++) new TextDecoder('gbk').decode(new Uint8Array([0xd6]), { stream: true });
    gc();
    console.log('alive');
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', '--eval', script], { cwd: folder, encoding: 'utf8' });
  assert.equal(stdout.trim(), 'alive', stderr);
});

test('the native half forgets detectors and streams that are abandoned', () => {
  const script = `
    let count = 0;
    for (const [file, names] of [['detection', ['forget']], ['charsets', ['forgetDecoder', 'forgetEncoder']]]) {
      const native = require('./lib/native-' + file + '.cjs');
      for (const name of names) {
        const forget = native[name];
        native[name] = (number) => {
          count++;
          forget(number);
        };
      }
    }
    const { Detector } = require('@textcodec/node');
    const { CharsetDecoder, CharsetEncoder } = require('@textcodec/node/charsets');
    for (let n = 0; n < 100; n++) {
      new Detector().feed(new Uint8Array(5000).fill(0xe9));
      new CharsetDecoder('cp037').decode(new Uint8Array(1), { stream: true });
      new CharsetEncoder('cp037').encode('a', { stream: true });
    }
    // The constructor of each encoder has tried the charset.
    count -= 100;
    (async () => {
      for (let n = 0; n < 50 && count < 290; n++) {
        gc();
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      console.log(count >= 290 && count <= 300 ? 'forgotten' : count);
    })();
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', '--eval', script], { cwd: folder, encoding: 'utf8' });
  assert.equal(stdout.trim(), 'forgotten', stderr);
});
