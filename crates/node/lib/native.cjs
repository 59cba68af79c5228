'use strict';
// Calls of the native half. Bytes and text go there through arguments and through the shared memory.

const {
  RangeError,
  Uint32Array,
  Uint8Array,
  fromCharCode,
  typedArrayBuffer,
  typedArrayByteLength,
  typedArrayByteOffset,
  typedArraySet,
} = require('./primordials.cjs');
const { loadNative } = require('./modules.cjs');
const { NO_BYTES, withCode } = require('./webidl.cjs');
const { decode: builtInDecode } = require('./built-in.cjs');
const native = loadNative().open();

// The memory shared with the native half, which `src/napi.rs` describes. No code outside of this file gets it or a view
// of it: such code could detach the memory while the native half uses it.
const { shared } = native;
const WORDS = 12;
const words = new Uint32Array(shared, 0, WORDS);
const sharedBytes = new Uint8Array(shared, 4 * WORDS);
const SHARED = sharedBytes.length;

// The greatest number of ASCII bytes that become a string here, because a call of the native half takes longer.
const SHORT = 16;
// The greatest number of bytes that are copied into the shared memory. The native half gets more bytes as an array,
// because copying them would take longer.
const FEW = 1536;

const FATAL = 0x100;
const IGNORE_BOM = 0x200;
// Set in word 0 for the option `stream` of `decode`.
const STREAM = 0x400;

// The index of the first word of a decoder's state, and the number of its words.
const STATE = 4;
const STATE_WORDS = 8;

// The flag BOM seen in a decoder's state: a word, and the bit in it.
const BOM_SEEN_WORD = 5;
const BOM_SEEN = 1 << 24;

// Values of word 2 after encoding, which `src/encode.rs` explains.
const PENDING = 1;
const UNMAPPABLE = 2;

// The encodings in the order of the Standard's table: the index is the number of the encoding.
const names = [];
const lowerCaseNames = [];
const numbers = new Map();
// For each encoding, whether ASCII bytes are ASCII characters in it, whatever bytes are between them.
const asciiCompatible = [];
for (const line of native.labels().split('\n')) {
  const [isAsciiCompatible, name, ...labels] = line.split(' ');
  asciiCompatible.push(isAsciiCompatible === '1');
  for (const label of labels) numbers.set(label, names.length);
  lowerCaseNames.push(name.toLowerCase());
  names.push(name);
}
const getNumber = numbers.get.bind(numbers);
const REPLACEMENT = names.indexOf('replacement');
const UTF_8 = names.indexOf('UTF-8');
/** https://encoding.spec.whatwg.org/#concept-encoding-get: the number of the encoding, or undefined for failure. */
function getAnEncoding(label) {
  const number = getNumber(label);
  if (number !== undefined) return number;
  words[3] = label.length;
  return native.labelToEncoding(label);
}

/** The number of the encoding. Throws a RangeError for failure. */
function encodingOf(label) {
  const number = getAnEncoding(label);
  if (number === undefined) throw unsupported(label);
  return number;
}

function unsupported(label) {
  return withCode(new RangeError(`The "${label}" encoding is not supported`), 'ERR_ENCODING_NOT_SUPPORTED');
}

/**
 * The string of a few bytes if all of them are ASCII, or undefined. Reads each byte once, because another thread may
 * write to them: the string is that of one copy.
 */
function shortAscii(bytes, length) {
  let string = '';
  let at = 0;
  for (; at + 8 <= length; at += 8) {
    const a = bytes[at];
    const b = bytes[at + 1];
    const c = bytes[at + 2];
    const d = bytes[at + 3];
    const e = bytes[at + 4];
    const f = bytes[at + 5];
    const g = bytes[at + 6];
    const h = bytes[at + 7];
    if ((a | b | c | d | e | f | g | h) > 0x7f) return undefined;
    string += fromCharCode(a, b, c, d, e, f, g, h);
  }
  if (at + 4 <= length) {
    const a = bytes[at];
    const b = bytes[at + 1];
    const c = bytes[at + 2];
    const d = bytes[at + 3];
    if ((a | b | c | d) > 0x7f) return undefined;
    string += fromCharCode(a, b, c, d);
    at += 4;
  }
  for (; at < length; at++) {
    const a = bytes[at];
    if (a > 0x7f) return undefined;
    string += fromCharCode(a);
  }
  return string;
}

/** The first `length` bytes of an array whose buffer may grow at any time. */
function fixed(bytes, length) {
  return new Uint8Array(typedArrayBuffer(bytes), typedArrayByteOffset(bytes), length);
}

/** Copies the bytes of an array into the shared memory. `length` is the number of bytes that were counted. */
function share(bytes, length) {
  try {
    typedArraySet(sharedBytes, bytes);
  } catch {
    // Another thread has made the buffer grow, and the array has more bytes than the shared memory.
    typedArraySet(sharedBytes, fixed(bytes, length));
  }
  words[1] = length;
}

/** A copy of bytes that other threads may write to. */
function copyOf(bytes) {
  const length = typedArrayByteLength(bytes);
  const copy = new Uint8Array(length);
  typedArraySet(copy, fixed(bytes, length));
  return copy;
}

/**
 * The string of all bytes from a new decoder, or undefined for an error. `config` is an encoding plus FATAL and
 * IGNORE_BOM.
 */
function decodeAll(config, bytes) {
  const length = typedArrayByteLength(bytes);
  // An array with a detached buffer cannot be copied.
  if (length === 0) return '';
  if (length <= SHORT && asciiCompatible[config & 0xff]) {
    const string = shortAscii(bytes, length);
    if (string !== undefined) return string;
  } else if ((config & 0xff) === UTF_8) {
    const string = builtInDecode(config >>> 8, bytes, length);
    if (string !== undefined) return string;
  }
  words[0] = config;
  if (length > FEW) {
    const string = native.decode(bytes);
    if (string !== null) return string;
    // The native half does not read memory that other threads see.
    if (length > SHARED) return native.decode(copyOf(bytes));
  }
  share(bytes, length);
  return native.decode();
}

/**
 * The state of a new decoder for `decodeNext`. It is ordinary garbage, which V8 frees without waiting for the event
 * loop.
 */
function newState() {
  return new Uint32Array(STATE_WORDS);
}

/**
 * The string of the next bytes of a stream, or undefined for an error. Updates `state`; `stream` says that more bytes
 * follow.
 */
function decodeNext(config, state, bytes, stream) {
  const length = typedArrayByteLength(bytes);
  words[0] = stream ? config | STREAM : config;
  const before = state[BOM_SEEN_WORD] & BOM_SEEN;
  for (let at = 0; at < STATE_WORDS; at++) words[STATE + at] = state[at];
  let string;
  try {
    string = length > FEW ? native.decodeStream(bytes) : null;
    if (string === null) {
      if (length > SHARED) {
        string = native.decodeStream(copyOf(bytes));
      } else {
        // An array with a detached buffer cannot be copied.
        if (length > 0) share(bytes, length);
        else words[1] = 0;
        string = native.decodeStream();
      }
    }
    return string;
  } finally {
    for (let at = 0; at < STATE_WORDS; at++) state[at] = words[STATE + at];
    // https://encoding.spec.whatwg.org/#concept-td-serialize: an error leaves the flag unchanged. The native half sets
    // it after each piece of a long input.
    if (stream && string === undefined) state[BOM_SEEN_WORD] = (state[BOM_SEEN_WORD] & ~BOM_SEEN) | before;
  }
}

/** https://encoding.spec.whatwg.org/#decode. With `fatal`, undefined is an error, which `lastMalformed` describes. */
function legacyDecode(encoding, bytes, fatal) {
  const length = typedArrayByteLength(bytes);
  // An array with a detached buffer cannot be copied.
  if (length === 0) return '';
  words[0] = fatal ? encoding | FATAL : encoding;
  if (length > FEW) {
    const string = native.legacyDecode(bytes);
    if (string !== null) return string;
    if (length > SHARED) return native.legacyDecode(copyOf(bytes));
  }
  share(bytes, length);
  return native.legacyDecode();
}

function lastMalformed() {
  const count = words[2] & 0xff;
  const bytes = new Uint8Array(count);
  for (let at = 0; at < count; at++) bytes[at] = words[3] >>> (8 * at);
  return { offset: words[0] + 2 ** 32 * words[1], bytes, count, encoding: words[2] >>> 8 };
}

/**
 * https://encoding.spec.whatwg.org/#bom-sniff: the number of the encoding, or undefined if there is no byte order mark.
 */
function bomSniff(bytes) {
  const encoding = native.bomSniff(bytes);
  return encoding === null ? native.bomSniff(copyOf(bytes)) : encoding;
}

/** https://encoding.spec.whatwg.org/#encode. With `fatal`, undefined is an error, which `lastUnmappable` describes. */
function encode(encoding, string, fatal) {
  words[0] = fatal ? encoding | FATAL : encoding;
  words[3] = string.length;
  native.encode(string);
  return words[2] === UNMAPPABLE ? undefined : encoded();
}

/** The result of the last encoding. This script makes the array, so that results of any length belong to its realm. */
function encoded() {
  const length = words[1];
  if (words[2] !== PENDING) return new Uint8Array(new Uint8Array(shared, 4 * WORDS, length));
  let bytes = NO_BYTES;
  try {
    bytes = new Uint8Array(length);
  } finally {
    // If there is no memory for the array, the empty array drops the result.
    native.take(bytes);
  }
  return bytes;
}

function lastUnmappable() {
  return { codePoint: words[0], index: words[1] };
}

/**
 * https://url.spec.whatwg.org/#string-percent-encode-after-encoding. `set` has 128 bytes, which are 0 for code points
 * outside of the set.
 */
function percentEncode(encoding, string, set, spaceAsPlus) {
  words[0] = spaceAsPlus ? encoding | 0x100 : encoding;
  words[3] = string.length;
  typedArraySet(sharedBytes, set);
  return native.percentEncode(string);
}

/** https://encoding.spec.whatwg.org/#dom-textencoder-encodeinto: the result of the method. */
function encodeInto(string, destination) {
  words[3] = string.length;
  if (native.encodeInto(string, destination) === null) {
    // Other threads see the destination: the string is encoded into another array, which is copied.
    const capacity = typedArrayByteLength(destination);
    const bytes = new Uint8Array(capacity < 3 * string.length ? capacity : 3 * string.length);
    native.encodeInto(string, bytes);
    typedArraySet(destination, fixed(bytes, words[1]));
  }
  return { read: words[0], written: words[1] };
}

/** https://encoding.spec.whatwg.org/#dom-textencoder-encode */
function encodeUtf8(string) {
  words[3] = string.length;
  native.encodeUtf8(string);
  return encoded();
}

/**
 * Calls a function of the native half for a detector or a stream. Word 0 is its number, and word 2 has flags. `bytes`
 * belong to no other thread.
 */
function withBytes(name, number, flags, bytes) {
  words[0] = number;
  words[2] = flags;
  const length = typedArrayByteLength(bytes);
  if (length > FEW) return native[name](bytes);
  // An array with a detached buffer cannot be copied.
  if (length > 0) share(bytes, length);
  else words[1] = 0;
  return native[name]();
}

/** As `withBytes`, for a string. */
function withString(name, number, flags, string) {
  words[0] = number;
  words[2] = flags;
  words[3] = string.length;
  return native[name](string);
}

/** As `withBytes`, without an argument. */
function withNothing(name, number) {
  words[0] = number;
  return native[name]();
}

/** The bytes of the next text of a stream, or undefined for an unmappable character. */
function encodeCharset(number, string, flags) {
  withString('encodeCharset', number, flags, string);
  return words[2] === UNMAPPABLE ? undefined : encoded();
}

module.exports = {
  __proto__: null,
  FATAL,
  IGNORE_BOM,
  REPLACEMENT,
  bomSniff,
  decodeAll,
  decodeNext,
  encode,
  encodeCharset,
  encodeInto,
  encodeUtf8,
  encodingOf,
  getAnEncoding,
  lastMalformed,
  lastUnmappable,
  legacyDecode,
  lowerCaseNames,
  names,
  newState,
  percentEncode,
  unsupported,
  withBytes,
  withNothing,
  withString,
};
