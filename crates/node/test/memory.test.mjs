// Large strings have memory outside of V8's heap. It must be freed in time, and decoders must not hold memory.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';

const folder = fileURLToPath(new URL('..', import.meta.url));

/** How many megabytes a process of its own had at most, that ran `script`, and how many it has at the end. */
function megabytes(script) {
  const print = 'process.stdout.write(JSON.stringify([process.resourceUsage().maxRSS / 1024, process.memoryUsage.rss() / 2 ** 20]))';
  const child = spawnSync(process.execPath, ['--input-type=module', '--expose-gc', '-e', `${script}; gc(); ${print};`], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(child.status, 0, child.stderr);
  return JSON.parse(child.stdout);
}

// The strings have a megabyte of UTF-16, half a megabyte of Latin-1 and half a megabyte of ASCII.
const SOURCES = { 'windows-1251': 0xe4, 'iso-8859-15': 0xe4, 'utf-8': 0x61 };

test('large strings that are not kept do not accumulate while the script runs', () => {
  for (const [label, byte] of Object.entries(SOURCES)) {
    const [most] = megabytes(`
      import { TextDecoder } from '@textcodec/node';
      const bytes = new Uint8Array(2 ** 19).fill(${byte});
      const decoder = new TextDecoder('${label}');
      for (let n = 0; n < 1500; n++) decoder.decode(bytes);`);
    assert.ok(most < 450, `${label}: ${most} MB`);
  }
});

test('large strings of threads that have ended do not accumulate', () => {
  const [, last] = megabytes(`
    import { once } from 'node:events';
    import { Worker } from 'node:worker_threads';
    // The version of Node.js decides whether this is a module or a script. Both can import like this.
    const source = \`
      import('${new URL('../index.mjs', import.meta.url)}').then(({ TextDecoder }) => {
        const bytes = new Uint8Array(2 ** 19).fill(0xe4);
        globalThis.strings = Array.from({ length: 50 }, () => new TextDecoder('windows-1251').decode(bytes));
      });\`;
    for (let n = 0; n < 10; n++) {
      const worker = new Worker(source, { eval: true });
      const [code] = await once(worker, 'exit');
      if (code !== 0) throw new Error('exit code ' + code);
    }`);
  assert.ok(last < 250, `${last} MB`);
});

const [major, minor] = process.versions.node.split('.').map(Number);
const copies = major === 20 && minor < 4 && 'before Node.js 20.4 all strings are copies, in memory of V8';
test('V8 knows the size of large strings', { skip: copies }, () => {
  megabytes(`
    import { TextDecoder } from '@textcodec/node';
    const external = () => (gc(), process.memoryUsage().external);
    const before = external();
    let strings = [1, 2].map(() => new TextDecoder('windows-1251').decode(new Uint8Array(2 ** 20).fill(0xe4)));
    const between = external();
    if (between - before < 2 * 2 ** 21) throw new Error(before + ' to ' + between);
    if (strings[1].length !== 2 ** 20) throw new Error('' + strings[1].length);
    strings = null;
    const after = external();
    if (after - before > 2 ** 20) throw new Error(before + ' to ' + after);`);
});

test('decoders that are abandoned in a stream do not accumulate while one loop runs', () => {
  const [most] = megabytes(`
    import { TextDecoder } from '@textcodec/node';
    const bytes = Uint8Array.of(0xd6);
    for (let n = 0; n < 1_000_000; n++) new TextDecoder('gbk').decode(bytes, { stream: true });`);
  assert.ok(most < 150, `${most} MB`);
});

test('encodeInto takes memory and time for the destination, not for the source', () => {
  const [most] = megabytes(`
    import { TextEncoder } from '@textcodec/node';
    const encoder = new TextEncoder();
    const destination = new Uint8Array(4096);
    // The source has 32 MB of UTF-16.
    let source = 'д'.repeat(16_000_000);
    source.charCodeAt(0);
    const start = performance.now();
    let bytes = 0;
    while (source.length > 0) {
      const { read, written } = encoder.encodeInto(source, destination);
      bytes += written;
      source = source.slice(read);
    }
    const milliseconds = performance.now() - start;
    if (bytes !== 32_000_000) throw new Error(bytes + ' bytes');
    if (milliseconds > 1500) throw new Error(milliseconds + ' ms');`);
  assert.ok(most < 250, `${most} MB`);
});
