// Every export of every entry, and every function of lib/engine.mjs with every kind of argument, in both builds. The
// library of the charsets, which decodes and encodes in another way, is the model. A new name has to enter the tables.
// The tests of the Node package have such tables for the classes and functions that the packages share.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import * as index from '@textcodec/wasm';
import * as charsets from '@textcodec/wasm/charsets';
import * as engineModule from '../lib/engine.mjs';

const { REASONS, open } = engineModule;
const STANDARD = [
  'TextDecoder', 'TextDecoderStream', 'TextEncoder', 'TextEncoderStream', 'bomSniff', 'decode', 'decodeOrFail', 'encode', 'encodeOrFail', 'install', 'labelToName',
  'percentEncodeAfterEncoding', 'contexts', 'encodings', 'sniff',
];
const DETECTION = ['Detector', 'detect'];
const CHARSETS = ['CharsetDecoder', 'CharsetEncoder', 'charsets', 'decode', 'decodeOrFail', 'encode', 'encodeOrFail', 'lookup'];

/** The names that each entry exports, and those that its function `load` returns. */
const ENTRIES = {
  '.': [STANDARD],
  './load': [['compile', 'create', 'hasVectors', 'load', 'open'], STANDARD],
  './detect': [DETECTION],
  './detect/load': [['load'], DETECTION],
  './charsets': [CHARSETS],
  './charsets/load': [['load'], CHARSETS],
  './chardet': [['analyse', 'default', 'detect']],
  './jschardet': [['VERSION', 'chardet', 'default', 'detect', 'detectAll', 'enableDebug', 'v3']],
};
const FILES = ['./textcodec.detect.wasm', './textcodec.charsets.wasm', './textcodec.wasm', './textcodec.simd.wasm', './package.json'];
const ENGINE = [
  'FATAL', 'IGNORE_BOM', 'REPLACEMENT', 'UTF_8', 'asciiCompatible', 'bomSniff', 'contexts', 'decodeAll', 'decodeNext', 'detail', 'encode', 'encodeDetail', 'encodeInto', 'encodeUtf8',
  'encodingOf', 'encodings', 'getAnEncoding', 'lastMalformed', 'lastUnmappable', 'legacyDecode', 'lowerCaseNames', 'names', 'newState', 'percentEncode', 'repair', 'sniff', 'unsupported',
];

const folder = new URL('../dist/', import.meta.url);
const engines = ['textcodec.wasm', 'textcodec.simd.wasm'].map((file) => open(new WebAssembly.Module(readFileSync(new URL(file, folder)))));
const [engine] = engines;

/** The result of a call, or what its error has. */
function outcome(call) {
  try {
    return call();
  } catch (error) {
    return { ...error, name: error.name, message: error.message };
  }
}

/** The result of a call of each build, which is the same. */
function both(call, place) {
  const [plain, withVectors] = engines.map((engine) => outcome(() => call(engine)));
  assert.deepEqual(withVectors, plain, place);
  return plain;
}

test('the tables have every entry and every export', async () => {
  const { exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url)));
  assert.deepEqual(Object.keys(exports).sort(), [...Object.keys(ENTRIES), ...FILES].sort());
  for (const [entry, [names, loaded]] of Object.entries(ENTRIES)) {
    assert.deepEqual([exports[entry].types, exports[entry].default].map((file) => file.replace(/\.d\.ts$|\.mjs$/, '')).every((file, _, [first]) => file === first), true);
    const module = await import(`@textcodec/wasm${entry.slice(1)}`);
    assert.deepEqual(Object.keys(module).sort(), [...names].sort(), entry);
    if (loaded !== undefined) assert.deepEqual(Object.keys(await module.load()).sort(), [...loaded].sort(), entry);
    if (module.default !== undefined) {
      for (const [name, value] of Object.entries(module.default)) assert.equal(value, module[name], `${entry}: ${name}`);
      const { default: _, chardet, v3, ...others } = module;
      assert.deepEqual(Object.keys(module.default).sort(), Object.keys(others).sort(), entry);
    }
  }
  for (const file of FILES) assert.ok(readFileSync(new URL(`../${exports[file]}`, import.meta.url)).length > 100, file);
  assert.deepEqual(Object.keys(engineModule).sort(), ['REASONS', 'compile', 'compileFile', 'hasVectors', 'open']);
  for (const engine of engines) assert.deepEqual(Object.keys(engine).sort(), ENGINE);
});

test('the encodings have their numbers, names and labels', () => {
  assert.deepEqual(both(({ encodings, names, lowerCaseNames, asciiCompatible, FATAL, IGNORE_BOM, REPLACEMENT, UTF_8 }) =>
    ({ encodings, names, lowerCaseNames, asciiCompatible, flags: [FATAL, IGNORE_BOM], numbers: [REPLACEMENT, UTF_8] })), {
    encodings: index.encodings, names: index.encodings.map(({ name }) => name), lowerCaseNames: index.encodings.map(({ name }) => name.toLowerCase()),
    asciiCompatible: index.encodings.map(({ name }) => !/^(?:ISO-2022-JP|UTF-16|replacement)/.test(name)), flags: [0x100, 0x200], numbers: [36, 0],
  });
  index.encodings.forEach(({ number, name, labels, isLinked }, place) => {
    assert.deepEqual([number, isLinked, charsets.lookup(name).labels], [place, true, labels]);
    for (const label of labels) {
      for (const written of [label, label.toUpperCase(), `${' '.repeat(70)}${label}\n`, `\t\f\r${label}`]) {
        assert.deepEqual(both((engine) => [engine.getAnEncoding(written), engine.encodingOf(written)], label), [place, place]);
      }
    }
  });
  for (const label of ['', ' ', 'utf-9', `utf-8${'x'.repeat(90)}`, 'utf-8\0', `${' '.repeat(90)}x`, 'ü', '\u{2028}utf-8']) {
    assert.equal(both((engine) => engine.getAnEncoding(label), label), undefined);
    const message = `The "${label}" encoding is not supported`;
    assert.deepEqual(both((engine) => engine.encodingOf(label)), { name: 'RangeError', message, code: 'ERR_ENCODING_NOT_SUPPORTED' });
    assert.equal(engine.unsupported(label).message, message);
  }
});

const SOURCES = [
  [], [0x61], [0x61, 0xff, 0x62], [0xe2, 0x82], [0xef, 0xbb, 0xbf, 0x61, 0xef, 0xbb, 0xbf], [0xef, 0xbb], [0xff, 0xfe, 0x61, 0, 0x3d, 0xd8], [0xfe, 0xff, 0, 0x61], [0xff],
  [0x1b, 0x24, 0x42, 0x24, 0x22, 0x1b, 0x28, 0x42, 0x80, 0x1b], [0x93, 0xfa, 0x96, 0x7b, 0x88, 0x62, 0x81], [0x81, 0x30, 0x81, 0x30, 0x81, 0x30, 0x61], [0x61, 0x84, 0x31, 0xa5, 0x30, 0x62], [0xf0, 0x9f, 0x98, 0x80, 0xc3], [0xf0, 0x9f, 0x92, 0x61],
  // U+FEFF after another character is text, in the first piece or in another one.
  [0x61, 0xef, 0xbb, 0xbf, 0x62], [0x61, 0, 0xff, 0xfe, 0x62, 0], [0, 0x61, 0xfe, 0xff, 0, 0x62],
  [...Array(40).fill(0x61), 0xe9, 0xa4], Array(600).fill([0x83, 0x65, 0x61]).flat(),
].map((values) => Uint8Array.from(values));
// Long texts take long, and depend on the kind of the encoding only.
const isTaken = ({ length }, name) => length < 100 || /^(?:UTF-8|windows-1252|gb18030|ISO-2022-JP|Shift_JIS|UTF-16LE)$/.test(name);
const cut = (values, size) => Array.from({ length: Math.ceil(values.length / size) }, (_, at) => values.slice(at * size, (at + 1) * size));

test('every encoding is decoded as by the library of the charsets, whole and in pieces, with each pair of flags', () => {
  const { FATAL, IGNORE_BOM, UTF_8 } = engine;
  for (const { number, name } of index.encodings) {
    for (const bytes of SOURCES) {
      const place = `${name}, ${bytes.subarray(0, 20)}`;
      // The legacy algorithm follows a byte order mark, as the charsets do.
      assert.equal(both((engine) => engine.legacyDecode(number, bytes, false), place), charsets.decode(bytes, name), place);
      const failed = both((engine) => [engine.legacyDecode(number, bytes, true), engine.lastMalformed()], place);
      const model = outcome(() => charsets.decodeOrFail(bytes, name));
      if (typeof model === 'string') {
        assert.equal(failed[0], model, place);
      } else {
        const { offset, bytes: malformed, encoding, count } = failed[1];
        assert.equal(failed[0], undefined, place);
        assert.deepEqual([offset, malformed, count], [model.offset, model.bytes, malformed.length], place);
        assert.ok(model.message.endsWith(` are malformed in ${engine.names[encoding]}`), model.message);
      }
      for (const flags of [0, FATAL, IGNORE_BOM, FATAL | IGNORE_BOM]) {
        const config = number | flags;
        const whole = both((engine) => engine.decodeAll(config, bytes), place);
        for (const size of bytes.length > 100 ? [99] : [1, 2, 3, 100]) {
          assert.equal(both((engine) => {
            const state = engine.newState();
            let text = '';
            for (const piece of cut(bytes, size)) {
              const string = engine.decodeNext(config, state, piece, true);
              if (string === undefined) return undefined;
              text += string;
            }
            const last = engine.decodeNext(config, state, new Uint8Array(0), false);
            // The state is that of a new stream.
            assert.deepEqual(state, engine.newState());
            return last === undefined ? undefined : text + last;
          }, place), whole, place);
        }
        const withMark = bytes[0] >= 0xef;
        if (!withMark) assert.equal(whole, flags & FATAL ? (typeof model === 'string' ? model : undefined) : charsets.decode(bytes, name), place);
        else if (number === UTF_8 && bytes[0] === 0xef && bytes.length > 2) assert.equal(whole, flags & IGNORE_BOM ? '\ufeffa\ufeff' : 'a\ufeff');
      }
    }
  }
});

test('a malformed sequence is described wherever the pieces of its stream end', () => {
  const { FATAL, IGNORE_BOM } = engine;
  for (const { number, name } of index.encodings) {
    for (const bytes of SOURCES) {
      const state = engine.newState();
      const read = (engine, bytes, state, size) => cut(bytes, size).every((piece) => engine.decodeNext(number | FATAL | IGNORE_BOM, state, piece, true) !== undefined)
        && engine.decodeNext(number | FATAL | IGNORE_BOM, state, new Uint8Array(0), false) !== undefined;
      if (read(engine, bytes, state, bytes.length || 1)) continue;
      const { offset, bytes: malformed } = engine.lastMalformed();
      assert.deepEqual(malformed, bytes.slice(offset, offset + malformed.length), `${name}, ${bytes.subarray(0, 20)}`);
      for (const size of [1, 2, 3]) {
        const found = both((engine) => (read(engine, bytes, engine.newState(), size) ? undefined : engine.lastMalformed()));
        assert.deepEqual([found.offset, found.bytes, found.count, found.encoding], [offset, malformed, malformed.length, number]);
      }
    }
  }
});

test('the sequences of a text are its bytes and its characters, however they are asked for', () => {
  for (const { number, name } of index.encodings) {
    for (const bytes of SOURCES) {
      if (!isTaken(bytes, name)) continue;
      const place = `${name}, ${bytes.subarray(0, 20)}`;
      const { sequences, read } = both((engine) => engine.detail(number, bytes), place);
      assert.equal(read, bytes.length, place);
      assert.equal(sequences.reduce((at, { offset, length }) => (assert.equal(offset, at, place), at + length), 0), bytes.length, place);
      const text = sequences.map(({ codePoints, reason }) => (reason === undefined ? String.fromCodePoint(...codePoints) : '\ufffd')).join('');
      // The replacement decoder decodes nothing after its only error.
      if (name !== 'replacement') assert.equal(text, engine.decodeAll(number | engine.IGNORE_BOM, bytes), place);
      for (const { length, codePoints, reason } of sequences) {
        assert.ok(length > 0 && (reason === undefined) !== (codePoints === undefined) && (reason === undefined || REASONS.includes(reason)), place);
      }
      assert.deepEqual(both((engine) => engine.detail(number, bytes, { state: undefined, stream: undefined, most: undefined })), { sequences, read }, place);
      assert.deepEqual(both((engine) => engine.detail(number, bytes, { most: 0 })), { sequences: [], read: 0 }, place);
      // In pieces of so many bytes, and so many sequences at a time.
      for (const [size, most] of [[1, Infinity], [2, 1], [3, 2], [5, Infinity], [2000, 1], [2000, 3], [2000, 5000]]) {
        if (bytes.length > 100 && most < 3) continue;
        const found = both((engine) => {
          const state = engine.newState();
          const all = [];
          let at = 0;
          let end = Math.min(size, bytes.length);
          while (at < bytes.length) {
            const stream = end < bytes.length;
            const { sequences, read } = engine.detail(number, bytes.subarray(at, end), { state, stream, most });
            assert.ok(sequences.length <= most);
            all.push(...sequences.map((sequence) => ({ ...sequence, offset: at + sequence.offset })));
            at += read;
            // A sequence that goes on after the piece is passed again, with more bytes.
            end = Math.min(bytes.length, read === 0 ? end + 1 : Math.max(end, at + size));
          }
          return all;
        }, `${place}, ${size}, ${most}`);
        assert.deepEqual(found, sequences, `${place}, ${size}, ${most}`);
      }
    }
  }
});

const TEXTS = ['', 'a', 'aé☃テ', 'テ한😀\ue5e5中', '\ufffd~\\¥\x0eb', '\ud83d', 'a\ude00\ud83d', '\ufeffЖ', '\u{f423f}\u{f4240}\u{10ffff}', 'é'.repeat(20_000), `${'a'.repeat(16_383)}😀☃`];

test('every encoding is encoded as by the library of the charsets, with each unmappable character in its place', () => {
  for (const { number, name } of index.encodings) {
    const output = /^(?:UTF-16|replacement)/.test(name) ? 'UTF-8' : name;
    const encoding = engine.names.indexOf(output);
    for (const text of TEXTS) {
      if (!isTaken(text, name)) continue;
      const place = `${name}, ${JSON.stringify(text.slice(0, 20))}`;
      const bytes = charsets.encode(text, output);
      assert.deepEqual(both((engine) => engine.encode(number, text, false), place), bytes, place);
      const model = outcome(() => charsets.encodeOrFail(text, output));
      const strict = both((engine) => [engine.encode(number, text, true), engine.lastUnmappable()], place);
      if (model instanceof Uint8Array) assert.deepEqual(strict[0], model, place);
      else assert.deepEqual(strict, [undefined, { codePoint: model.codePoint, index: model.index }], place);
      const { bytes: detailed, unmappable } = both((engine) => engine.encodeDetail(number, text), place);
      assert.deepEqual(detailed, bytes, place);
      // One character alone is mappable or not. ISO-2022-JP has U+FFFD for the characters of its escapes.
      const expected = [];
      const alone = new Map();
      let at = 0;
      for (const character of text) {
        if (!alone.has(character)) alone.set(character, outcome(() => charsets.encodeOrFail(character, output)).codePoint);
        if (alone.get(character) !== undefined) expected.push({ codePoint: alone.get(character), index: at });
        at += character.length;
      }
      assert.deepEqual(unmappable.map(({ codePoint, index }) => ({ codePoint, index })), expected, place);
      for (const { codePoint, offset } of unmappable) {
        const reference = new TextEncoder().encode(`&#${codePoint};`);
        const start = detailed[offset] === 0x1b ? offset + 3 : offset;
        assert.deepEqual(detailed.slice(start, start + reference.length), reference, place);
      }
      assert.equal(engine.names[encoding], output);
    }
  }
});

test('percent-encoding follows the set and the flag in every encoding', () => {
  const sets = [new Uint8Array(128), new Uint8Array(128).fill(1), Uint8Array.from({ length: 128 }, (_, codePoint) => (codePoint % 3 === 0 ? 7 : 0))];
  for (const { number, name } of index.encodings) {
    for (const text of ['', ' ', 'a b+c\0\x7f', 'é Жテ☃ 한😀~', '\u{f423f} \u{10ffff}', '   é  ', ' a'.repeat(20_000)]) {
      for (const set of isTaken(text, name) ? sets : []) {
        for (const plus of [false, true]) {
          const percent = (byte) => (byte === 0x20 && plus ? '+' : byte > 0x7f || set[byte] !== 0 ? `%${byte.toString(16).toUpperCase().padStart(2, '0')}` : String.fromCharCode(byte));
          const expected = name === 'ISO-2022-JP' && text.includes('é') ? undefined : (text.length > 100 ? [text] : Array.from(text)).map((character) => {
            const bytes = engine.encode(number, character, true);
            return bytes === undefined ? `%26%23${character.codePointAt(0)}%3B` : Array.from(bytes, percent).join('');
          }).join('');
          const found = both((engine) => engine.percentEncode(number, text, set, plus), name);
          if (expected !== undefined) assert.equal(found, expected, `${name}, ${JSON.stringify(text.slice(0, 20))}`);
        }
      }
    }
  }
});

test('a byte order mark is found in every kind of memory, and repair undoes decoding in every encoding', () => {
  for (const [bytes, name] of [[[0xef, 0xbb, 0xbf], 'UTF-8'], [[0xfe, 0xff], 'UTF-16BE'], [[0xff, 0xfe, 0x61], 'UTF-16LE'], [[0xef, 0xbb], undefined], [[], undefined], [[0x61, 0xff, 0xfe], undefined]]) {
    const number = name === undefined ? undefined : engine.names.indexOf(name);
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    for (const source of [Uint8Array.from(bytes), Uint8Array.from([0xff, ...bytes, 0xff]).subarray(1, -1), shared]) {
      // The library has the bytes of an earlier call before.
      both((engine) => engine.decodeAll(30, Uint8Array.of(0xef, 0xbb, 0xbf, 0xff)));
      assert.equal(both((engine) => engine.bomSniff(source)), number);
    }
  }
  for (const { number, name } of index.encodings) {
    for (const text of ['', 'plain', 'é', 'naïve café', '日本語', '\ufeffx']) {
      const found = both((engine) => engine.repair(number, engine.decodeAll(number | engine.IGNORE_BOM, new TextEncoder().encode(text))), name);
      const [key] = Object.keys(found);
      assert.ok(found.text === text || (text !== 'plain' && (key === 'unmappable' || key === 'malformed' || /^gb18030|^GBK|^x-user/i.test(name))) || /^UTF-16|replacement|ISO-2022-JP/.test(name), `${name}: ${text}: ${JSON.stringify(found)}`);
    }
    assert.deepEqual(both((engine) => engine.repair(number, '')), { text: '' });
  }
});

/** The rungs of each ladder. The other contexts have no encoding, or one encoding. */
const LADDERS = {
  'TextDecoder': 'argument, default',
  'HTML parser': 'byte order mark, user, transport, HTML prescan, container document, earlier visit, guess from the bytes, locale, default',
  'XHR document response': 'byte order mark, override, transport, HTML prescan, default',
  'XML parser': 'byte order mark, user, transport, XML declaration, default',
  'CSS style sheet from a document': 'byte order mark, transport, @charset, charset attribute, referring document, default',
  'CSS style sheet from a style sheet': 'byte order mark, transport, @charset, referring document, default',
  'CSS style sheet from a Link header': 'byte order mark, transport, @charset, default',
  'text document': 'byte order mark, user, transport, container document, earlier visit, guess from the bytes, locale, default',
  'XHR text response, XML': 'byte order mark, override, transport, XML declaration, default',
  'XHR text response': 'byte order mark, override, transport, default',
  'view-source': 'by MIME type, container document, earlier visit, guess from the bytes, locale, default',
  'classic script': 'byte order mark, transport, charset attribute, referring document, default',
  'FileReader readAsText': 'byte order mark, argument, transport, default',
  'URL query': 'referring document, default',
  'form submission': 'charset attribute, referring document, default',
};
const WITHOUT_ENCODING = ['MIME type from bytes', 'URL parser', 'data: URL processor', 'Refresh header', 'header values', 'atob'];
/** The phrase of each rung, its names in ladders, and its confidence; of some rungs, the context decides that. */
const RUNGS = {
  'default': ['the default, as nothing says otherwise', ['default', 'by MIME type']],
  'override': ['an override names it', ['argument', 'user', 'override', 'by MIME type'], 'certain'],
  'heuristic': ['a guess from the bytes', ['guess from the bytes', 'by MIME type'], 'tentative'],
  'locale': ["the locale's default", ['locale', 'by MIME type'], 'tentative'],
  'transport': ['the transport layer names it', ['transport', 'by MIME type'], 'certain'],
  'container': ['the container document is in it', ['container document', 'by MIME type'], 'tentative'],
  'history': ['it was the encoding at an earlier visit', ['earlier visit', 'by MIME type'], 'tentative'],
  'bom': ['a byte order mark', ['byte order mark', 'by MIME type'], 'certain'],
  'meta': ['a meta element declares it', ['HTML prescan', 'by MIME type']],
  'xml-declaration': ['an XML declaration', ['HTML prescan', 'XML declaration', 'by MIME type']],
  'autodetection': ['the first bytes are XML in it', ['XML declaration', 'HTML prescan', 'by MIME type']],
  'charset-attribute': ['the charset attribute of the reference names it', ['charset attribute']],
  'environment': ['the referring document is in it', ['referring document']],
  'at-charset': ['@charset declares it', ['@charset']],
  'fixed': ['no other encoding is possible here', ['default'], 'irrelevant'],
};
const PAGES = ['', 'a', '\ufeffa', '<meta charset=koi8-r>', "<?xml version='1.0' encoding='koi8-r'?>", '@charset "koi8-r";', '<\0?\0x\0m\0l'].map((text) => new TextEncoder().encode(text));
const LABELS = ['override', 'transport', 'charsetAttribute', 'environment', 'container', 'history', 'default'];

test('each context has its ladder, on which one rung decides, with each pair of hints', () => {
  assert.deepEqual(both(({ contexts }) => contexts), index.contexts);
  assert.equal(new Set(index.contexts).size, 41);
  assert.deepEqual([...Object.keys(LADDERS), ...WITHOUT_ENCODING].filter((name) => !index.contexts.includes(name)), []);
  const seen = new Set();
  const hints = [{}, { guess: true }, { locale: 'ru' }, { contentType: 'text/html; charset=gbk' }, { contentType: 'text/html; charset=nonsense' }, ...LABELS.map((name) => ({ [name]: 'koi8-u' }))];
  for (const context of index.contexts) {
    for (const [place, one] of hints.entries()) {
      for (const other of hints.slice(place)) {
        for (const page of PAGES) {
          const all = { ...one, ...other };
          const found = both((engine) => engine.sniff(page, context, all), `${context}, ${JSON.stringify(all)}`);
          assert.deepEqual(index.sniff(page, context, all), found);
          if (found === null) {
            assert.ok(WITHOUT_ENCODING.includes(context), context);
            continue;
          }
          const { encoding, confidence, rung, reason, label, ladder } = found;
          const [phrase, names, expected = confidence] = RUNGS[rung];
          seen.add(rung);
          const at = ladder.findIndex(({ outcome }) => outcome === 'yes');
          assert.deepEqual(ladder.map(({ name }) => name).join(', '), LADDERS[context] ?? 'default');
          assert.deepEqual(ladder.map(({ outcome }) => outcome), ladder.map((_, place) => (place < at ? 'no' : place === at ? 'yes' : 'unasked')));
          assert.ok(index.labelToName(encoding) === encoding && names.includes(ladder[at].name), `${context}: ${rung}`);
          assert.deepEqual([reason, confidence], [phrase, expected], `${context}: ${rung}`);
          const isDeclared = ['meta', 'xml-declaration', 'at-charset'].includes(rung);
          assert.equal(label === null, !isDeclared || !String.fromCharCode(...page).includes('koi8'), `${context}: ${rung}`);
          if (label !== null) assert.equal(String.fromCharCode(...page.subarray(label.offset, label.offset + label.length)), 'koi8-r');
        }
      }
    }
  }
  assert.deepEqual([...seen].sort(), Object.keys(RUNGS).sort());
});

test('the arguments of sniff have their kinds, their defaults and their greatest lengths', () => {
  const { sniff } = index;
  const [, , , meta] = PAGES;
  const offset = Uint8Array.from([0xff, ...meta, 0xff]);
  const shared = new Uint8Array(new SharedArrayBuffer(meta.length));
  shared.set(meta);
  const expected = sniff(meta, 'HTML parser', {});
  for (const source of [meta.buffer.slice(meta.byteOffset, meta.byteOffset + meta.length), offset.subarray(1, -1), new DataView(offset.buffer, 1, meta.length), new Int8Array(offset.buffer, 1, meta.length), shared, shared.buffer]) {
    for (const rest of [[], [undefined], [undefined, undefined], ['HTML parser', null], [undefined, Object.create(null)], ['HTML parser', { guess: false, transport: undefined, contentType: null, locale: '' }]]) {
      assert.deepEqual(sniff(source, ...rest), expected);
    }
  }
  for (const context of index.contexts) {
    for (const hints of [undefined, null, {}, { unknown: 1 }]) assert.deepEqual(sniff(meta, context, hints), engine.sniff(meta, context), context);
  }
  const detached = new Uint8Array(3);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  assert.deepEqual([sniff(detached), index.bomSniff(detached)], [sniff(new Uint8Array(0)), null]);
  for (const value of [undefined, null, 1, 'a', [1], {}]) assert.throws(() => sniff(value), { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' });
  for (const context of ['', 'html parser', 'HTML', null, 1]) {
    assert.throws(() => sniff(meta, context), { name: 'RangeError', message: `There is no context "${context}"; the contexts are: ${index.contexts.join(', ')}` });
  }
  // A label is any value: a number, an object. Null and undefined are no label, and other values name no encoding.
  for (const name of LABELS) {
    const context = { override: 'XHR text response', charsetAttribute: 'classic script', environment: 'classic script' }[name] ?? 'HTML parser';
    const of = (value) => sniff(PAGES[1], context, { [name]: value });
    for (const value of ['koi8-r', ' KOI8 \n', { toString: () => 'koi8-r' }, ['koi8-r']]) assert.equal(of(value).encoding, 'KOI8-R', name);
    assert.equal(of(866).encoding, 'IBM866', name);
    for (const value of [undefined, null, '', 'nonsense', {}, 0]) assert.deepEqual(of(value), sniff(PAGES[1], context), `${name}: ${value}`);
  }
  // A label that names nothing is still there: it hides the header.
  for (const [transport, encoding] of [[undefined, 'GBK'], [null, 'GBK'], ['', 'windows-1252'], ['nonsense', 'windows-1252'], ['big5', 'Big5']]) {
    assert.equal(sniff(PAGES[1], 'HTML parser', { transport, contentType: 'text/html; charset=gbk' }).encoding, encoding);
  }
  const header = 'text/html; charset=gbk; x=';
  for (const [contentType, locale, isTooLong] of [
    [header.padEnd(254, 'a'), 'ru', false], [header.padEnd(255, 'a'), 'ru', true], [header.padEnd(256, 'a'), '', false], [header.padEnd(256, 'a'), undefined, false],
    [header + 'é'.repeat(115), '', false], [header + 'é'.repeat(116), '', true], ['', 'r'.repeat(256), false], ['', 'r'.repeat(257), true],
  ]) {
    const found = both((engine) => engine.sniff(PAGES[1], 'HTML parser', { contentType, locale }));
    assert.equal(isTooLong ? found.message : found.encoding, isTooLong ? 'The contentType and the locale have more than 256 bytes' : contentType === '' ? 'windows-1252' : 'GBK');
  }
  for (const guess of [true, 1, 'no', {}, false, 0, '', null, undefined]) {
    assert.equal(sniff(Uint8Array.of(0xc3, 0xa9), 'HTML parser', { guess }).rung, guess ? 'heuristic' : 'default');
  }
  // With more bytes to follow, the answer can be open; nothing is open at the end.
  for (const [text, isOpen] of [['', true], ['<meta char', true], ['a'.repeat(1024), false], ['\ufeff', false], ['<meta charset=gbk>', false]]) {
    const bytes = new TextEncoder().encode(text);
    assert.equal(both((engine) => engine.sniff(bytes, 'HTML parser', {}, true)) === null, isOpen, text);
    assert.ok(both((engine) => engine.sniff(bytes, 'HTML parser', {}, false)) !== null);
  }
});

test('UTF-8 is encoded as by the host, into every space', () => {
  const encoder = new TextEncoder();
  for (const text of TEXTS.filter(({ length }) => length < 100)) {
    assert.deepEqual(both((engine) => engine.encodeUtf8(text)), encoder.encode(text));
    for (let capacity = 0; capacity <= 3 * text.length + 1; capacity++) {
      const [own, expected] = [new Uint8Array(capacity + 2).fill(0x55), new Uint8Array(capacity + 2).fill(0x55)];
      const result = engine.encodeInto(text, own.subarray(1, -1));
      assert.deepEqual(result, { ...encoder.encodeInto(text, expected.subarray(1, -1)) }, `${JSON.stringify(text)}, ${capacity}`);
      assert.deepEqual(own, expected);
    }
  }
});

const [NO_START, CUT_OFF, NOT_CONTINUED, NO_CHARACTER] = REASONS;
/** Bytes in hexadecimal whose first sequence is malformed, by the encoding and the reason. */
const FIRST_SEQUENCES = {
  'UTF-8': { [NO_START]: 'ff 80 c080 f5', [CUT_OFF]: 'c3 e282 f09f92', [NOT_CONTINUED]: 'c361 e28261 eda080 f490' },
  'Shift_JIS': { [NO_START]: 'a0 fd ff', [CUT_OFF]: '82', [NOT_CONTINUED]: '8220', [NO_CHARACTER]: '81ad 82ff' },
  'gb18030': { [NO_START]: 'ff', [CUT_OFF]: '81 8130 813081', [NOT_CONTINUED]: '81308161 8120', [NO_CHARACTER]: '8431a530 81ff' },
  'GBK': { [NO_START]: 'ff', [CUT_OFF]: '81', [NOT_CONTINUED]: '8120', [NO_CHARACTER]: '81ff' },
  'Big5': { [NO_START]: 'ff', [CUT_OFF]: 'a4', [NOT_CONTINUED]: 'a420 8140', [NO_CHARACTER]: '81fe' },
  'EUC-KR': { [NO_START]: 'ff 80', [CUT_OFF]: 'a1', [NOT_CONTINUED]: 'a120', [NO_CHARACTER]: 'c9a1' },
  'EUC-JP': { [NO_START]: 'ff 80', [CUT_OFF]: '8e 8f 8fa1', [NOT_CONTINUED]: '8e61 8f61', [NO_CHARACTER]: 'a9a1 8fa1a1' },
  'ISO-2022-JP': { [NO_START]: '80 0e', [CUT_OFF]: '1b 1b24', [NOT_CONTINUED]: '1b58 1b2458' },
  'UTF-16LE': { [CUT_OFF]: '61 00d8 00d861', [NOT_CONTINUED]: '00d86100', [NO_CHARACTER]: '00dc6100' },
  'UTF-16BE': { [CUT_OFF]: '00 d800', [NOT_CONTINUED]: 'd8000061', [NO_CHARACTER]: 'dc00' },
  'windows-1253': { [NO_START]: 'aa ff' },
  'replacement': { [NO_START]: '61' },
};

test('a malformed sequence has the reason that its bytes give, at the start, in the middle and at the end', () => {
  for (const [name, reasons] of Object.entries(FIRST_SEQUENCES)) {
    const number = engine.names.indexOf(name);
    const unit = { 'UTF-16LE': [0x61, 0], 'UTF-16BE': [0, 0x61] }[name] ?? [0x61];
    for (const [reason, sources] of Object.entries(reasons)) {
      for (const source of sources.split(' ')) {
        const bytes = source.match(/../g).map((byte) => parseInt(byte, 16));
        // After other characters, and before them unless the sequence needs its end.
        for (const before of name === 'replacement' ? [0] : [0, 1, 9]) {
          for (const after of reason === CUT_OFF ? [0] : [0, 1, 9]) {
            const all = Uint8Array.from([...Array(before).fill(unit).flat(), ...bytes, ...Array(after).fill(unit).flat()]);
            const { sequences } = both((engine) => engine.detail(number, all));
            assert.deepEqual([sequences[before].reason, sequences[before].offset], [reason, before * unit.length], `${name}, ${source}, ${before}, ${after}`);
            assert.ok(sequences.slice(0, before).every(({ codePoints }) => codePoints?.[0] === 0x61));
          }
        }
      }
    }
  }
  // In a stream that goes on, only the sequences that the end cuts off are not there yet.
  for (const { number, name } of index.encodings) {
    for (const bytes of SOURCES) {
      if (!isTaken(bytes, name)) continue;
      const { sequences } = engine.detail(number, bytes);
      const { sequences: begun, read } = both((engine) => engine.detail(number, bytes, { state: engine.newState(), stream: true }));
      const place = `${name}, ${bytes.subarray(0, 20)}`;
      assert.deepEqual(sequences.slice(0, begun.length), begun, place);
      assert.ok(begun.every(({ reason }) => reason !== CUT_OFF), place);
      const [next] = sequences.slice(begun.length);
      assert.deepEqual([next?.offset ?? bytes.length, next?.reason], [read, next === undefined ? undefined : next.codePoints === undefined ? CUT_OFF : next.reason], place);
    }
  }
});

test('a text of any number of pieces has its end in each function', () => {
  const { FATAL, UTF_8 } = engine;
  const [sjis, jis] = ['Shift_JIS', 'ISO-2022-JP'].map((name) => engine.names.indexOf(name));
  for (const length of [1, 65_535, 65_536, 65_537, 131_071, 131_072, 131_073]) {
    const bytes = new Uint8Array(length).fill(0x61);
    bytes[length - 1] = 0x83;
    const start = 'a'.repeat(length - 1);
    for (const call of [(engine) => engine.decodeAll(sjis, bytes), (engine) => engine.decodeNext(sjis, engine.newState(), bytes, false), (engine) => engine.legacyDecode(sjis, bytes, false)]) {
      assert.ok(both(call) === `${start}\ufffd`, `${length}`);
    }
    for (const call of [
      (engine) => engine.decodeAll(sjis | FATAL, bytes), (engine) => engine.decodeNext(sjis | FATAL, engine.newState(), bytes, false), (engine) => engine.legacyDecode(sjis, bytes, true),
    ]) {
      const { offset, bytes: malformed, encoding } = both((engine) => (call(engine) === undefined ? engine.lastMalformed() : {}));
      assert.deepEqual([offset, malformed, encoding], [length - 1, Uint8Array.of(0x83), sjis], `${length}`);
    }
    // A stream that goes on keeps the byte.
    assert.ok(both((engine) => {
      const state = engine.newState();
      return engine.decodeNext(sjis, state, bytes, true) + engine.decodeNext(sjis, state, Uint8Array.of(0x65), false);
    }) === `${start}テ`);
    bytes[length - 1] = 0xc3;
    assert.equal(both((engine) => engine.decodeAll(UTF_8 | FATAL, bytes)), undefined);
  }
  for (const length of [1, 16_383, 16_384, 16_385, 32_767, 32_768, 32_769]) {
    const text = '日'.repeat(length);
    const expected = new TextEncoder().encode(`\x1b$B${'F|'.repeat(length)}\x1b(B`);
    for (const call of [(engine) => engine.encode(jis, text, false), (engine) => engine.encode(jis, text, true), (engine) => engine.encodeDetail(jis, text).bytes]) {
      assert.deepEqual(both(call), expected, `${length}`);
    }
    assert.equal(both((engine) => engine.percentEncode(jis, text, new Uint8Array(128), false)), `%1B$B${'F|'.repeat(length)}%1B(B`.replaceAll('%1B', '\x1b'), `${length}`);
    const { unmappable } = both((engine) => engine.encodeDetail(jis, `${text}☃`));
    assert.deepEqual(unmappable.map(({ codePoint, index }) => [codePoint, index]), [[0x2603, length]]);
  }
});
