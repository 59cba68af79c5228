// The native half: access from outside of the package, and failures.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('..', import.meta.url));

/** The output of a CommonJS script in a process of its own. */
function run(script) {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, ['--eval', script], { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, `${signal}\n${stderr}`);
  return stdout.trim();
}

test('nobody can detach the shared memory', () => {
  const script = `
    const { TextEncoder } = require('@textcodec/node');
    const seen = new Set();
    const buffers = new Set();
    function look(value) {
      if (value === null || (typeof value !== 'object' && typeof value !== 'function') || seen.has(value)) return;
      seen.add(value);
      if (ArrayBuffer.isView(value)) return look(value.buffer);
      if (value instanceof ArrayBuffer) return buffers.add(value);
      for (const key of Reflect.ownKeys(value)) {
        const { value: property } = Reflect.getOwnPropertyDescriptor(value, key);
        look(property);
      }
    }
    const files = Object.keys(require.cache).filter((file) => file.startsWith(process.cwd()));
    for (const file of files) look(require.cache[file].exports);
    for (const buffer of buffers) structuredClone(buffer, { transfer: [buffer] });
    console.log(files.some((file) => file.endsWith('.node')), new TextEncoder().encode('é'.repeat(50)).join() === Array(50).fill('195,169').join());
    console.log(Math.max(0, ...[...buffers].map((buffer) => buffer.byteLength)));
  `;
  assert.equal(run(script), 'true true\n0');
});

test('the scripts can be loaded twice with one native half, as some test runners do', () => {
  const script = `
    const first = require('@textcodec/node');
    const decoder = new first.TextDecoder('gbk');
    decoder.decode(Uint8Array.of(0xd6), { stream: true });
    for (const file of Object.keys(require.cache)) if (!file.endsWith('.node')) delete require.cache[file];
    const second = require('@textcodec/node');
    console.log(first.TextDecoder === second.TextDecoder, new second.TextDecoder('gbk').decode(Uint8Array.of(0xd6, 0xd0)));
    console.log(decoder.decode(Uint8Array.of(0xd0)));
  `;
  assert.equal(run(script), 'false 中\n中');
});

test('a panic of the native half is an error and does not end the process', () => {
  // The scripts never call these functions without arguments.
  const script = `
    const native = require('./textcodec.node').open();
    const { TextDecoder, TextEncoder } = require('@textcodec/node');
    for (const name of ['encode', 'encodeUtf8', 'percentEncode', 'labelToEncoding']) {
      try {
        native[name]();
        console.log('no error');
      } catch (error) {
        console.log(error instanceof Error, error.code, /^textcodec failed: index out of bounds/.test(error.message));
      }
    }
    const words = new Uint32Array(native.shared, 0, 4);
    words[1] = 100;
    words[3] = 30;
    native.encodeInto('é'.repeat(30));
    console.log(words[0], words[1], new TextEncoder().encode('é'.repeat(30)).length, new TextDecoder('sjis').decode(new Uint8Array(9000).fill(0xb1)).length);
  `;
  assert.equal(run(script), `${'true ERR_INTERNAL_ASSERTION true\n'.repeat(4)}30 60 60 9000`);
});

test('text that is longer than a string can be is the same error as for Buffer', () => {
  const script = `
    const { MAX_STRING_LENGTH } = require('node:buffer').constants;
    const { TextDecoder, decode, decodeOrFail, percentEncodeAfterEncoding } = require('@textcodec/node');
    let expected;
    try {
      Buffer.alloc(MAX_STRING_LENGTH + 1).toString('latin1');
    } catch (error) {
      expected = error;
    }
    const ascii = new Uint8Array(MAX_STRING_LENGTH + 1);
    // Most of these bytes are never decoded: the text would be longer than a string can be.
    const more = new Uint8Array(2.5 * MAX_STRING_LENGTH);
    more[7] = 0xe9;
    const decoder = new TextDecoder('windows-1252');
    for (const call of [
      () => new TextDecoder().decode(ascii),
      () => decoder.decode(more),
      () => decoder.decode(ascii, { stream: true }),
      () => decoder.decode(more),
      () => decode(more, 'windows-1252'),
      () => decodeOrFail(more, 'windows-1252'),
      () => {
        console.log(process.resourceUsage().maxRSS / 1024 < 1000 || process.resourceUsage().maxRSS / 1024);
        return percentEncodeAfterEncoding('utf-8', '\\0'.repeat(MAX_STRING_LENGTH / 2), 'query');
      },
    ]) {
      try {
        console.log(call().length);
      } catch (error) {
        console.log(error.name === expected.name, error.code === expected.code, error.message === expected.message);
      }
    }
    // The failed call has ended the stream.
    console.log(decoder.decode(Uint8Array.of(0x80)), new TextDecoder().decode(ascii.subarray(1)).length === MAX_STRING_LENGTH);
    // If more bytes follow, the stream goes on after the bytes before the call.
    for (const stream of [true, false]) {
      const decoder = new TextDecoder();
      decoder.decode(Uint8Array.of(0xe2, 0x82), { stream: true });
      try {
        decoder.decode(ascii, { stream });
      } catch {
        const next = decoder.decode(Uint8Array.of(0xac), { stream: true });
        console.log(next === (stream ? '€' : '\\ufffd'), decoder.decode(Uint8Array.of(0xac)) === '\\ufffd');
      }
    }
  `;
  assert.equal(run(script), `${'true true true\n'.repeat(6)}true\ntrue true true\n€ true\n${'true true\n'.repeat(2).trim()}`);
});

test('a decoder and an encoder with the same number are two streams', () => {
  const script = `
    const native = require('./lib/native-charsets.cjs');
    const LAST = 2;
    const [first, second] = [native.decoder('utf-16le', 0), native.decoder('utf-16le', 0)];
    console.log(first, second, native.encoder('utf-16-bom', 0), native.encoder('utf-16-bom', 0));
    for (const number of [first, second]) {
      native.decode(number, Uint8Array.of(0x61), 0);
      native.encode(number, 'a', 0);
    }
    native.forgetEncoder(first);
    native.forgetDecoder(second);
    console.log(native.decode(first, Uint8Array.of(0), LAST), native.encode(second, 'b', LAST).join());
  `;
  assert.equal(run(script), '0 1 0 1\na 98,0');
});

// What a program sees of UTF-8: texts and bytes of every class, short and long, well-formed and malformed.
const USE_UTF8 = `
  const { TextDecoder: Decoder, TextEncoder: Encoder } = require('@textcodec/node');
  const { createHash } = require('node:crypto');
  const hash = createHash('sha256');
  const units = ['a', 'é', '日', '💩', '\\ud83d', '\\udca9a', 'aé', 'a日', '\\ufeffa'];
  const malformed = [[], [0xe2, 0x82], [0xed, 0xa0, 0x80]];
  for (const unit of units) {
    for (const count of [1, 40, 150, 700]) {
      const text = unit.repeat(count);
      const bytes = new Encoder().encode(text);
      hash.update(bytes);
      for (const capacity of [bytes.length + 1, bytes.length - 1, text.length]) {
        const array = new Uint8Array(Math.max(capacity, 0));
        hash.update(JSON.stringify(new Encoder().encodeInto(text, array))).update(array);
      }
      for (const more of malformed) {
        for (const [fatal, ignoreBOM] of [[false, false], [false, true], [true, false], [true, true]]) {
          let result;
          try {
            result = new Decoder('utf-8', { fatal, ignoreBOM }).decode(Uint8Array.from([...bytes, ...more, 0x61]));
          } catch (error) {
            result = error.code;
          }
          hash.update(JSON.stringify(result));
        }
      }
    }
  }
  console.log(hash.digest('hex'));`;

test('no version of the host and no mistake of its UTF-8 changes a result', () => {
  const as = (versions) => `Object.defineProperty(process, 'versions', { value: { ...process.versions, ...${JSON.stringify(versions)} } });`;
  const mistake = (Class, method, body) => `
    const { prototype } = require('node:util').${Class};
    const { ${method} } = prototype;
    prototype.${method} = function (...values) { const result = ${method}.apply(this, values); ${body} };`;
  const expected = run(USE_UTF8);
  const versions = [{ node: '20.0.0' }, { node: '24.0.0' }, { node: '26.0.0' }, { bun: '1.0.0' }, { deno: '2.0.0' }];
  const mistakes = [
    mistake('TextEncoder', 'encode', "return /[\\ud800-\\udfff]/u.test(values[0]) ? result.fill(0x3f, -3) : result;"),
    mistake('TextEncoder', 'encode', "return values[0].includes('é') ? Uint8Array.from(result).fill(0x3f, -2) : result;"),
    mistake('TextEncoder', 'encodeInto', "if (/[^\\0-\\x7f]/.test(values[0])) values[1][0] = 0x3f; return result;"),
    mistake('TextEncoder', 'encodeInto', "return result.read < values[0].length ? { read: 0, written: 0 } : result;"),
    mistake('TextDecoder', 'decode', "return result.replace(/\\ufffd+/g, '\\ufffd');"),
    mistake('TextDecoder', 'decode', "return this.ignoreBOM ? result.replace(/^\\ufeff/, '') : result;"),
  ];
  for (const version of versions) assert.equal(run(as(version) + USE_UTF8), expected, JSON.stringify(version));
  // Every version has the encoder that is used here, and the decoder is used in later ones.
  for (const made of mistakes) assert.equal(run(as({ node: '26.0.0' }) + made + USE_UTF8), expected, made);
});

test('no bytes of an earlier call are read in the place of an empty array', () => {
  const script = `
    const textcodec = require('@textcodec/node');
    const charsets = require('@textcodec/node/charsets');
    const calls = {
      decode: (bytes) => textcodec.decode(bytes, 'koi8-r'),
      decodeOrFail: (bytes) => textcodec.decodeOrFail(bytes, 'koi8-r'),
      bomSniff: (bytes) => textcodec.bomSniff(bytes),
      TextDecoder: (bytes) => new textcodec.TextDecoder('koi8-r').decode(bytes),
      detect: (bytes) => textcodec.detect(bytes).kind,
      charset: (bytes) => charsets.decode(bytes, 'cp037'),
      encodeInto: (bytes) => new textcodec.TextEncoder().encodeInto('a', bytes).written,
    };
    const before = [0xef, 0xbb, 0xbf, 0xc3, 0xa9];
    for (const earlier of Object.values(calls)) {
      earlier(Uint8Array.from(before));
      console.log(JSON.stringify(Object.values(calls).map((call) => call(new Uint8Array(0)))));
    }
  `;
  assert.deepEqual([...new Set(run(script).split('\n'))], ['["","",null,"","empty","",0]']);
});
