'use strict';
// The UTF-8 of Node.js, for inputs that it converts faster than the native half. The functions are captured from
// `node:util` when this package is loaded, so that later changes of the globals have no effect, and they are used only
// if they convert all samples below as the Standard says. Which inputs they are faster for depends on the version of
// Node.js; `npm run bench:utf8` measures it.

const { builtin } = require('./modules.cjs');

const { TextDecoder, TextEncoder } = builtin('node:util');
const {
  Uint8Array,
  charCodeAt,
  getPrototypeOf,
  isSharedArrayBuffer,
  typedArrayBuffer,
  uncurryThis,
} = require('./primordials.cjs');

// The speed of Bun and Deno was not measured, so their functions are not used.
const { node, bun, deno } = process.versions;
const VERSION = bun === undefined && deno === undefined ? parseInt(node, 10) : 0;
// From this version on, the built-in encoder is fast for text of every script.
const FAST_ENCODER = VERSION >= 26;
// From this version on, the built-in decoder is as fast as the native half for text of every script.
const FAST_DECODER = VERSION >= 24;

// The greatest lengths, in code units, for which the built-in encoder is faster in versions where it is slow for some
// scripts: ASCII_… for ASCII, LATIN1_… for Latin-1, and WIDE_… for strings with larger code units. In other versions,
// the native half encodes such strings faster from WIDE_ENCODE_LARGE on.
const ASCII_ENCODE = 2048;
const LATIN1_ENCODE = 1024;
const LATIN1_ENCODE_INTO = 256;
const WIDE_ENCODE = 48;
const WIDE_ENCODE_INTO = 64;
const WIDE_ENCODE_LARGE = 8192;
// Up to this length, in code units, three samples are taken from a string.
const FEW_SAMPLES = 512;
// The length in code units from which the built-in `encodeInto` is faster for ASCII again, and the distance of samples
// in such a string.
const LARGE_ENCODE_INTO = VERSION >= 24 ? ASCII_ENCODE : 256 * 1024;
const SAMPLE_EVERY = 800;
// The greatest lengths, in bytes, for which the built-in decoder is faster: for text with code points above U+00FF, and
// for other text that is not ASCII. Before version 26 the native half is faster for long text of both kinds, because it
// makes strings without a copy. For ASCII the native half is as fast at every length.
const WIDE_DECODE = 256;
const LATIN1_DECODE = VERSION >= 26 ? Infinity : 256 * 1024;
// From this length on, in bytes, decoding takes so long that more samples cost little.
const MORE_SAMPLES = 4096;
// Up to this length, in bytes, V8 keeps the memory of an array in its heap. Asking for the array's buffer moves this
// memory, which takes longer than decoding.
const ON_HEAP = 64;

const encoder = new TextEncoder();
const builtInEncode = uncurryThis(TextEncoder.prototype.encode);
const builtInEncodeInto = uncurryThis(TextEncoder.prototype.encodeInto);
const builtInDecode = uncurryThis(TextDecoder.prototype.decode);
// The index of a decoder is 1 for fatal plus 2 for ignoreBOM.
const decoders = [0, 1, 2, 3].map((options) => new TextDecoder('utf-8', { fatal: (options & 1) !== 0, ignoreBOM: (options & 2) !== 0 }));

/**
 * The bitwise or of three code units of a short string, or of five of a longer one. This is a guess at the script of
 * the text. Each sample takes 1 ns, and `encodeInto` of 128 code units of ASCII takes 30 ns.
 */
function sampleUnits(string, length) {
  if (length <= FEW_SAMPLES) return charCodeAt(string, 0) | charCodeAt(string, length >> 1) | charCodeAt(string, length - 1);
  const quarter = length >> 2;
  return charCodeAt(string, 0) | charCodeAt(string, quarter) | charCodeAt(string, 2 * quarter) | charCodeAt(string, 3 * quarter) |
    charCodeAt(string, length - 1);
}

/**
 * Whether many code units of a long string are ASCII. In versions before 26, one other code unit makes the built-in
 * encoder several times slower, so a wrong guess costs more than the samples.
 */
function looksAscii(string, length) {
  for (let at = 0; at < length; at += SAMPLE_EVERY) if (charCodeAt(string, at) > 0x7f) return false;
  return true;
}

// Classes of text, by its leading bytes.
const ASCII = 0;
const LATIN1 = 1;
const WIDE = 2;

/**
 * The class of three bytes in a row. They contain a leading byte of a text whose sequences have up to three bytes.
 */
function classAt(bytes, at) {
  const a = bytes[at];
  const b = bytes[at + 1];
  const c = bytes[at + 2];
  if (a > 0xc3 || b > 0xc3 || c > 0xc3) return WIDE;
  return (a | b | c) > 0x7f ? LATIN1 : ASCII;
}

/**
 * The class of more than 64 bytes of UTF-8, from samples at one or three places. A wrong guess costs time and changes
 * no result.
 */
function sampleBytes(bytes, length) {
  const found = classAt(bytes, length >> 1);
  if (length < MORE_SAMPLES || found === WIDE) return found;
  const first = classAt(bytes, length >> 2);
  const second = classAt(bytes, length - (length >> 2));
  const other = first > second ? first : second;
  return found > other ? found : other;
}

/** Whether the built-in decoder decodes these bytes faster and safely. */
function decodes(bytes, length) {
  // A short array may have its memory in V8's heap.
  if (length <= ON_HEAP) return false;
  const found = sampleBytes(bytes, length);
  if (found === ASCII || length > (found === WIDE ? WIDE_DECODE : LATIN1_DECODE)) return false;
  // Another thread may write to shared memory during the call, and only the native half reads a copy.
  return !isSharedArrayBuffer(typedArrayBuffer(bytes));
}

/** Whether the built-in `encode` is faster for a string of more than a few code units. */
function encodes(string, length) {
  if (length <= (FAST_ENCODER ? WIDE_ENCODE_LARGE : WIDE_ENCODE)) return true;
  const units = sampleUnits(string, length);
  if (FAST_ENCODER) return units <= 0xff;
  if (units >= 0x80) return units <= 0xff && length <= LATIN1_ENCODE;
  return length <= ASCII_ENCODE;
}

/** Whether the built-in `encodeInto` is faster for a string of more than a few code units. */
function encodesInto(string, length) {
  if (FAST_ENCODER || length <= WIDE_ENCODE_INTO) return true;
  const units = sampleUnits(string, length);
  if (units >= 0x80) return units <= 0xff && length <= LATIN1_ENCODE_INTO;
  return length <= ASCII_ENCODE || (length >= LARGE_ENCODE_INTO && looksAscii(string, length));
}

/** The bytes of a string from the built-in encoder, or undefined if the native half is faster. */
function encode(string, length) {
  return encodes(string, length) ? builtInEncode(encoder, string) : undefined;
}

/**
 * The result of the built-in `encodeInto`, or undefined if the native half has to encode the string. The destination
 * has at least `length` bytes. A result that has not read the whole string is not used, because Node.js 26 stops too
 * early in some strings that do not fit.
 */
function encodeInto(string, length, destination) {
  if (!encodesInto(string, length)) return undefined;
  const result = builtInEncodeInto(encoder, string, destination);
  return result.read === length ? result : undefined;
}

/** The string from the built-in decoder with `options`, or undefined if the native half has to decode the bytes. */
function decode(options, bytes, length) {
  if (!decodes(bytes, length)) return undefined;
  try {
    return builtInDecode(decoders[options], bytes);
  } catch {
    // The native half finds the malformed bytes again. After another error, such as one near the end of the stack, it
    // decodes or throws.
    return undefined;
  }
}

// Strings and their UTF-8: ASCII, Latin-1, larger code units, surrogate pairs, and surrogates without a partner, which
// become U+FFFD.
const SAMPLES = [
  ['a\0\x7f', [0x61, 0, 0x7f]],
  ['\x80é\xff', [0xc2, 0x80, 0xc3, 0xa9, 0xc3, 0xbf]],
  ['\u{7ff}\u{800}日\u{feff}\u{ffff}', [0xdf, 0xbf, 0xe0, 0xa0, 0x80, 0xe6, 0x97, 0xa5, 0xef, 0xbb, 0xbf, 0xef, 0xbf, 0xbf]],
  ['\u{10000}💩\u{10ffff}', [0xf0, 0x90, 0x80, 0x80, 0xf0, 0x9f, 0x92, 0xa9, 0xf4, 0x8f, 0xbf, 0xbf]],
  ['\u{d83d}\u{d83d}', [0xef, 0xbf, 0xbd, 0xef, 0xbf, 0xbd]],
  ['\u{dca9}\u{d83d}', [0xef, 0xbf, 0xbd, 0xef, 0xbf, 0xbd]],
];
// Malformed bytes, and the number of U+FFFD that the Standard's decoder returns for them.
const MALFORMED = [
  [[0x80], 1], [[0xc0, 0xaf], 2], [[0xe0, 0x80, 0xaf], 3], [[0xe2, 0x82], 1], [[0xed, 0xa0, 0x80], 3], [[0xf0, 0x9f, 0x92], 1],
  [[0xf4, 0x90, 0x80, 0x80], 4], [[0xff], 1],
];
const MARK = [0xef, 0xbb, 0xbf];
// The numbers of ASCII bytes before and after each sample. A vector has at most 64 bytes.
const PADDING = [3, 70];

function isSame(one, other) {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

/** Whether the built-in encoder converts all samples correctly and its arrays belong to this realm. */
function isEncoderRight() {
  if (getPrototypeOf(builtInEncode(encoder, 'a')) !== Uint8Array.prototype) return false;
  return PADDING.every((padding) => SAMPLES.every(([text, utf8]) => {
    const string = 'a'.repeat(padding) + text + 'a'.repeat(padding) + text;
    const a = Array(padding).fill(0x61);
    const expected = [...a, ...utf8, ...a, ...utf8];
    const into = new Uint8Array(expected.length + 1).fill(0xaa);
    const { read, written } = builtInEncodeInto(encoder, string, into);
    return isSame(builtInEncode(encoder, string), expected) && read === string.length && written === expected.length &&
      isSame(into, [...expected, 0xaa]);
  }));
}

/** The string from the built-in decoder, or the code of its error. */
function decodeOrCode(options, bytes) {
  try {
    return builtInDecode(decoders[options], Uint8Array.from(bytes));
  } catch (error) {
    return error.code;
  }
}

/** Whether the built-in decoders convert all samples correctly. */
function isDecoderRight() {
  const isRight = PADDING.every((padding) => {
    const a = Array(padding).fill(0x61);
    let string = 'a'.repeat(padding);
    const bytes = [...a];
    for (const [text, utf8] of SAMPLES.slice(0, 4)) {
      string += text + 'a'.repeat(padding);
      bytes.push(...utf8, ...a);
    }
    const isWellFormedRight = [0, 1, 2, 3].every((options) => decodeOrCode(options, bytes) === string &&
      decodeOrCode(options, [...MARK, ...MARK, ...bytes]) === `${(options & 2) !== 0 ? '\u{feff}' : ''}\u{feff}${string}`);
    for (const [malformed, count] of MALFORMED) {
      string += `a${'\u{fffd}'.repeat(count)}`;
      bytes.push(0x61, ...malformed);
    }
    return isWellFormedRight && decodeOrCode(0, bytes) === string && decodeOrCode(2, bytes) === string;
  });
  const code = 'ERR_ENCODING_INVALID_ENCODED_DATA';
  return isRight && MALFORMED.every(([bytes]) => decodeOrCode(1, bytes) === code) && decodeOrCode(3, [...Array(99).fill(0x61), 0xe2, 0x82]) === code;
}

const canEncode = VERSION > 0 && isEncoderRight();
const canDecode = FAST_DECODER && isDecoderRight();
const nothing = () => undefined;

module.exports = {
  __proto__: null,
  decode: canDecode ? decode : nothing,
  encode: canEncode ? encode : nothing,
  encodeInto: canEncode ? encodeInto : nothing,
};
