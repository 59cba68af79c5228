'use strict';
// The native half, and how bytes and text get there and back.

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

// Shared memory, described in `src/napi.rs`. It stays in this file: nothing here gives it or a view of it to anybody, who could take it
// from under the native half.
const { shared } = native;
const WORDS = 12;
const words = new Uint32Array(shared, 0, WORDS);
const sharedBytes = new Uint8Array(shared, 4 * WORDS);
const SHARED = sharedBytes.length;

// For so few bytes it costs less to make a string here than to call.
const SHORT = 16;
// For more bytes than these it costs less to pass the array than to copy them into the shared memory.
const FEW = 1536;

const FATAL = 0x100;
const IGNORE_BOM = 0x200;
// The option stream of decode.
const STREAM = 0x400;

// Where the state of a decoder is among the words, and how many words it has.
const STATE = 4;
const STATE_WORDS = 8;

// What word 2 says after encoding: see `src/encode.rs`.
const PENDING = 1;
const UNMAPPABLE = 2;

// By the order of the Standard's table: that is an encoding's number.
const names = [];
const lowerCaseNames = [];
const numbers = new Map();
for (const line of native.labels().split('\n')) {
  const [name, ...labels] = line.split(' ');
  for (const label of labels) numbers.set(label, names.length);
  lowerCaseNames.push(name.toLowerCase());
  names.push(name);
}
const getNumber = numbers.get.bind(numbers);
const REPLACEMENT = names.indexOf('replacement');
const UTF_8 = names.indexOf('UTF-8');
// Where ASCII bytes are ASCII, whatever is between them.
const asciiCompatible = names.map((name) => !/^(UTF-16|ISO-2022-JP|replacement)/.test(name));

/** https://encoding.spec.whatwg.org/#concept-encoding-get: the number of the encoding; undefined is failure. */
function getAnEncoding(label) {
  const number = getNumber(label);
  if (number !== undefined) return number;
  words[3] = label.length;
  return native.labelToEncoding(label);
}

/** As getAnEncoding, but failure is a RangeError. */
function encodingOf(label) {
  const number = getAnEncoding(label);
  if (number === undefined) throw unsupported(label);
  return number;
}

function unsupported(label) {
  return withCode(new RangeError(`The "${label}" encoding is not supported`), 'ERR_ENCODING_NOT_SUPPORTED');
}

/**
 * The string of a few bytes that are ASCII; undefined if they are not. Each is read once: another thread may be writing to them, and what
 * is decoded is one copy.
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

/** The first `length` bytes, and no more when another thread makes their buffer grow. */
function fixed(bytes, length) {
  return new Uint8Array(typedArrayBuffer(bytes), typedArrayByteOffset(bytes), length);
}

/** Puts `length` bytes, which is how many there were when they were counted, into the shared memory. */
function share(bytes, length) {
  try {
    typedArraySet(sharedBytes, bytes);
  } catch {
    // There are more now than the shared memory has room for.
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

/** What a new decoder makes of all the bytes; undefined is an error. `config` is an encoding, FATAL and IGNORE_BOM. */
function decodeAll(config, bytes) {
  const length = typedArrayByteLength(bytes);
  // The bytes of a detached array can't even be copied.
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
    // Memory that other threads see.
    if (length > SHARED) return native.decode(copyOf(bytes));
  }
  share(bytes, length);
  return native.decode();
}

/** The state of a new decoder, for `decodeNext`. V8 frees it like any other small object, without the event loop. */
function newState() {
  return new Uint32Array(STATE_WORDS);
}

/** As decodeAll, for the next bytes of a stream. Changes `state`, which `newState` made; `stream` says that more bytes follow. */
function decodeNext(config, state, bytes, stream) {
  const length = typedArrayByteLength(bytes);
  words[0] = stream ? config | STREAM : config;
  for (let at = 0; at < STATE_WORDS; at++) words[STATE + at] = state[at];
  try {
    if (length > FEW) {
      const string = native.decodeStream(bytes);
      if (string !== null) return string;
      if (length > SHARED) return native.decodeStream(copyOf(bytes));
    }
    // The bytes of a detached array can't even be copied.
    if (length > 0) share(bytes, length);
    else words[1] = 0;
    return native.decodeStream();
  } finally {
    for (let at = 0; at < STATE_WORDS; at++) state[at] = words[STATE + at];
  }
}

/** https://encoding.spec.whatwg.org/#decode, or in the error mode fatal: then undefined is an error, which lastMalformed() has. */
function legacyDecode(encoding, bytes, fatal) {
  const length = typedArrayByteLength(bytes);
  // The bytes of a detached array can't even be copied.
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

/** https://encoding.spec.whatwg.org/#bom-sniff: the number of an encoding; undefined for none. */
function bomSniff(bytes) {
  const encoding = native.bomSniff(bytes);
  return encoding === null ? native.bomSniff(copyOf(bytes)) : encoding;
}

/** https://encoding.spec.whatwg.org/#encode, or in the error mode fatal: then undefined is an error, which lastUnmappable() has. */
function encode(encoding, string, fatal) {
  words[0] = fatal ? encoding | FATAL : encoding;
  words[3] = string.length;
  native.encode(string);
  return words[2] === UNMAPPABLE ? undefined : encoded();
}

/** The result of the encoding just done. Its array is made here and never by Node-API, so that it belongs to the realm of this script. */
function encoded() {
  const length = words[1];
  if (words[2] !== PENDING) return new Uint8Array(new Uint8Array(shared, 4 * WORDS, length));
  let bytes = NO_BYTES;
  try {
    bytes = new Uint8Array(length);
  } finally {
    // Without memory for the array, the result is forgotten.
    native.take(bytes);
  }
  return bytes;
}

function lastUnmappable() {
  return { codePoint: words[0], index: words[1] };
}

/** https://url.spec.whatwg.org/#string-percent-encode-after-encoding; `set` has 128 bytes that are not 0 for what it contains. */
function percentEncode(encoding, string, set, spaceAsPlus) {
  words[0] = spaceAsPlus ? encoding | 0x100 : encoding;
  words[3] = string.length;
  typedArraySet(sharedBytes, set);
  return native.percentEncode(string);
}

/** https://encoding.spec.whatwg.org/#dom-textencoder-encodeinto: what was read and written. */
function encodeInto(string, destination) {
  words[3] = string.length;
  if (native.encodeInto(string, destination) === null) {
    // Memory that other threads see: encoded elsewhere, and copied.
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

module.exports = {
  __proto__: null,
  FATAL,
  IGNORE_BOM,
  REPLACEMENT,
  bomSniff,
  decodeAll,
  decodeNext,
  encode,
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
};
