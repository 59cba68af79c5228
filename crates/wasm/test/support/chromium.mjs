// Runs the tests of behaviour of the Node package in Chromium, in a page and in a worker. esbuild puts each test file
// into a bundle in which the modules of Node.js are replaced by `shims`. A test that needs a process or a thread of
// Node.js counts as skipped.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const support = dirname(fileURLToPath(import.meta.url));
const folder = join(support, '../..');
const root = join(folder, '../..');
const TYPES = { '.mjs': 'text/javascript', '.wasm': 'application/wasm', '.html': 'text/html', '.tsv': 'text/plain' };
// The time of a test, in milliseconds, from which it is named.
const SLOW = 2000;
// The tests that run in a worker, too. The others do not depend on the kind of the global object, and take longer.
const IN_WORKER = ['charsets', 'detection', 'hooks', 'streams', 'text-decoder'];
// Tests that measure time run in Node.js only: a browser does other work meanwhile.
const MEASURING = ['every unmappable character costs the same, however long the rest of the string is'];
const PROGRAMS = [process.env.TEXTCODEC_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** A bundle of a test file, which exports nothing and registers its tests. */
async function bundle(path) {
  const { outputFiles: [file] } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'esnext',
    inject: [join(support, 'shims/globals.mjs')],
    nodePaths: [join(folder, 'node_modules')],
    plugins: [{
      name: 'shims',
      setup({ onResolve }) {
        onResolve({ filter: /^@textcodec\/node$/ }, () => ({ path: '/crates/wasm/dist/textcodec.mjs', external: true }));
        onResolve({ filter: /^@textcodec\/node\// }, ({ path }) => ({ path: `/crates/wasm/dist/${path.split('/')[2]}.mjs`, external: true }));
        onResolve({ filter: /^node:test$/ }, () => ({ path: '/crates/wasm/test/support/shims/test.mjs', external: true }));
        onResolve({ filter: /^node:/ }, ({ path }) => ({ path: join(support, 'shims', path === 'node:assert/strict' ? 'assert.mjs' : 'node.mjs') }));
      },
    }],
  });
  return file.text;
}

/** Serves the files of the project, and the bundles. A page needs two headers to have shared memory. */
async function serve(bundles) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    const file = join(root, path);
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    response.setHeader('Content-Type', TYPES[extname(path)] ?? 'text/plain');
    if (path === '/') response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>textcodec</title><link rel="icon" href="data:,">');
    else if (bundles.has(path)) response.end(bundles.get(path));
    else if (existsSync(file)) response.end(readFileSync(file));
    else response.writeHead(404).end();
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  return server;
}

/** Runs in the page: the results of the tests of `urls`, in the page itself or in a worker. */
async function runTests({ urls, skipped, inWorker }) {
  if (!inWorker) return (await import('/crates/wasm/test/support/shims/test.mjs')).runAll(urls, skipped);
  const source = `import { runAll } from '${location.origin}/crates/wasm/test/support/shims/test.mjs'; postMessage(await runAll(${JSON.stringify(urls)}, ${JSON.stringify(skipped)}));`;
  const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })), { type: 'module' });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => reject(new Error(event.message || 'the worker does not start'));
  });
}

/**
 * Starts Chromium and calls `use` with its context and the URL of an empty page, which can import the project's files
 * and `bundles`. False without Chromium.
 */
export async function withChromium(bundles, use) {
  const executablePath = PROGRAMS.find((program) => program !== undefined && existsSync(program));
  if (executablePath === undefined) {
    console.log('Not checked: crates/wasm in a browser. Debian has one in the package chromium; the variable TEXTCODEC_CHROMIUM can name another.');
    return false;
  }
  const { chromium } = await import('playwright-core');
  const server = await serve(bundles);
  const profile = mkdtempSync(join(tmpdir(), 'textcodec-'));
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
  const context = await chromium.launchPersistentContext(profile, { executablePath, headless: true, args });
  try {
    await use(context, `http://127.0.0.1:${server.address().port}/`);
  } finally {
    await context.close();
    server.close();
    rmSync(profile, { recursive: true, force: true });
  }
  return true;
}

/** Whether all tests have passed, or undefined if there is no Chromium. */
export async function run(names) {
  const bundles = new Map();
  for (const name of names) bundles.set(`/crates/node/test/${name}.bundle.mjs`, await bundle(join(root, 'crates/node/test', `${name}.test.mjs`)));
  let failed = 0;
  const isThere = await withChromium(bundles, async (context, url) => {
    for (const inWorker of [false, true]) {
      const page = await context.newPage();
      const messages = [];
      page.on('console', (message) => messages.push(message.text()));
      page.on('pageerror', (error) => messages.push(String(error)));
      await page.goto(url);
      const urls = [...bundles.keys()].filter((url) => !inWorker || IN_WORKER.some((name) => url.includes(`/${name}.`)));
      const results = await page.evaluate(runTests, { urls, skipped: MEASURING, inWorker });
      const count = (outcome) => results.filter((result) => result.outcome === outcome).length;
      for (const { name, outcome, message } of results) if (outcome === 'failed') console.log(`not ok - ${name}\n${message}`);
      for (const { name, milliseconds } of results) if (milliseconds > SLOW) console.log(`${(milliseconds / 1000).toFixed(1)} s: ${name}`);
      for (const message of messages) console.log(`message of the ${inWorker ? 'worker' : 'page'}: ${message}`);
      failed += count('failed') + messages.length;
      console.log(`${await context.browser()?.version() ?? 'Chromium'}, ${inWorker ? 'worker' : 'page'}: ${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
      if (count('passed') === 0) failed += 1;
      await page.close();
    }
  });
  return isThere ? failed === 0 : undefined;
}
