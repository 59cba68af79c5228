'use strict';
// The [legacy hooks](https://encoding.spec.whatwg.org/#legacy-hooks), and percent-encoding, which the URL Standard
// builds on them.

const {
  RangeError,
  TypeError,
  Uint8Array,
  codePointAt,
  isArray,
  iterator,
  numberToString,
  stringPadStart,
  stringToUpperCase,
} = require('./primordials.cjs');
const { checkBufferSource, define, invalidArgument, toBytes, withCode } = require('./webidl.cjs');
const native = require('./native.cjs');

/**
 * https://encoding.spec.whatwg.org/#decode: a byte order mark takes precedence over the label, and malformed bytes
 * become U+FFFD.
 */
function decode(bytes, label = 'utf-8') {
  checkBufferSource(bytes, 'bytes');
  const encoding = native.encodingOf(`${label}`);
  return native.legacyDecode(encoding, toBytes(bytes), false);
}

/** As `decode`, but malformed bytes are a TypeError. */
function decodeOrFail(bytes, label = 'utf-8') {
  checkBufferSource(bytes, 'bytes');
  const encoding = native.encodingOf(`${label}`);
  const string = native.legacyDecode(encoding, toBytes(bytes), true);
  if (string !== undefined) return string;
  const malformed = native.lastMalformed();
  let hex = '';
  for (let at = 0; at < malformed.count; at++) hex += ` ${toHex(malformed.bytes[at], 2)}`;
  const error = new TypeError(`The bytes${hex} at ${malformed.offset} are malformed in ${native.names[malformed.encoding]}`);
  define(error, 'offset', malformed.offset);
  define(error, 'bytes', malformed.bytes);
  throw withCode(error, 'ERR_ENCODING_INVALID_ENCODED_DATA');
}

/** A number in hexadecimal, with at least `digits` digits. */
function toHex(number, digits) {
  return stringPadStart(stringToUpperCase(numberToString(number, 16)), digits, '0');
}

/**
 * https://encoding.spec.whatwg.org/#encode into the output encoding. An unmappable character becomes a character
 * reference.
 */
function encode(string, label = 'utf-8') {
  const source = `${string}`;
  return native.encode(native.encodingOf(`${label}`), source, false);
}

/**
 * https://encoding.spec.whatwg.org/#encode-or-fail into the output encoding. An unmappable character is a TypeError.
 */
function encodeOrFail(string, label = 'utf-8') {
  const source = `${string}`;
  const encoding = native.encodingOf(`${label}`);
  const bytes = native.encode(encoding, source, true);
  if (bytes !== undefined) return bytes;
  const { codePoint, index } = native.lastUnmappable();
  const error = new TypeError(`U+${toHex(codePoint, 4)} at ${index} cannot be encoded into ${native.names[encoding]}`);
  define(error, 'codePoint', codePoint);
  define(error, 'index', index);
  throw withCode(error, 'ERR_ENCODING_UNMAPPABLE');
}

/** https://encoding.spec.whatwg.org/#bom-sniff: the name of the encoding, or null. */
function bomSniff(bytes) {
  checkBufferSource(bytes, 'bytes');
  const encoding = native.bomSniff(toBytes(bytes));
  return encoding === undefined ? null : native.names[encoding];
}

/**
 * https://encoding.spec.whatwg.org/#concept-encoding-get: the name of the encoding as the Standard writes it, or null
 * for failure.
 */
function labelToName(label) {
  const encoding = native.getAnEncoding(`${label}`);
  return encoding === undefined ? null : native.names[encoding];
}

// https://url.spec.whatwg.org/#percent-encoded-bytes: each set with the set that it extends and the characters that it
// adds.
const SETS = { __proto__: null };
for (const [name, from, characters] of [
  ['C0 control', undefined, ''],
  ['fragment', 'C0 control', ' "<>`'],
  ['query', 'C0 control', ' "#<>'],
  ['special-query', 'query', "'"],
  ['path', 'query', '?^`{}'],
  ['userinfo', 'path', '/:;=@[\\]|'],
  ['component', 'userinfo', '$%&+,'],
  ['application/x-www-form-urlencoded', 'component', "!'()~"],
]) {
  const set = from === undefined ? controls() : SETS[from].slice();
  for (const character of characters) set[character.charCodeAt(0)] = 1;
  SETS[name] = set;
  SETS[`${name} percent-encode set`] = set;
}

/** The ASCII code points of the C0 control percent-encode set. */
function controls() {
  return Uint8Array.from({ length: 0x80 }, (_, codePoint) => (codePoint < 0x20 || codePoint > 0x7e ? 1 : 0));
}

function invalidValue(message) {
  return withCode(new TypeError(message), 'ERR_INVALID_ARG_VALUE');
}

/** The set that a name, a function or an iterable describes: 128 bytes, of which those for its code points are 1. */
function toPercentEncodeSet(value) {
  if (typeof value === 'string') {
    const set = SETS[value];
    if (set === undefined) throw invalidValue(`There is no percent-encode set "${value}"`);
    return set;
  }
  const set = new Uint8Array(0x80);
  if (typeof value === 'function') {
    for (let codePoint = 0; codePoint < 0x80; codePoint++) set[codePoint] = value(codePoint) ? 1 : 0;
  } else if (isArray(value)) {
    // An array is read by its indexes, because a program can replace the iterator of all arrays.
    for (let at = 0; at < value.length; at++) add(set, value[at]);
  } else if (typeof value?.[iterator] === 'function') {
    for (const item of value) add(set, item);
  } else {
    throw invalidArgument('The percentEncodeSet must be a name, a function or an iterable of characters');
  }
  return set;
}

/** Adds an ASCII character or code point to a set. Code points above U+007E are in every set. */
function add(set, item) {
  let codePoint = item;
  if (typeof item === 'string') {
    codePoint = codePointAt(item, 0);
    if (codePoint === undefined || item.length > (codePoint > 0xffff ? 2 : 1)) {
      throw invalidValue(`"${item}" in the percentEncodeSet is not one character`);
    }
  } else if (typeof item !== 'number') {
    throw invalidArgument('The items of the percentEncodeSet must be characters or code points');
  }
  // This comparison also rejects numbers that are not integers.
  if (set[codePoint] === undefined) {
    throw withCode(new RangeError(`${item} in the percentEncodeSet is not ASCII`), 'ERR_OUT_OF_RANGE');
  }
  set[codePoint] = 1;
}

/** https://url.spec.whatwg.org/#string-percent-encode-after-encoding into the output encoding. */
function percentEncodeAfterEncoding(label, string, percentEncodeSet, spaceAsPlus = false) {
  const encodingLabel = `${label}`;
  const source = `${string}`;
  const set = toPercentEncodeSet(percentEncodeSet);
  return native.percentEncode(native.encodingOf(encodingLabel), source, set, !!spaceAsPlus);
}

module.exports = {
  __proto__: null,
  bomSniff,
  decode,
  decodeOrFail,
  encode,
  encodeOrFail,
  labelToName,
  percentEncodeAfterEncoding,
};
