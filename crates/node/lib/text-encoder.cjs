'use strict';
// https://encoding.spec.whatwg.org/#interface-textencoder

const { TypeError, Uint8Array, charCodeAt, typedArrayByteLength, typedArrayName } = require('./primordials.cjs');
const { defineInterface, fallBack, illegalInvocation, invalidArgument, markAsUncloneable, receiver, withCode } =
  require('./webidl.cjs');
const { encodeInto, encodeUtf8 } = require('./native.cjs');
const { encode: builtInEncode, encodeInto: builtInEncodeInto } = require('./built-in.cjs');

// The greatest number of code units that are encoded here, because a call of the native half takes longer.
const SHORT = 24;
const scratch = new Uint8Array(3 * SHORT);

// The numbers of code units and bytes that the last call of `encodeHere` has read and written.
let read = 0;
let written = 0;

/** Encodes as much of a string as fits into the first `capacity` bytes of `destination`. Sets `read` and `written`. */
function encodeHere(source, destination, capacity) {
  const length = source.length;
  let from = 0;
  let to = 0;
  while (from < length) {
    let codePoint = charCodeAt(source, from);
    let units = 1;
    if (codePoint < 0x80) {
      if (to >= capacity) break;
      destination[to++] = codePoint;
    } else if (codePoint < 0x800) {
      if (to + 2 > capacity) break;
      destination[to++] = 0xc0 | (codePoint >> 6);
      destination[to++] = 0x80 | (codePoint & 0x3f);
    } else {
      if (codePoint >= 0xd800 && codePoint <= 0xdfff) {
        const next = from + 1 < length ? charCodeAt(source, from + 1) : 0;
        if (codePoint <= 0xdbff && next >= 0xdc00 && next <= 0xdfff) {
          codePoint = 0x10000 + ((codePoint - 0xd800) << 10) + (next - 0xdc00);
          units = 2;
        } else {
          codePoint = 0xfffd;
        }
      }
      if (units === 2) {
        if (to + 4 > capacity) break;
        destination[to++] = 0xf0 | (codePoint >> 18);
        destination[to++] = 0x80 | ((codePoint >> 12) & 0x3f);
      } else {
        if (to + 3 > capacity) break;
        destination[to++] = 0xe0 | (codePoint >> 12);
      }
      destination[to++] = 0x80 | ((codePoint >> 6) & 0x3f);
      destination[to++] = 0x80 | (codePoint & 0x3f);
    }
    from += units;
  }
  read = from;
  written = to;
}

/** https://encoding.spec.whatwg.org/#dom-textencoder-encode for a string. */
function encode(string) {
  const length = string.length;
  if (length > SHORT) return builtInEncode(string, length) ?? encodeUtf8(string);
  encodeHere(string, scratch, 3 * SHORT);
  const bytes = new Uint8Array(written);
  for (let at = 0; at < written; at++) bytes[at] = scratch[at];
  return bytes;
}

class TextEncoder {
  // Only objects of this class have this member.
  #brand;

  constructor() {
    markAsUncloneable(this);
    if (new.target !== TextEncoder) fallBack(this, new.target, TextEncoder);
  }

  get encoding() {
    if (!(#brand in receiver(this))) throw illegalInvocation();
    return 'utf-8';
  }

  encode(input = '') {
    if (!(#brand in receiver(this))) throw illegalInvocation();
    return encode(typeof input === 'string' ? input : `${input}`);
  }

  encodeInto(source, destination) {
    if (!(#brand in receiver(this))) throw illegalInvocation();
    if (arguments.length < 2) {
      throw withCode(new TypeError('encodeInto needs a source and a destination'), 'ERR_MISSING_ARGS');
    }
    const string = typeof source === 'string' ? source : `${source}`;
    if (typedArrayName(destination) !== 'Uint8Array') {
      throw invalidArgument('The destination must be a Uint8Array');
    }
    const { length } = string;
    // The element at this index exists if the destination is long enough. Reading it takes less time than the getter of
    // the length.
    if (length > SHORT && destination[length - 1] !== undefined) {
      return builtInEncodeInto(string, length, destination) ?? encodeInto(string, destination);
    }
    const capacity = typedArrayByteLength(destination);
    if (length > SHORT && capacity > SHORT) return encodeInto(string, destination);
    encodeHere(string, destination, capacity);
    return { read, written };
  }
}

defineInterface(TextEncoder, ['encoding', 'encode', 'encodeInto']);

module.exports = { __proto__: null, TextEncoder, encode };
