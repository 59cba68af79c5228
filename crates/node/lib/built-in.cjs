'use strict';
// The UTF-8 of Node.js itself, for inputs that it converts faster than a call of the native half takes. It is captured from `node:util`
// when this package is loaded, so that nothing that a program does to the globals later matters, and is used only where all of the
// samples below come out as the Standard says. Which inputs it is faster for depends on the version of Node.js: `npm run bench:utf8`.

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

// Bun and Deno have their own implementations, for which nothing here was measured.
const { node, bun, deno } = process.versions;
const VERSION = bun === undefined && deno === undefined ? parseInt(node, 10) : 0;
// From this version on `encode` and `encodeInto` take the same time for text of every script.
const FAST_ENCODER = VERSION >= 26;
// From this version on `decode` takes about the same time as the native half.
const FAST_DECODER = VERSION >= 24;

// Up to how many code units the built-in encoder is faster than the native half, for strings of Latin-1 and of larger code units, in versions
// whose encoder is not fast for every script; and from how many the native half is faster for the latter, in versions whose encoder is.
const LATIN1_ENCODE = 1024;
const LATIN1_ENCODE_INTO = 256;
const WIDE_ENCODE = 48;
const WIDE_ENCODE_INTO = 64;
const WIDE_ENCODE_LARGE = 8192;
// Up to how many bytes the built-in decoder is faster: for text with code points above Latin-1, and for other text that is not ASCII. Before
// version 26 the native half is faster from where it makes strings without a copy.
const WIDE_DECODE = 256;
const LATIN1_DECODE = VERSION >= 26 ? Infinity : 256 * 1024;
// How many bytes of ASCII the built-in decoder is faster for: fewer are copied where the native half sees them without a conversion of its
// argument, and for more it makes no difference.
const ASCII_FROM = 384;
const ASCII_TO = 1536;
// Up to how many bytes V8 keeps an array's memory in its heap: to ask for its buffer moves the memory.
const ON_HEAP = 64;

const encoder = new TextEncoder();
const builtInEncode = uncurryThis(TextEncoder.prototype.encode);
const builtInEncodeInto = uncurryThis(TextEncoder.prototype.encodeInto);
const builtInDecode = uncurryThis(TextDecoder.prototype.decode);
// By the options: fatal is 1, ignoreBOM 2.
const decoders = [0, 1, 2, 3].map((options) => new TextDecoder('utf-8', { fatal: (options & 1) !== 0, ignoreBOM: (options & 2) !== 0 }));

/** The bitwise or of a few code units all over a string of at least four: a guess at the script of the text. */
function sampleUnits(string, length) {
  const quarter = length >> 2;
  return charCodeAt(string, 0) | charCodeAt(string, quarter) | charCodeAt(string, 2 * quarter) | charCodeAt(string, 3 * quarter) |
    charCodeAt(string, length - 1);
}

// What the leading bytes of a text tell.
const ASCII = 0;
const LATIN1 = 1;
const WIDE = 2;

/** What a few places all over at least 16 bytes of UTF-8 tell: the larger of their classes. */
function sampleBytes(bytes, length) {
  const quarter = length >> 2;
  let found = ASCII;
  // A sequence of up to three bytes has its leading byte among three that follow each other.
  for (let at = 0; at < length - 2; at += quarter) {
    for (let next = at; next < at + 3; next++) {
      if (bytes[next] > 0xc3) return WIDE;
      if (bytes[next] > 0x7f) found = LATIN1;
    }
  }
  return found;
}

/** Whether the built-in decoder is to decode bytes. */
function decodes(bytes, length) {
  // The memory of a smaller array can be where its buffer has to be made first.
  if (length <= ON_HEAP) return false;
  const found = sampleBytes(bytes, length);
  if (found === ASCII && (length < ASCII_FROM || length > ASCII_TO)) return false;
  if (length > (found === WIDE ? WIDE_DECODE : LATIN1_DECODE)) return false;
  // Other threads may write to shared memory while it is read, and the native half reads each byte once.
  return !isSharedArrayBuffer(typedArrayBuffer(bytes));
}

/** Whether the built-in `encode` is to encode a string of more than a few code units. */
function encodes(string, length) {
  if (length <= (FAST_ENCODER ? WIDE_ENCODE_LARGE : WIDE_ENCODE)) return true;
  const units = sampleUnits(string, length);
  return units < 0x80 || (units <= 0xff && (FAST_ENCODER || length <= LATIN1_ENCODE));
}

/** Whether the built-in `encodeInto` is to encode a string of more than a few code units. */
function encodesInto(string, length) {
  if (FAST_ENCODER || length <= WIDE_ENCODE_INTO) return true;
  const units = sampleUnits(string, length);
  return units < 0x80 || (units <= 0xff && length <= LATIN1_ENCODE_INTO);
}

/** What the built-in encoder makes of a string; undefined if the native half is to encode it. */
function encode(string, length) {
  return encodes(string, length) ? builtInEncode(encoder, string) : undefined;
}

/**
 * The result of the built-in `encodeInto`; undefined if the native half is to encode the string. Only a result that has read the whole string
 * is used: Node.js 26 stops too early in some strings that do not fit.
 */
function encodeInto(string, length, destination, capacity) {
  if (capacity < length || !encodesInto(string, length)) return undefined;
  const result = builtInEncodeInto(encoder, string, destination);
  return result.read === length ? result : undefined;
}

/** What the built-in decoder with `options` makes of bytes; undefined if the native half is to decode them, or to say what is malformed. */
function decode(options, bytes, length) {
  if (!decodes(bytes, length)) return undefined;
  try {
    return builtInDecode(decoders[options], bytes);
  } catch {
    // The native half finds the same error again, or decodes what could not be decoded for another reason: near the end of the stack, say.
    return undefined;
  }
}

// Strings with their UTF-8: ASCII, Latin-1, larger code units, pairs of surrogates, and surrogates without a partner, which become U+FFFD.
const SAMPLES = [
  ['a\0\x7f', [0x61, 0, 0x7f]],
  ['\x80é\xff', [0xc2, 0x80, 0xc3, 0xa9, 0xc3, 0xbf]],
  ['\u{7ff}\u{800}日\u{feff}\u{ffff}', [0xdf, 0xbf, 0xe0, 0xa0, 0x80, 0xe6, 0x97, 0xa5, 0xef, 0xbb, 0xbf, 0xef, 0xbf, 0xbf]],
  ['\u{10000}💩\u{10ffff}', [0xf0, 0x90, 0x80, 0x80, 0xf0, 0x9f, 0x92, 0xa9, 0xf4, 0x8f, 0xbf, 0xbf]],
  ['\u{d83d}\u{d83d}', [0xef, 0xbf, 0xbd, 0xef, 0xbf, 0xbd]],
  ['\u{dca9}\u{d83d}', [0xef, 0xbf, 0xbd, 0xef, 0xbf, 0xbd]],
];
// Malformed bytes with how many U+FFFD the Standard's decoder makes of them.
const MALFORMED = [
  [[0x80], 1], [[0xc0, 0xaf], 2], [[0xe0, 0x80, 0xaf], 3], [[0xe2, 0x82], 1], [[0xed, 0xa0, 0x80], 3], [[0xf0, 0x9f, 0x92], 1],
  [[0xf4, 0x90, 0x80, 0x80], 4], [[0xff], 1],
];
const MARK = [0xef, 0xbb, 0xbf];
// So many ASCII bytes stand before and after each sample: vectors have at most 64 bytes.
const PADDING = [3, 70];

function isSame(one, other) {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

/** Whether the built-in encoder is right for all samples, and its arrays belong to this realm. */
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

/** The string that the built-in decoder makes of bytes, or the code of its error. */
function decodeOrCode(options, bytes) {
  try {
    return builtInDecode(decoders[options], Uint8Array.from(bytes));
  } catch (error) {
    return error.code;
  }
}

/** Whether the built-in decoders are right for all samples. */
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
