// Memory that another thread writes to, or makes grow, while it is decoded:
// https://webidl.spec.whatwg.org/#dfn-get-buffer-source-copy
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { TextDecoder } from '@textcodec/node';

const folder = fileURLToPath(new URL('..', import.meta.url));

/** The output of a CommonJS script in a process of its own. */
function run(script) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--eval', script], { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

test('a fatal decoder returns no malformed text of bytes that another thread writes to', async () => {
  const bytes = new Uint8Array(new SharedArrayBuffer(16)).fill(0x61);
  const worker = new Worker(`
    const { workerData: bytes } = require('node:worker_threads');
    for (;;) {
      for (let at = 0; at < 16; at++) bytes[at] = 0xff;
      for (let wait = 0; wait < 50; wait++);
      for (let at = 0; at < 16; at++) bytes[at] = 0x61;
      for (let wait = 0; wait < 50; wait++);
    }`, { eval: true, workerData: bytes });
  await once(worker, 'online');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let texts = 0;
  let errors = 0;
  let malformed = 0;
  const end = Date.now() + 20_000;
  while ((texts < 500_000 || errors < 20_000) && Date.now() < end) {
    try {
      if (decoder.decode(bytes) === 'aaaaaaaaaaaaaaaa') texts += 1;
      else malformed += 1;
    } catch (error) {
      if (error.code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
      errors += 1;
    }
  }
  await worker.terminate();
  assert.equal(malformed, 0);
  assert.ok(texts > 0);
});

test('each byte is read once, however the thread that writes is timed', () => {
  // The bytes change each time that the package makes a character.
  const script = `
    const bytes = new Uint8Array(new SharedArrayBuffer(16));
    const { fromCharCode } = String;
    String.fromCharCode = (...units) => { bytes.fill(0xff); return fromCharCode(...units); };
    const { TextDecoder } = require('@textcodec/node');
    for (let length = 1; length <= 16; length++) {
      const decoder = new TextDecoder('windows-1252', { fatal: true });
      bytes.fill(0x61);
      const text = decoder.decode(bytes.subarray(0, length));
      // The text has only old bytes or only new bytes.
      console.log(/^(a+|\\xff+)$/.test(text) && text.length === length);
    }
  `;
  assert.equal(run(script), Array(16).fill('true').join('\n'));
});

test('a buffer that grows during the copy is decoded with its earlier length', { skip: !SharedArrayBuffer.prototype.grow }, () => {
  // The buffer grows each time that its length is read.
  const script = `
    const prototype = Object.getPrototypeOf(Uint8Array.prototype);
    const { get } = Object.getOwnPropertyDescriptor(prototype, 'byteLength');
    let buffer = null;
    Object.defineProperty(prototype, 'byteLength', {
      get() {
        const length = Reflect.apply(get, this, []);
        if (buffer !== null && this.buffer === buffer) buffer.grow(buffer.byteLength + 5000);
        return length;
      },
    });
    const { TextDecoder, TextDecoderStream, decode, bomSniff } = require('@textcodec/node');
    const results = [];
    for (const length of [1, 16, 17, 100, 1536, 1537, 4096, 4097, 100_000]) {
      for (const view of [(buffer) => buffer, (buffer) => new Uint8Array(buffer)]) {
        for (const call of [
          (bytes) => new TextDecoder().decode(bytes),
          (bytes) => new TextDecoder().decode(bytes, { stream: true }),
          (bytes) => decode(bytes),
        ]) {
          const growable = new SharedArrayBuffer(length, { maxByteLength: 1 << 18 });
          new Uint8Array(growable).fill(0x61);
          const bytes = view(growable);
          buffer = growable;
          const text = call(bytes);
          buffer = null;
          results.push(/^a*\\0*$/.test(text) && text.startsWith('a'.repeat(length)) && growable.byteLength > length);
        }
      }
    }
    buffer = new SharedArrayBuffer(5000, { maxByteLength: 1 << 18 });
    new Uint8Array(buffer).set([0xff, 0xfe]);
    results.push(bomSniff(new Uint8Array(buffer)) === 'UTF-16LE');
    console.log(results.length, results.every((right) => right));
  `;
  assert.equal(run(script), '55 true');
});
