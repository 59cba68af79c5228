// The package as a whole: how it is loaded, what it does to its surroundings and they to it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import * as module from 'textcodec';

const folder = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

/** What a script prints that runs by itself. */
function run(script, type) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`--input-type=${type}`, '--eval', script], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

test('ESM and CommonJS have the same exports', () => {
  const commonJs = require('textcodec');
  const names = Object.keys(commonJs);
  assert.deepEqual(new Set(names), new Set(Object.keys(module)));
  for (const name of names) assert.equal(module[name], commonJs[name]);
});

test('importing leaves the globals alone', () => {
  assert.notEqual(globalThis.TextDecoder, module.TextDecoder);
});

test('install replaces the globals, as what they were', () => {
  const script = `
    const names = ['TextDecoder', 'TextEncoder', 'TextDecoderStream', 'TextEncoderStream'];
    const textcodec = require('textcodec');
    textcodec.install();
    textcodec.install();
    const { writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(globalThis, 'TextDecoder');
    console.log(names.every((name) => globalThis[name] === textcodec[name]), writable, enumerable, configurable);
    console.log(new TextDecoder('iso-8859-16').decode(new Uint8Array([0xa4])));
  `;
  assert.equal(run(script, 'commonjs'), 'true true false true\n€');
});

test('what a program does to prototypes changes nothing', () => {
  const script = `
    import { TextDecoder, TextEncoder, TextDecoderStream } from 'textcodec';
    const bad = () => { throw new Error('called'); };
    for (const [prototype, keys] of [
      [Object.getPrototypeOf(Uint8Array.prototype), ['set', 'subarray', 'slice', 'length', 'byteLength', 'byteOffset', 'buffer']],
      [DataView.prototype, ['byteLength', 'byteOffset', 'buffer']],
      [ArrayBuffer.prototype, ['byteLength', 'slice']],
      [String.prototype, ['charCodeAt', 'codePointAt', 'toLowerCase', 'trim']],
      [Map.prototype, ['get', 'has']],
      [Object.prototype, ['start', 'readableType', 'stream', 'fatal']],
      [TransformStream.prototype, ['readable', 'writable']],
      [TransformStreamDefaultController.prototype, ['enqueue']],
    ]) {
      for (const key of keys) {
        // An option that every object seems to have is one that is meant.
        const value = ['stream', 'fatal'].includes(key) ? { value: false } : { get: bad };
        Object.defineProperty(prototype, key, { configurable: true, ...value });
      }
    }
    const bytes = new Uint8Array([0xc3, 0xa9]);
    let all = new TextDecoder('UTF8').decode(bytes) + new TextDecoder().decode(new DataView(new ArrayBuffer(1)));
    all += new TextDecoder().decode(bytes, { stream: true });
    all += new TextEncoder().encode('é')[1] + new TextEncoder().encode('é'.repeat(99))[197];
    all += new TextEncoder().encodeInto('é'.repeat(99), new Uint8Array(400)).written;
    const stream = new TextDecoderStream();
    stream.writable.getWriter().write(bytes);
    all += (await stream.readable.getReader().read()).value;
    process.stdout.write(JSON.stringify(all));
  `;
  assert.equal(JSON.parse(run(script, 'module')), 'é\0é338198é');
});

test('a worker has its own', async () => {
  const script = `
    const { parentPort } = require('node:worker_threads');
    const { TextDecoder, TextEncoder } = require('textcodec');
    const decoder = new TextDecoder('gbk');
    decoder.decode(new Uint8Array([0xd6]), { stream: true });
    const large = new TextDecoder().decode(new TextEncoder().encode('é€'.repeat(100_000)));
    parentPort.postMessage(decoder.decode(new Uint8Array([0xd0])) + large.length);
  `;
  // The same package, whatever folder a worker that is evaluated looks for it in.
  const source = script.replace("'textcodec'", JSON.stringify(require.resolve('textcodec')));
  const decoder = new module.TextDecoder('gbk');
  decoder.decode(new Uint8Array([0xd6]), { stream: true });
  const answers = [1, 2, 3].map(() => new Promise((resolve, reject) => {
    new Worker(source, { eval: true }).once('message', resolve).once('error', reject);
  }));
  assert.deepEqual(await Promise.all(answers), ['中200000', '中200000', '中200000']);
  assert.equal(decoder.decode(new Uint8Array([0xd0])), '中');
});

test('large strings live as long as they are used, and no longer', () => {
  const script = `
    const { TextDecoder } = require('textcodec');
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
    const { TextDecoder } = require('textcodec');
    for (let n = 0; n < 50_000; n++) new TextDecoder('gbk').decode(new Uint8Array([0xd6]), { stream: true });
    gc();
    console.log('alive');
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', '--eval', script], { cwd: folder, encoding: 'utf8' });
  assert.equal(stdout.trim(), 'alive', stderr);
});
