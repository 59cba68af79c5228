// Every option of every function: its effect, its default, and each kind of argument that it takes.
import assert from 'node:assert/strict';
import { ReadableStream } from 'node:stream/web';
import { test } from 'node:test';
import { TextDecoder, TextDecoderStream, encode } from '@textcodec/node';
import * as chardet from '@textcodec/node/chardet';
import { CharsetDecoder, CharsetEncoder, charsets, decodeOrFail, encode as encodeCharset, encodeOrFail, lookup } from '@textcodec/node/charsets';
import { Detector, detect } from '@textcodec/node/detect';
import * as jschardet from '@textcodec/node/jschardet';

const latin1 = (text) => Uint8Array.from(text, (character) => character.charCodeAt(0));
// "Привет, как дела?" in KOI8-R.
const KOI8 = latin1('\xf0\xd2\xc9\xd7\xc5\xd4, \xcb\xc1\xcb \xc4\xc5\xcc\xc1?');
const POLISH = latin1('Za\xbf\xf3\xb3\xe6 g\xea\xb6l\xb1 ja\xbc\xf1, a potem wr\xf3\xe6 do domu i \xb6pij d\xb3ugo');
const DOS = encode('Привет, как дела?', 'ibm866');
const labels = charsets().map(({ name }) => name).filter((name) => lookup(name).family === null);

/** The result of a call, or the class, the code and the message of its error. */
function outcome(call) {
  try {
    return call();
  } catch (error) {
    return [error.name, error.code, error.message];
  }
}

const BYTES = [
  [], [0x61], [0x61, 0xff, 0x62], [0xe2, 0x82], [0xef, 0xbb, 0xbf, 0x61], [0xef, 0xbb, 0xbf], [0xef, 0xbb], [0xff, 0xfe, 0x61, 0], [0xfe, 0xff, 0, 0x61], [0xff],
  [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf, 0x62], [0x3d, 0xd8, 0, 0xde, 0x61], [0x1b, 0x24, 0x42, 0x24, 0x22, 0x1b, 0x28, 0x42, 0x80], [0x93, 0xfa, 0x96, 0x7b, 0x81],
  [0x81, 0x30, 0x81, 0x30, 0x81, 0x30, 0x61], [0xf0, 0x9f, 0x98, 0x80, 0xc3], Array(2000).fill(0x61).concat(0xc3, 0xa9, 0xf0),
].map((values) => Uint8Array.from(values));

async function throughStream(label, options, bytes, size) {
  const stream = new TextDecoderStream(label, options);
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
  const source = new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const out = [];
  try {
    for await (const chunk of source.pipeThrough(stream)) out.push(chunk);
  } catch (error) {
    return [error.name, error.code, error.message];
  }
  assert.ok(out.every((chunk) => chunk !== ''));
  return out.join('');
}

test('every way to decode gives the same text and the same error with each pair of options', async () => {
  assert.equal(labels.length, 40);
  for (const label of labels.filter((label) => label !== 'replacement')) {
    for (const fatal of [false, true]) {
      for (const ignoreBOM of [false, true]) {
        const options = { fatal, ignoreBOM };
        const decoder = new TextDecoder(label, options);
        for (const bytes of BYTES) {
          const place = `${label}, ${fatal}, ${ignoreBOM}, ${bytes.subarray(0, 20)}`;
          const expected = outcome(() => new TextDecoder(label, options).decode(bytes));
          // A decoder is as new after each stream, also after an error.
          assert.deepEqual(outcome(() => decoder.decode(bytes)), expected, place);
          assert.deepEqual(outcome(() => decoder.decode(bytes, { stream: false })), expected, place);
          const inPieces = (size) => {
            let text = '';
            for (let at = 0; at < bytes.length; at += size) text += decoder.decode(bytes.subarray(at, at + size), { stream: true });
            return text + decoder.decode();
          };
          for (const size of bytes.length > 100 ? [999] : [1, 2, 3]) {
            assert.deepEqual(outcome(() => inPieces(size)), expected, place);
            if (size === 2) assert.deepEqual(await throughStream(label, options, bytes, size), expected, place);
          }
          // A decoder of charsets follows byte order marks, and has the same text otherwise.
          if (!fatal && !/^(239,187,191|255,254|254,255)/.test(bytes)) assert.equal(new CharsetDecoder(label).decode(bytes), expected, place);
          if (Array.isArray(expected)) assert.deepEqual([fatal, expected[0], expected[1]], [true, 'TypeError', 'ERR_ENCODING_INVALID_ENCODED_DATA']);
          else if (fatal) assert.equal(new TextDecoder(label, { ignoreBOM }).decode(bytes), expected, place);
        }
        const stream = new TextDecoderStream(label, options);
        for (const object of [decoder, stream]) assert.deepEqual([object.encoding, object.fatal, object.ignoreBOM], [label.toLowerCase(), fatal, ignoreBOM]);
      }
    }
  }
});

test('the decoders of UTF-8 and UTF-16 agree with those of Node.js', () => {
  for (const label of ['utf-8', 'utf-16le']) {
    for (const [fatal, ignoreBOM] of [[false, false], [false, true], [true, false], [true, true]]) {
      const [own, ofNode] = [new TextDecoder(label, { fatal, ignoreBOM }), new globalThis.TextDecoder(label, { fatal, ignoreBOM })];
      for (const bytes of BYTES) {
        const run = (decoder) => {
          try {
            return decoder.decode(bytes);
          } catch (error) {
            return error.name;
          }
        };
        assert.equal(run(own), run(ofNode), `${label}, ${fatal}, ${ignoreBOM}, ${bytes.subarray(0, 20)}`);
      }
    }
  }
});

test('every charset is found by its name and its facts are those of its coders', () => {
  const all = charsets();
  assert.equal(new Set(all.map(({ name }) => name)).size, all.length);
  for (const listed of all) {
    const { name } = listed;
    const found = lookup(name);
    for (const [member, value] of Object.entries(listed)) assert.deepEqual(found[member], value, `${name}: ${member}`);
    for (const fatal of [false, true]) {
      const decoder = new CharsetDecoder(name, { fatal });
      assert.deepEqual([decoder.charset, decoder.fatal], [name, fatal]);
      const encoder = outcome(() => new CharsetEncoder(name, { fatal }));
      assert.equal(!Array.isArray(encoder), found.canEncode, name);
      if (found.canEncode) assert.deepEqual([encoder.charset, encoder.fatal], [name, fatal]);
    }
  }
});

/** The error of a call, or undefined. */
function errorOf(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
}

test('an error in each charset has the place and the bytes or the character that it has in the input', () => {
  const sources = [...BYTES.slice(0, 4), ...BYTES.slice(11), Uint8Array.of(0x61, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x62, 0, 0, 0), Uint8Array.of(0x84, 0x31, 0xa5, 0x30, 0x61, 0xff, 0xff)];
  for (const { name } of charsets()) {
    for (const bytes of sources) {
      const error = errorOf(() => decodeOrFail(bytes, name));
      if (error === undefined) continue;
      const { offset, bytes: malformed, message } = error;
      assert.deepEqual(malformed, bytes.slice(offset, offset + malformed.length), `${name}, ${bytes.subarray(0, 20)}`);
      const hex = Array.from(malformed, (byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ');
      assert.equal(message, `The bytes ${hex} at ${offset} are malformed in ${name}`);
      assert.ok(malformed.length > 0, name);
      // The same error comes in a stream.
      const decoder = new CharsetDecoder(name, { fatal: true });
      const inPieces = () => {
        for (const byte of bytes) decoder.decode(Uint8Array.of(byte), { stream: true });
        decoder.decode();
      };
      const other = errorOf(inPieces);
      assert.deepEqual([other.offset, other.bytes, other.message, other.code], [offset, malformed, message, error.code]);
    }
    if (!lookup(name).canEncode) continue;
    for (const text of ['a☃', '😀\u{e0100}é', 'aé日\ue5e5☃']) {
      const error = errorOf(() => encodeOrFail(text, name));
      if (error === undefined) continue;
      assert.equal(text.codePointAt(error.index), error.codePoint, name);
      assert.equal(error.message, `U+${error.codePoint.toString(16).toUpperCase().padStart(4, '0')} at ${error.index} cannot be encoded into ${name}`);
      assert.equal(errorOf(() => encodeOrFail(text.slice(0, error.index), name)), undefined);
    }
  }
});

test('a text in pieces is encoded as the whole text in each charset, with the same error', () => {
  for (const { name } of charsets()) {
    if (!lookup(name).canEncode) continue;
    const encoders = [false, true].map((fatal) => new CharsetEncoder(name, { fatal }));
    for (const text of ['', 'a', 'aé☃b😀', '日本語\u{301}か゚\x0e', 'ab\ud83d', '\ude00é\ue5e5Ж한']) {
      const expected = [encodeCharset(text, name), errorOf(() => encodeOrFail(text, name))];
      if (expected[1] === undefined) assert.deepEqual(encodeOrFail(text, name), expected[0], name);
      for (const size of [1, 3]) {
        // An encoder is as new after each stream, also after an error.
        encoders.forEach((encoder, fatal) => {
          const bytes = [];
          const error = errorOf(() => {
            for (let at = 0; at < text.length; at += size) bytes.push(...encoder.encode(text.slice(at, at + size), { stream: true }));
            bytes.push(...encoder.encode());
          });
          const place = `${name}, ${JSON.stringify(text)}, ${size}`;
          if (fatal && expected[1] !== undefined) {
            const { message, code, index, codePoint } = expected[1];
            assert.deepEqual([error?.message, error?.code, error?.index, error?.codePoint], [message, code, index, codePoint], place);
          } else {
            assert.deepEqual([error, Uint8Array.from(bytes)], [undefined, expected[0]], place);
          }
        });
      }
    }
  }
});

test('an option that is true or false is any value in each class', () => {
  for (const value of [true, 1, 'no', {}, [], Symbol('a'), false, 0, '', null, undefined, NaN, 0n]) {
    for (const [name, Class] of Object.entries({ TextDecoder, TextDecoderStream, CharsetDecoder, CharsetEncoder })) {
      assert.equal(new Class('gbk', { fatal: value }).fatal, !!value, name);
      if (name.startsWith('Text')) assert.equal(new Class('gbk', { ignoreBOM: value }).ignoreBOM, !!value, name);
    }
    for (const Class of [TextDecoder, CharsetDecoder]) assert.equal(new Class('gbk').decode(Uint8Array.of(0x61, 0x81), { stream: value }), value ? 'a' : 'a\ufffd');
    assert.equal(new CharsetEncoder('gbk').encode('a\ud83d', { stream: value }).length === 1, !!value);
  }
});

test('the members of an answer are those of its best candidate', () => {
  const texts = [...BYTES, KOI8, POLISH, DOS, encode('日本語のテキスト', 'shift_jis'), encode('Привет', 'koi8-r'), latin1('\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01')];
  for (const bytes of texts) {
    const found = detect(bytes);
    const { candidates } = found;
    const best = candidates[0] ?? { encoding: null, language: null, probability: 0, evidence: [] };
    for (const member of ['encoding', 'language', 'probability', 'evidence']) assert.deepEqual(found[member], best[member], `${found.kind}: ${member}`);
    const groups = candidates.map(({ group }) => group);
    assert.deepEqual(groups, groups.toSorted((a, b) => a - b));
    candidates.forEach((candidate, place) => {
      assert.equal(candidate.isStandard, outcome(() => labels.includes(lookup(candidate.encoding).name)) === true, candidate.encoding);
      if (place > 0) assert.ok(candidate.group - groups[place - 1] <= 1 && candidate.probability <= candidates[place - 1].probability);
    });
    const detector = new Detector();
    for (const byte of bytes) detector.feed(Uint8Array.of(byte));
    assert.deepEqual(detector.finish(), found);
  }
});

// Each option with a value that has an effect, and bytes for which it has one.
const CHARDET = {
  includeEncodings: [['ibm866'], KOI8],
  excludeEncodings: [['koi8-r'], KOI8],
  encodingEra: [jschardet.chardet.EncodingEra.DOS, DOS, { encodingEra: jschardet.chardet.EncodingEra.MODERN_WEB }],
  noMatchEncoding: ['utf-8', latin1('line one\r\nl\0i\0n\0e\0 \0t\0w\0o\0\r\0\n\0')],
  emptyInputEncoding: ['ascii', latin1('')],
  maxBytes: [3, latin1('abc\xf0\xd2\xc9\xd7\xc5\xd4')],
  compatNames: [false, KOI8],
  preferSuperset: [true, POLISH],
  shouldRenameLegacy: [true, POLISH],
};
const DEFAULTS = {
  includeEncodings: undefined, excludeEncodings: undefined, encodingEra: jschardet.chardet.EncodingEra.ALL, noMatchEncoding: 'cp1252', emptyInputEncoding: 'utf-8',
  maxBytes: jschardet.chardet.DEFAULT_MAX_BYTES, compatNames: true, preferSuperset: false, shouldRenameLegacy: false,
};

function universal(bytes, options) {
  const detector = new jschardet.chardet.UniversalDetector(options);
  detector.feed(bytes);
  return detector.close();
}

test('jschardet: each option of chardet has an effect and its default in each function', () => {
  const functions = [jschardet.chardet.detect, universal, (bytes, options) => jschardet.chardet.detectAll(bytes, { ignoreThreshold: true, ...options })[0]];
  for (const call of functions) {
    for (const [name, [value, bytes, others = {}]] of Object.entries(CHARDET)) {
      const before = call(bytes, others);
      assert.notDeepEqual(call(bytes, { ...others, [name]: value }), before, name);
      const { [name]: _, ...without } = others;
      assert.deepEqual(call(bytes, { ...without, [name]: DEFAULTS[name] }), call(bytes, without), `the default of ${name}`);
      assert.deepEqual(call(bytes, { ...without, [name]: undefined }), call(bytes, without), `no ${name}`);
    }
    for (const bytes of [KOI8, POLISH, DOS, latin1(''), latin1('abc')]) {
      assert.deepEqual(call(bytes, DEFAULTS), call(bytes, {}));
      assert.deepEqual(call(bytes, {}), call(bytes));
    }
    for (const name of ['noMatchEncoding', 'emptyInputEncoding']) assert.throws(() => call(KOI8, { [name]: 'cp9x' }), /Unknown encoding "cp9x"/);
    for (const maxBytes of [0, -1, 1.5, NaN, '3', null]) assert.throws(() => call(KOI8, { maxBytes }), /max_bytes must be a positive integer/);
  }
  const all = (options) => jschardet.chardet.detectAll(encode('le café', 'latin1'), options);
  assert.ok(all({ ignoreThreshold: true }).length > all().length && all().every(({ confidence }) => confidence > 0.2));
});

test('jschardet: the constants are those of chardet', () => {
  assert.equal(jschardet.VERSION, '4.1.0');
  const { EncodingEra, LanguageFilter, DEFAULT_MAX_BYTES, EVIDENCE_CAP_BYTES, DETERMINISTIC_CONFIDENCE, MINIMUM_THRESHOLD, UniversalDetector } = jschardet.chardet;
  assert.deepEqual(EncodingEra, { MODERN_WEB: 1, LEGACY_ISO: 2, LEGACY_MAC: 4, LEGACY_REGIONAL: 8, DOS: 16, MAINFRAME: 32, ALL: 63 });
  assert.deepEqual(LanguageFilter, { CHINESE_SIMPLIFIED: 1, CHINESE_TRADITIONAL: 2, JAPANESE: 4, KOREAN: 8, NON_CJK: 16, ALL: 31, CHINESE: 3, CJK: 15 });
  assert.deepEqual([DEFAULT_MAX_BYTES, EVIDENCE_CAP_BYTES, DETERMINISTIC_CONFIDENCE, MINIMUM_THRESHOLD, UniversalDetector.MINIMUM_THRESHOLD], [200_000, 262_144, 0.95, 0.2, 0.2]);
});

test('jschardet: each option has an effect in each function of both versions', () => {
  const { v3 } = jschardet;
  const finished = (options) => {
    const detector = new v3.UniversalDetector(options);
    detector.feed(KOI8);
    detector.close();
    return detector;
  };
  for (const [name, call] of Object.entries({
    'detect': (options) => jschardet.detect(KOI8, options), 'detectAll': (options) => jschardet.detectAll(KOI8, options)[0],
    'v3.detect': (options) => v3.detect(KOI8, options), 'v3.detectAll': (options) => v3.detectAll(KOI8, options)[0], 'v3.UniversalDetector': (options) => finished(options).result,
  })) {
    assert.equal(call().encoding, 'KOI8-R', name);
    assert.equal(call({ detectEncodings: ['IBM866'] }).encoding, 'IBM866', name);
    if (!name.startsWith('v3')) assert.equal(call({ excludeEncodings: ['KOI8-R'] }).encoding, 'koi8-u', name);
    for (const detectEncodings of [undefined, null]) assert.deepEqual(call({ detectEncodings }), call(), name);
  }
  const all = (minimumThreshold) => jschardet.detectAll(encode('le café', 'latin1'), { minimumThreshold });
  const least = Math.min(...all(0).map(({ confidence }) => confidence));
  const more = all(least + 1e-6);
  assert.ok(more.length > 0 && more.every(({ confidence }) => confidence > least) && more.length < all(least).length);
  assert.deepEqual(all(least), all(0));
  const { confidence } = v3.detect(KOI8);
  for (const call of [v3.detect, (_, options) => finished(options).result]) {
    assert.equal(call(KOI8, { minimumThreshold: confidence }).encoding, 'KOI8-R');
    assert.equal(call(KOI8, { minimumThreshold: confidence + 1e-6 }).encoding, null);
    assert.equal(call(KOI8, null).encoding, 'KOI8-R');
  }
  const detector = finished({});
  detector.feed(DOS);
  detector.close();
  assert.deepEqual([detector.result.encoding, detector.done, detector.results], ['KOI8-R', true, v3.detectAll(KOI8)]);
});

test('jschardet and chardet: each kind of input is read', () => {
  const part = Uint8Array.of(0xff, ...KOI8, 0xff);
  const sources = [KOI8, KOI8.buffer, Buffer.from(KOI8), part.subarray(1, -1), new DataView(part.buffer, 1, KOI8.length), new Uint8ClampedArray(KOI8), [...KOI8], String.fromCharCode(...KOI8)];
  const { v3 } = jschardet;
  for (const source of sources) {
    for (const call of [jschardet.detect, v3.detect]) assert.deepEqual(call(source), call(KOI8));
    for (const call of [jschardet.detectAll, v3.detectAll]) assert.deepEqual(call(source), call(KOI8));
  }
  for (const source of [KOI8, Buffer.from(KOI8), part.subarray(1, -1), new Uint8ClampedArray(part.buffer, 1, KOI8.length), Uint16Array.from(KOI8), [...KOI8], { length: KOI8.length, ...KOI8 }]) {
    assert.equal(chardet.detect(source), 'KOI8-R');
    assert.deepEqual(chardet.analyse(source), chardet.analyse(KOI8));
  }
});

// The last test, because nothing ends the printing.
test('jschardet: each function prints the candidates after enableDebug', () => {
  const { v3, enableDebug } = jschardet;
  const { log } = console;
  const printed = [];
  console.log = (...values) => printed.push(values);
  try {
    jschardet.detect(KOI8);
    assert.deepEqual([printed.length, v3.enableDebug === enableDebug, enableDebug()], [0, true, undefined]);
    for (const call of [jschardet.detect, jschardet.detectAll, v3.detect, v3.detectAll]) {
      call(KOI8);
      const [[text, candidates], ...others] = printed.splice(0);
      assert.deepEqual([text, candidates[0].encoding.toUpperCase(), others], ['[jschardet] candidates:', 'KOI8-R', []]);
    }
  } finally {
    console.log = log;
  }
});
