// The package in programs that a bundler makes: it starts, or its error says what is missing. What a server serves is
// imported from its URL.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { register } from 'node:module';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('..', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'textcodec-bundlers-'));
after(() => rmSync(root, { recursive: true, force: true }));

// Lets `import` take modules from servers, as browsers do. The script of Vite that reloads the page when a file changes
// would wait for ever.
const loader = `
  export const resolve = (name, { parentURL }, next) =>
    /^(http:|[./])/.test(name) && /^http:/.test(new URL(name, parentURL).href)
      ? { url: new URL(name, parentURL).href, shortCircuit: true }
      : next(name, { parentURL });
  export async function load(url, context, next) {
    if (!url.startsWith('http:')) return next(url, context);
    if (new URL(url).pathname === '/@vite/client') return { format: 'module', source: 'export const injectQuery = (url) => url;', shortCircuit: true };
    const response = await fetch(url);
    return { format: 'module', source: await response.text(), shortCircuit: true };
  }`;
register(`data:text/javascript,${encodeURIComponent(loader)}`);

const PROGRAM = `import { TextDecoder } from '@textcodec/wasm';
export const text = new TextDecoder('sjis').decode(Uint8Array.of(0x83, 0x65));
`;

/**
 * A folder with a program, and the package as npm installs it: not as a link, which bundlers take for a part of the
 * program.
 */
function project(name, files) {
  const path = join(root, name);
  const installed = join(path, 'node_modules/@textcodec/wasm');
  mkdirSync(installed, { recursive: true });
  cpSync(join(folder, 'package.json'), join(installed, 'package.json'));
  cpSync(join(folder, 'dist'), join(installed, 'dist'), { recursive: true, filter: (source) => !source.endsWith('test') });
  for (const [file, content] of Object.entries({ 'package.json': '{"type":"module"}', 'index.html': '<!doctype html><script type="module" src="/main.js"></script>', ...files })) {
    writeFileSync(join(path, file), content);
  }
  return path;
}

// Each entry with a library of its own.
const PROGRAM_OF_PARTS = `import { detect } from '@textcodec/wasm/detect';
import { analyse } from '@textcodec/wasm/chardet';
import { decode } from '@textcodec/wasm/charsets';
export const kind = detect(Uint8Array.of(0x61)).kind + analyse(Uint8Array.of(0x61))[0].name;
export const text = decode(Uint8Array.of(0xc1), 'cp037');
`;

for (const name of ['vite', 'vite-7']) {
  test(`the package starts under the development server of ${name} without a configuration`, async () => {
    const { createServer, version } = await import(name);
    const server = await createServer({
      root: project(name, { 'main.js': PROGRAM }), configFile: false, logLevel: 'error', server: { host: '127.0.0.1', port: 0, hmr: false, watch: null },
    });
    try {
      await server.listen();
      const { port } = server.httpServer.address();
      const url = `http://127.0.0.1:${port}/main.js`;
      // The server has bundled the package: the file of the library is not next to the script that runs.
      assert.match(await (await fetch(url)).text(), /from "\/node_modules\/\.vite\/deps\/@textcodec_wasm\.js/, version);
      const { text } = await import(url);
      assert.equal(text, 'テ');
    } finally {
      await server.close();
    }
  });
}

/** Serves the files of a folder, and a page of HTML for every other path, as servers of single-page programs do. */
async function serve(path, use) {
  const types = { '.js': 'text/javascript', '.wasm': 'application/wasm' };
  const server = createHttpServer((request, response) => {
    const name = new URL(request.url, 'http://localhost').pathname;
    try {
      const content = readFileSync(join(path, name));
      response.setHeader('Content-Type', types[extname(name)] ?? 'application/octet-stream').end(content);
    } catch {
      response.setHeader('Content-Type', 'text/html; charset=utf-8').end('<!doctype html><title>Not here</title>');
    }
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  try {
    await use(`http://127.0.0.1:${server.address().port}`);
  } finally {
    server.close();
  }
}

/** Bundles main.js of a project with esbuild. */
function esbuild(path, ...options) {
  const command = join(folder, 'node_modules/.bin/esbuild');
  const { status, stderr } = spawnSync(command, ['main.js', '--bundle', '--format=esm', '--outdir=out', ...options], { cwd: path, encoding: 'utf8', shell: process.platform === 'win32' });
  assert.equal(status, 0, stderr);
}

for (const name of ['vite', 'vite-7']) {
  test(`${name} copies the libraries of the entries that a program imports, and no other`, async () => {
    const { build } = await import(name);
    const path = project(`${name}-parts`, { 'main.js': PROGRAM_OF_PARTS });
    const rollupOptions = { input: join(path, 'main.js'), preserveEntrySignatures: 'strict', output: { entryFileNames: 'main.js' } };
    await build({ root: path, configFile: false, logLevel: 'error', base: './', build: { target: 'es2022', outDir: 'out', rollupOptions } });
    const files = readdirSync(join(path, 'out/assets')).filter((file) => file.endsWith('.wasm')).map((file) => file.replace(/-[\w-]{8}\.wasm$/, ''));
    assert.deepEqual(files.sort(), ['textcodec.charsets', 'textcodec.detect']);
    await serve(join(path, 'out'), async (url) => {
      const { kind, text } = await import(`${url}/main.js`);
      assert.deepEqual([kind, text], ['asciiASCII', 'A']);
    });
  });
}

test('the entries with libraries of their own start under the development server of vite', async () => {
  const { createServer } = await import('vite');
  const server = await createServer({
    root: project('vite-parts-server', { 'main.js': PROGRAM_OF_PARTS }), configFile: false, logLevel: 'error', server: { host: '127.0.0.1', port: 0, hmr: false, watch: null },
  });
  try {
    await server.listen();
    const { kind, text } = await import(`http://127.0.0.1:${server.httpServer.address().port}/main.js`);
    assert.deepEqual([kind, text], ['asciiASCII', 'A']);
  } finally {
    await server.close();
  }
});

test('esbuild bundles the entries, whose libraries are copied beside its output', async () => {
  const path = project('esbuild-parts', { 'main.js': PROGRAM_OF_PARTS });
  esbuild(path);
  for (const name of ['detect', 'charsets']) cpSync(join(folder, `dist/textcodec.${name}.wasm`), join(path, `out/textcodec.${name}.wasm`));
  await serve(join(path, 'out'), async (url) => {
    const { kind, text } = await import(`${url}/main.js`);
    assert.deepEqual([kind, text], ['asciiASCII', 'A']);
  });
});

test('esbuild copies no library, and the error says so', async () => {
  const path = project('esbuild', { 'main.js': PROGRAM });
  esbuild(path);
  await serve(join(path, 'out'), async (url) => {
    await assert.rejects(import(`${url}/main.js`), ({ message }) => {
      assert.match(message, /^textcodec cannot load http:\/\/127\.0\.0\.1:\d+\/textcodec\.simd\.wasm: the server answers with a page of HTML\. /);
      return /chapter Bundlers in the README of @textcodec\/wasm/.test(message);
    });
    for (const file of ['textcodec.wasm', 'textcodec.simd.wasm']) cpSync(join(folder, 'dist', file), join(path, 'out', file));
    assert.equal((await import(`${url}/main.js?copied`)).text, 'テ');
  });
});

test('esbuild copies the library that a program names, with the lines of the README', async () => {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  const [, lines] = /```js\n(import library from [\s\S]*?)```/.exec(readme);
  const [, options] = /`esbuild (.*?)`/.exec(readme);
  const path = project('esbuild-named', { 'main.js': `${lines}\nexport const text = new TextDecoder('sjis').decode(Uint8Array.of(0x83, 0x65));` });
  esbuild(path, ...options.split(' ').filter((option) => option.startsWith('--loader')));
  await serve(join(path, 'out'), async (url) => {
    assert.equal((await import(`${url}/main.js`)).text, 'テ');
  });
});

test('an answer that is no library is an error that names it', async () => {
  const { compileFile } = await import('../lib/engine.mjs');
  const answers = {
    '/page': [200, 'text/html', '<!doctype html>', /with a page of HTML\. .*Bundlers/],
    '/empty': [200, 'application/octet-stream', '', /with another kind of file\. .*Bundlers/],
    '/text': [200, '', 'wasm', /with another kind of file\. .*Bundlers/],
    '/page-of-utf-8': [200, 'Text/HTML; charset=utf-8', '<!doctype html>', /with a page of HTML\. .*Bundlers/],
    '/none': [404, 'text/html', '', /with status 404\. .*Bundlers/],
    '/failure': [500, 'application/wasm', '\0asm', /with status 500\. .*Bundlers/],
  };
  const server = createHttpServer((request, response) => {
    const [status, type, content] = answers[request.url];
    response.writeHead(status, type === '' ? {} : { 'Content-Type': type }).end(content);
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  try {
    for (const [path, [, , , message]] of Object.entries(answers)) {
      const url = `http://127.0.0.1:${server.address().port}${path}`;
      await assert.rejects(compileFile(url), (error) => error.message.startsWith(`textcodec cannot load ${url}: `) && message.test(error.message), path);
    }
  } finally {
    server.close();
  }
});
