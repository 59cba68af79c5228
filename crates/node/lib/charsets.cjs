'use strict';
// Charsets that the Encoding Standard does not have, beside those that it has. All names come from the crate
// `textcodec-convert`.

const { FinalizationRegistry, TypeError, Uint8Array, charCodeAt, jsonParse, numberToString, stringPadStart, stringSlice, stringToUpperCase } =
  require('./primordials.cjs');
const { define, defineInterface, illegalInvocation, markAsUncloneable, receiver, toDictionary, withCode } = require('./webidl.cjs');
const { ownBytes } = require('./own-bytes.cjs');
const { refusal } = require('./refusal.cjs');
const native = require('./native-charsets.cjs');

// The flags of the native half: the first error ends a new stream, and the part is the last one of its stream.
const FATAL = 1;
const LAST = 2;

const forgottenDecoders = new FinalizationRegistry(native.forgetDecoder);
const forgottenEncoders = new FinalizationRegistry(native.forgetEncoder);

function toHex(number, digits) {
  return stringPadStart(stringToUpperCase(numberToString(number, 16)), digits, '0');
}

/** A number, or throws the error that a string describes. */
function accepted(number) {
  if (typeof number === 'string') throw refusal(number);
  return number;
}

function malformed() {
  const { offset, bytes, charset } = jsonParse(native.error());
  let hex = '';
  for (let at = 0; at < bytes.length; at++) hex += ` ${toHex(bytes[at], 2)}`;
  const error = new TypeError(`The bytes${hex} at ${offset} are malformed in ${charset}`);
  define(error, 'offset', offset);
  define(error, 'bytes', new Uint8Array(bytes));
  return withCode(error, 'ERR_ENCODING_INVALID_ENCODED_DATA');
}

function unmappable(charset) {
  const { codePoint, index } = jsonParse(native.error());
  const error = new TypeError(`U+${toHex(codePoint, 4)} at ${index} cannot be encoded into ${charset}`);
  define(error, 'codePoint', codePoint);
  define(error, 'index', index);
  return withCode(error, 'ERR_ENCODING_UNMAPPABLE');
}

/** The names and families of all charsets. */
function charsets() {
  return jsonParse(native.all());
}

/** The charset with a label or a name. Throws a RangeError if there is none, or if several have the name. */
function lookup(name) {
  const text = native.lookUp(`${name}`);
  // An object of JSON begins with a brace.
  if (text[0] !== '{') throw refusal(text);
  return jsonParse(text);
}

function decodeWith(flags, bytes, charset) {
  const own = ownBytes(bytes, 'bytes');
  const stream = accepted(native.decoder(`${charset}`, flags));
  let isDone = false;
  try {
    const string = native.decode(stream, own, LAST);
    isDone = true;
    if (string === undefined) throw malformed();
    return string;
  } finally {
    if (!isDone) native.forgetDecoder(stream);
  }
}

/** The text of bytes. Malformed bytes become U+FFFD. */
function decode(bytes, charset) {
  return decodeWith(0, bytes, charset);
}

/** As `decode`, but malformed bytes are a TypeError. */
function decodeOrFail(bytes, charset) {
  return decodeWith(FATAL, bytes, charset);
}

function encodeWith(flags, string, charset) {
  const source = `${string}`;
  const name = `${charset}`;
  const stream = accepted(native.encoder(name, flags));
  let isDone = false;
  try {
    const bytes = native.encode(stream, source, LAST);
    isDone = true;
    if (bytes === undefined) throw unmappable(lookup(name).name);
    return bytes;
  } finally {
    if (!isDone) native.forgetEncoder(stream);
  }
}

/** The bytes of text. An unmappable character becomes a character reference, in the charset. */
function encode(string, charset) {
  return encodeWith(0, string, charset);
}

/** As `encode`, but an unmappable character is a TypeError. */
function encodeOrFail(string, charset) {
  return encodeWith(FATAL, string, charset);
}

class CharsetDecoder {
  #name;
  #flags;
  /** The number of the native stream, or undefined between two streams. */
  #stream;

  constructor(charset, options = undefined) {
    this.#name = lookup(charset).name;
    this.#flags = toDictionary(options, 'options')?.fatal ? FATAL : 0;
    markAsUncloneable(this);
  }

  get charset() {
    if (!(#flags in receiver(this))) throw illegalInvocation();
    return this.#name;
  }

  get fatal() {
    if (!(#flags in receiver(this))) throw illegalInvocation();
    return (this.#flags & FATAL) !== 0;
  }

  decode(input = undefined, options = undefined) {
    if (!(#flags in receiver(this))) throw illegalInvocation();
    const stream = !!toDictionary(options, 'options')?.stream;
    const bytes = input === undefined ? new Uint8Array(0) : ownBytes(input, 'input');
    if (this.#stream === undefined) {
      this.#stream = accepted(native.decoder(this.#name, this.#flags));
      forgottenDecoders.register(this, this.#stream, this);
    }
    const string = native.decode(this.#stream, bytes, stream ? 0 : LAST);
    if (!stream || string === undefined) {
      // The native half has forgotten the stream.
      this.#stream = undefined;
      forgottenDecoders.unregister(this);
    }
    if (string === undefined) throw malformed();
    return string;
  }
}

class CharsetEncoder {
  #name;
  #flags;
  /** The number of the native stream, or undefined between two streams. */
  #stream;
  /** The leading surrogate at the end of the previous part. */
  #pending = '';

  constructor(charset, options = undefined) {
    this.#name = lookup(charset).name;
    this.#flags = toDictionary(options, 'options')?.fatal ? FATAL : 0;
    // The charset may have no encoder, which is an error here already.
    native.forgetEncoder(accepted(native.encoder(this.#name, this.#flags)));
    markAsUncloneable(this);
  }

  get charset() {
    if (!(#flags in receiver(this))) throw illegalInvocation();
    return this.#name;
  }

  get fatal() {
    if (!(#flags in receiver(this))) throw illegalInvocation();
    return (this.#flags & FATAL) !== 0;
  }

  encode(input = '', options = undefined) {
    if (!(#flags in receiver(this))) throw illegalInvocation();
    const stream = !!toDictionary(options, 'options')?.stream;
    let string = this.#pending + `${input}`;
    this.#pending = '';
    if (stream && string !== '') {
      const last = charCodeAt(string, string.length - 1);
      if (last >= 0xd800 && last <= 0xdbff) {
        this.#pending = stringSlice(string, -1);
        string = stringSlice(string, 0, -1);
      }
    }
    if (this.#stream === undefined) {
      this.#stream = accepted(native.encoder(this.#name, this.#flags));
      forgottenEncoders.register(this, this.#stream, this);
    }
    const bytes = native.encode(this.#stream, string, stream ? 0 : LAST);
    if (!stream || bytes === undefined) {
      this.#stream = undefined;
      forgottenEncoders.unregister(this);
    }
    if (bytes === undefined) {
      this.#pending = '';
      throw unmappable(this.#name);
    }
    return bytes;
  }
}

defineInterface(CharsetDecoder, ['charset', 'fatal', 'decode']);
defineInterface(CharsetEncoder, ['charset', 'fatal', 'encode']);

module.exports = { __proto__: null, CharsetDecoder, CharsetEncoder, charsets, decode, decodeOrFail, encode, encodeOrFail, lookup };
