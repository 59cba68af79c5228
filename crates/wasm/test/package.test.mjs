// The package as `npm run build` makes it: its declarations, its parts, and a build with one family of encodings.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import * as textcodec from '@textcodec/wasm';
import { create, hasVectors, load, open } from '@textcodec/wasm/load';

const folder = fileURLToPath(new URL('..', import.meta.url));
const compiled = (path) => new WebAssembly.Module(readFileSync(path));

test('the exports are those of the Node package, and those of sniff', () => {
  const source = readFileSync(new URL('../../node/index.js', import.meta.url), 'utf8');
  const names = [...source.matchAll(/^exports\.(\w+)/gm)].map(([, name]) => name);
  assert.equal(names.length, 12);
  assert.deepEqual(Object.keys(textcodec).sort(), [...names, 'contexts', 'encodings', 'sniff'].sort());
});

test('the declarations compile with those of browsers', () => {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '--pretty', 'false', '--project', 'types'], { cwd: folder, encoding: 'utf8' });
  assert.equal(stdout, '');
});

test('a program can load the library itself, from a module or a URL', async () => {
  const url = new URL('../dist/textcodec.wasm', import.meta.url);
  for (const source of [compiled(url), url, url.href, undefined]) {
    const { TextDecoder, sniff } = await load(source);
    assert.equal(new TextDecoder('sjis').decode(Uint8Array.of(0x83, 0x65)), 'テ');
    assert.equal(sniff(new ArrayBuffer(1)).encoding, 'windows-1252');
    assert.throws(() => sniff('a'), TypeError);
  }
  assert.ok(hasVectors());
});

test('two instances do not share a state', async () => {
  const module = compiled(new URL('../dist/textcodec.wasm', import.meta.url));
  const [one, other] = [create(open(module)), create(open(module))];
  const decoder = new one.TextDecoder('big5');
  assert.equal(decoder.decode(Uint8Array.of(0xa4), { stream: true }), '');
  assert.equal(new other.TextDecoder('big5').decode(Uint8Array.of(0xa4)), '\u{fffd}');
  assert.equal(decoder.decode(Uint8Array.of(0xa4)), '中');
  assert.throws(() => Object.getOwnPropertyDescriptor(other.TextDecoder.prototype, 'encoding').get.call(decoder), TypeError);
});

test('the script contains nothing of Node.js but the module that reads files', () => {
  for (const name of readdirSync(new URL('../dist/', import.meta.url)).filter((name) => name.endsWith('.mjs'))) {
    const script = readFileSync(new URL(`../dist/${name}`, import.meta.url), 'utf8');
    assert.deepEqual(script.match(/["'`]node:\w+/g).map((found) => found.slice(1)), ['node:fs'], name);
    assert.ok(!/\brequire\(/.test(script.replaceAll(/\brequire_\w+\(/g, '')), name);
  }
});

test('the scripts are below their ceiling', () => {
  for (const name of ['load.mjs', 'textcodec.mjs']) {
    const { length } = readFileSync(new URL(`../dist/${name}`, import.meta.url));
    assert.ok(length < 43_000, `${name} has ${length} bytes`);
  }
});

test('a build with one family has the labels of that family, UTF-8 and UTF-16, and says what it does not have', () => {
  const out = 'target/web-family';
  const { status, stderr } = spawnSync('cargo', ['xtask', 'wasm', '--features', 'cjk-japanese', '--out', out], { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const path = new URL(`../../../${out}/`, import.meta.url);
  const library = readFileSync(new URL('textcodec.wasm', path));
  assert.ok(library.length < 110_000, `${library.length} bytes`);
  const { TextDecoder, encode, encodings, labelToName, sniff } = create(open(new WebAssembly.Module(library)));
  const linked = encodings.filter(({ isLinked }) => isLinked).map(({ name }) => name);
  assert.deepEqual(linked, ['UTF-8', 'EUC-JP', 'ISO-2022-JP', 'Shift_JIS', 'replacement', 'UTF-16BE', 'UTF-16LE']);
  assert.equal(new TextDecoder('sjis').decode(Uint8Array.of(0x83, 0x65)), 'テ');
  assert.equal(labelToName('big5'), null);
  assert.throws(() => new TextDecoder('big5'), { name: 'RangeError', message: 'The "big5" encoding is not part of this build of textcodec' });
  assert.throws(() => new TextDecoder('utf-7'), { name: 'RangeError', message: 'The "utf-7" encoding is not supported' });
  assert.equal(encode('é').length, 2);
  assert.throws(() => encode('テ', 'sjis'), /This build of textcodec has no function encode/);
  assert.throws(() => sniff(new Uint8Array(1)), /This build of textcodec has no function sniff/);
  rmSync(path, { recursive: true });
});
