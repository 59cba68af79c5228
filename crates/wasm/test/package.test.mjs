// The package as `npm run build` makes it: its declarations, its parts, and a build with one family of encodings.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import * as textcodec from '@textcodec/wasm';
import { create, hasVectors, load, open } from '@textcodec/wasm/load';
import { load as loadCharsets } from '@textcodec/wasm/charsets/load';
import { load as loadDetector } from '@textcodec/wasm/detect/load';

const folder = fileURLToPath(new URL('..', import.meta.url));
const compiled = (path) => new WebAssembly.Module(readFileSync(path));

test('the exports are those of the Node package, and those of sniff', () => {
  const source = readFileSync(new URL('../../node/lib/standard.cjs', import.meta.url), 'utf8');
  const names = [...source.matchAll(/^exports\.(\w+)/gm)].map(([, name]) => name);
  assert.equal(names.length, 12);
  assert.deepEqual(Object.keys(textcodec).sort(), [...names, 'contexts', 'encodings', 'sniff'].sort());
});

test('the declarations compile with those of browsers, and have the names and the values of the package', async () => {
  const { contexts, encodings, sniff } = textcodec;
  const read = new Set();
  sniff(new Uint8Array(1), undefined, new Proxy({}, { get: (_, name) => void read.add(name) }));
  const page = new TextEncoder().encode('<meta charset=koi8-r>');
  const found = contexts.map((context) => sniff(page, context));
  const entries = ['load', 'detect', 'detect/load', 'charsets', 'charsets/load', 'chardet', 'jschardet'];
  const modules = await Promise.all(entries.map((entry) => import(`@textcodec/wasm/${entry}`)));
  // These two are for those who work on the package.
  const names = (module) => Object.keys(module).filter((name) => !['compile', 'create', 'open'].includes(name));
  const members = (type, names) => `({ ${[...names].map((name) => `'${name}': true`).join(', ')} }) satisfies Record<Exclude<keyof ${type}, symbol>, true>;`;
  const values = `import * as all from '@textcodec/wasm';
${members("typeof import('@textcodec/wasm')", Object.keys(textcodec))}
${entries.map((entry, at) => members(`typeof import('@textcodec/wasm/${entry}')`, names(modules[at]))).join('\n')}
${members('all.SniffHints', read)}
${members('all.Sniffed', Object.keys(found[1]))}
${members('all.Rung', Object.keys(found[1].ladder[0]))}
${members('all.Encoding', Object.keys(encodings[0]))}
(${JSON.stringify(found)}) satisfies ReturnType<typeof all.sniff>[];
(${JSON.stringify(encodings)}) satisfies typeof all.encodings;
(${JSON.stringify(contexts)}) satisfies typeof all.contexts;
`;
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const configuration = JSON.parse(readFileSync(`${folder}types/tsconfig.json`, 'utf8'));
  const name = `values-${process.pid}`;
  writeFileSync(`${folder}types/${name}.mts`, values);
  writeFileSync(`${folder}types/${name}.json`, JSON.stringify({ ...configuration, files: [...configuration.files, `${name}.mts`] }));
  try {
    const { stdout } = spawnSync(process.execPath, [tsc, '--pretty', 'false', '--project', `types/${name}.json`], { cwd: folder, encoding: 'utf8' });
    assert.equal(stdout, '');
  } finally {
    for (const extension of ['mts', 'json']) rmSync(`${folder}types/${name}.${extension}`);
  }
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

test('a program can load the other libraries itself, too', async () => {
  for (const [name, load, use] of [
    ['detect', loadDetector, ({ detect }) => detect(Uint8Array.of(0x61)).kind === 'ascii'],
    ['charsets', loadCharsets, ({ decode }) => decode(Uint8Array.of(0xc1), 'cp037') === 'A'],
  ]) {
    const url = new URL(`../dist/textcodec.${name}.wasm`, import.meta.url);
    assert.deepEqual(WebAssembly.Module.imports(compiled(url)), []);
    for (const source of [compiled(url), url, url.href, undefined]) assert.ok(use(await load(source)), name);
  }
  const missing = new URL('../dist/missing.wasm', import.meta.url);
  for (const loader of [load, loadDetector, loadCharsets]) await assert.rejects(loader(missing), /missing\.wasm/);
});

test('the entries for programs of chardet and jschardet share the detector', async () => {
  const koi8 = Uint8Array.from('\xf0\xd2\xc9\xd7\xc5\xd4, \xcb\xc1\xcb \xc4\xc5\xcc\xc1?', (character) => character.charCodeAt(0));
  const [chardet, jschardet] = await Promise.all([import('@textcodec/wasm/chardet'), import('@textcodec/wasm/jschardet')]);
  assert.equal(chardet.detect(koi8), 'KOI8-R');
  assert.equal(chardet.default.analyse(koi8)[0].lang, 'ru');
  assert.deepEqual(Object.keys(chardet).sort(), ['analyse', 'default', 'detect']);
  assert.equal(jschardet.detect(koi8).encoding, 'KOI8-R');
  assert.equal(jschardet.default.detectAll(koi8)[1].encoding, 'koi8-u');
  assert.equal(jschardet.v3.detect('abc').encoding, 'ascii');
  const source = readFileSync(new URL('../dist/jschardet.mjs', import.meta.url), 'utf8');
  assert.match(source, /from ?"\.\/detect\.mjs"/);
});

test('a library that has failed is made anew, and its objects are lost', async () => {
  const url = new URL('../dist/textcodec.detect.wasm', import.meta.url);
  const { detect, Detector } = await loadDetector(compiled(url));
  const detector = new Detector();
  // Near the end of the stack a call of the library fails.
  const deep = () => {
    try {
      return deep();
    } catch {
      try {
        detect(new Uint8Array(100_000).fill(0xe9));
      } catch {}
      return undefined;
    }
  };
  deep();
  try {
    detector.feed(Uint8Array.of(0xe9));
  } catch (error) {
    assert.match(error.message, /has lost this object/);
  }
  assert.equal(detect(Uint8Array.of(0x61)).kind, 'ascii');
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
    const found = script.match(/["'`]node:\w+/g)?.map((found) => found.slice(1)) ?? [];
    assert.deepEqual(found, /fetch\(/.test(script) ? ['node:fs'] : [], name);
    assert.ok(!/\brequire\(/.test(script.replaceAll(/\brequire_\w+\(/g, '')), name);
  }
});

test('the scripts are below their ceiling', () => {
  for (const [name, ceiling] of [['load.mjs', 43_000], ['textcodec.mjs', 43_000], ['detect-load.mjs', 21_000], ['charsets-load.mjs', 24_500], ['jschardet.mjs', 13_500]]) {
    const { length } = readFileSync(new URL(`../dist/${name}`, import.meta.url));
    assert.ok(length < ceiling, `${name} has ${length} bytes`);
  }
});

test('a build with one family has the labels of that family, UTF-8 and UTF-16, and says what it does not have', () => {
  const out = 'target/web-family';
  const { status, stderr } = spawnSync('cargo', ['xtask', 'wasm', '--features', 'cjk-japanese', '--out', out], { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const path = new URL(`../../../${out}/`, import.meta.url);
  const library = readFileSync(new URL('textcodec.wasm', path));
  assert.ok(library.length < 110_000, `${library.length} bytes`);
  const engine = open(new WebAssembly.Module(library));
  const { TextDecoder, contexts, encode, encodings, labelToName, percentEncodeAfterEncoding, sniff } = create(engine);
  const linked = encodings.filter(({ isLinked }) => isLinked).map(({ name }) => name);
  assert.deepEqual(linked, ['UTF-8', 'EUC-JP', 'ISO-2022-JP', 'Shift_JIS', 'replacement', 'UTF-16BE', 'UTF-16LE']);
  assert.equal(new TextDecoder('sjis').decode(Uint8Array.of(0x83, 0x65)), 'テ');
  assert.equal(labelToName('big5'), null);
  assert.throws(() => new TextDecoder('big5'), { name: 'RangeError', message: 'The "big5" encoding is not part of this build of textcodec' });
  assert.throws(() => new TextDecoder('utf-7'), { name: 'RangeError', message: 'The "utf-7" encoding is not supported' });
  assert.equal(encode('é').length, 2);
  assert.throws(() => encode('テ', 'sjis'), /This build of textcodec has no function encode/);
  assert.throws(() => sniff(new Uint8Array(1)), /This build of textcodec has no function sniff/);
  assert.throws(() => percentEncodeAfterEncoding('sjis', 'テ', 'query'), /This build of textcodec has no function encode/);
  assert.throws(() => engine.detail(0, new Uint8Array(1)), /This build of textcodec has no function detail/);
  assert.throws(() => engine.encodeDetail(0, 'a'), /This build of textcodec has no function encode_detail/);
  assert.deepEqual(contexts, []);
  rmSync(path, { recursive: true });
});

// Takes twenty seconds and 1.4 GB.
const isLong = process.env.TEXTCODEC_LONG !== undefined;
test('text that is longer than a string can be is a RangeError, and later texts are decoded', { skip: !isLong && 'TEXTCODEC_LONG=1 runs it' }, async () => {
  const { constants: { MAX_STRING_LENGTH } } = await import('node:buffer');
  const { TextDecoder, decode, percentEncodeAfterEncoding } = textcodec;
  const { decode: decodeCharset } = await loadCharsets();
  const tooLong = { name: 'RangeError', message: 'Invalid string length' };
  const bytes = new Uint8Array(MAX_STRING_LENGTH + 1).fill(0x61);
  const decoder = new TextDecoder('windows-1252');
  assert.throws(() => new TextDecoder().decode(bytes), tooLong);
  assert.throws(() => decoder.decode(bytes), tooLong);
  assert.throws(() => decoder.decode(bytes, { stream: true }), tooLong);
  assert.throws(() => decode(bytes, 'shift_jis'), tooLong);
  assert.throws(() => decodeCharset(bytes, 'cp037'), tooLong);
  assert.throws(() => percentEncodeAfterEncoding('utf-8', '\0'.repeat(MAX_STRING_LENGTH / 2), 'query'), tooLong);
  assert.equal(decoder.decode(Uint8Array.of(0x80)), '€');
  assert.equal(decode(bytes.subarray(1), 'windows-1252').length, MAX_STRING_LENGTH);
});
