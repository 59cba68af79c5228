// The declarations in index.d.ts and index.d.mts fit with those of browsers (lib.dom), of Node.js (@types/node), and of
// both. The sources are in `types`, because later versions of Node.js would run them as tests in this folder.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../types/', import.meta.url));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');

/** The output of the compiler with a configuration. The compiler also checks the declarations of this package. */
function check(configuration) {
  const { stdout } = spawnSync(process.execPath, [tsc, '--pretty', 'false', '--project', configuration], { cwd: folder, encoding: 'utf8' });
  return stdout;
}

test('the types fit with lib.dom alone', () => assert.equal(check('dom.json'), ''));

test('the types fit with @types/node alone', () => assert.equal(check('node.json'), ''));

test('without either of them, only the streams are missing', () => {
  const errors = check('neither.json').trim().split('\n');
  assert.equal(errors.length, 4, errors.join('\n'));
  for (const error of errors) assert.match(error, /index\.d\.ts.*Cannot find name '(Readable|Writable)Stream'/);
});

/** The names of the members that a function reads of an object of options. */
function membersRead(call) {
  const names = new Set();
  try {
    call(new Proxy({}, { get(_, name) { if (typeof name === 'string') names.add(name); return undefined; } }));
  } catch {}
  return [...names];
}

/** The names of the members of the objects of a class, and of these values. */
const membersOf = ({ prototype }) => Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor');

const record = (names) => `{ ${names.map((name) => `'${name}': true`).join(', ')} }`;

test('the types fit with both, and have the names and the values of the package, and no others', async () => {
  const [all, charsets, jschardet, chardet] =
    await Promise.all(['', '/charsets', '/jschardet', '/chardet'].map((name) => import(`@textcodec/node${name}`)));
  const latin1 = (text) => Uint8Array.from(text, (character) => character.charCodeAt(0));
  const error = (call) => {
    try {
      return call();
    } catch ({ code, offset, bytes, codePoint, index }) {
      return { code, offset, bytes, codePoint, index };
    }
  };
  const detections = [
    '', 'a', 'caf\xe9', '\xff\xfea\0', 'na\xc3\xafve', `${'\xc3\xa9 '.repeat(200)}\xff`, '\xff\xd8\xff\xe0\0\x10JFIF\0', 'line one\r\nl\0i\0n\0e\0 \0t\0w\0o\0\r\0\n\0',
    '\xff\xfe\0\0a\0\0\0', '\xf0\xd2\xc9\xd7\xc5\xd4', 'a\x1b$B%F%9%H\x1b(B', '~{<:Ky2;S{#,NpJ)l6HK!#~} by', 'Hi Mom +Jjo-! Gr+APwA3w-e aus M+APw-nchen\n',
  ].map((text) => all.detect(latin1(text)));
  const malformed = error(() => all.decodeOrFail(latin1('\xff')));
  const unmappable = error(() => all.encodeOrFail('☃', 'gbk'));
  const lines = [];
  const members = (type, names) => lines.push(`(${record(names)}) satisfies Record<Names<${type}>, true>;`);
  const value = (type, found) => lines.push(`(${JSON.stringify(found)}) satisfies ${type};`);
  members("typeof import('@textcodec/node')", Object.keys(all).filter((name) => name !== 'default'));
  for (const [entry, exports] of Object.entries({ charsets, jschardet, chardet })) {
    members(`typeof import('@textcodec/node/${entry}')`, Object.keys(exports).filter((name) => !['default', 'module.exports', '__esModule'].includes(name)));
  }
  for (const name of ['TextDecoder', 'TextEncoder', 'TextDecoderStream', 'TextEncoderStream', 'Detector']) members(`all.${name}`, membersOf(all[name]));
  for (const name of ['CharsetDecoder', 'CharsetEncoder']) members(`charsets.${name}`, membersOf(charsets[name]));
  members('all.TextDecoderOptions', membersRead((options) => new all.TextDecoder('utf-8', options)));
  members('all.TextDecodeOptions', membersRead((options) => new all.TextDecoder().decode(undefined, options)));
  members('all.DetectOptions', membersRead((options) => all.detect(latin1('a'), options)));
  members('charsets.CharsetOptions', membersRead((options) => new charsets.CharsetDecoder('cp037', options)));
  members('charsets.CharsetStreamOptions', membersRead((options) => new charsets.CharsetEncoder('cp037').encode('', options)));
  members('jschardet.IOptionsMap', membersRead((options) => jschardet.detectAll('a', options)));
  members('jschardet.v3.Options', membersRead((options) => jschardet.v3.detect('a', options)));
  members('jschardet.ChardetOptions & { ignoreThreshold?: boolean }', membersRead((options) => jschardet.chardet.detectAll(latin1('abc'), options)));
  members('jschardet.chardet.UniversalDetector', membersOf(jschardet.chardet.UniversalDetector));
  members('typeof jschardet.chardet', Object.keys(jschardet.chardet));
  members('typeof jschardet.chardet.EncodingEra', Object.keys(jschardet.chardet.EncodingEra));
  members('typeof jschardet.chardet.LanguageFilter', Object.keys(jschardet.chardet.LanguageFilter));
  members('all.Detection', [...new Set(detections.flatMap(Object.keys))]);
  members('all.DetectionCandidate', Object.keys(detections[1].candidates[0]));
  members('charsets.Charset', Object.keys(charsets.lookup('cp037')));
  members('charsets.CharsetName', Object.keys(charsets.charsets()[0]));
  members('all.TextEncoderEncodeIntoResult', Object.keys(new all.TextEncoder().encodeInto('', new Uint8Array(1))));
  members('Omit<all.MalformedError, keyof TypeError>', Object.keys(malformed).filter((name) => malformed[name] !== undefined));
  members('Omit<all.UnmappableError, keyof TypeError>', Object.keys(unmappable).filter((name) => unmappable[name] !== undefined));
  members('jschardet.IDetectedMap', Object.keys(jschardet.detect('a')));
  members('jschardet.v3.Result', Object.keys(jschardet.v3.detect('a')));
  for (const found of detections) value('all.Detection', found);
  for (const name of ['cp037', 'shift_jis', 'utf-7']) value('charsets.Charset', charsets.lookup(name));
  value('charsets.CharsetName[]', charsets.charsets());
  for (const text of ['abc', '', '\xff\xd8\xff\xe0\0\x10JFIF\0', '\xf0\xd2\xc9\xd7\xc5\xd4']) {
    value('jschardet.IDetectedMap[]', jschardet.detectAll(text));
    value('jschardet.v3.Result[]', jschardet.v3.detectAll(text));
    value('ReturnType<typeof jschardet.v3.detect>', jschardet.v3.detect(text));
    value('ReturnType<typeof chardet.analyse>', chardet.analyse(latin1(text)));
    value('ReturnType<typeof chardet.detect>', chardet.detect(latin1(text)));
  }
  for (const text of ['\xef\xbb\xbf', '\xff\xfe', '\xfe\xff', 'a']) value('ReturnType<typeof all.bomSniff>', all.bomSniff(latin1(text)));
  for (const label of ['sjis', 'no label']) value('ReturnType<typeof all.labelToName>', all.labelToName(label));
  value("all.MalformedError['code']", malformed.code);
  value("all.UnmappableError['code']", unmappable.code);
  for (const [type, found] of [["all.MalformedError['offset']", malformed.offset], ["all.UnmappableError['codePoint']", unmappable.codePoint], ["all.UnmappableError['index']", unmappable.index]]) value(type, found);
  const source = `import * as all from '@textcodec/node';
import * as charsets from '@textcodec/node/charsets';
import * as jschardet from '@textcodec/node/jschardet';
import * as chardet from '@textcodec/node/chardet';
type Names<T> = Exclude<keyof T, symbol | 'default'>;
${lines.join('\n')}
`;
  const name = `values-${process.pid}`;
  writeFileSync(`${folder}${name}.mts`, source);
  const configuration = JSON.parse(readFileSync(`${folder}both.json`, 'utf8'));
  writeFileSync(`${folder}${name}.json`, JSON.stringify({ ...configuration, files: [...configuration.files, `${name}.mts`] }));
  try {
    assert.equal(check(`${name}.json`), '');
  } finally {
    for (const extension of ['mts', 'json']) rmSync(`${folder}${name}.${extension}`);
  }
});
