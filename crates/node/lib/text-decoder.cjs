'use strict';
// https://encoding.spec.whatwg.org/#interface-textdecoder

const { TypeError } = require('./primordials.cjs');
const {
  NO_BYTES, checkBufferSource, defineInterface, fallBack, illegalInvocation, markAsUncloneable, receiver, toBytes, toDictionary, withCode,
} = require('./webidl.cjs');
const { FATAL, IGNORE_BOM, REPLACEMENT, decodeAll, decodeNext, encodingOf, lowerCaseNames, newState, unsupported } =
  require('./native.cjs');

/**
 * The steps that both constructors share: they convert the arguments in the order of Web IDL and get an encoding.
 * Returns its number, plus FATAL and IGNORE_BOM.
 */
function toConfig(label, options) {
  const string = typeof label === 'string' ? label : `${label}`;
  let flags = 0;
  if (options !== undefined) {
    const dictionary = toDictionary(options, 'options');
    if (dictionary !== undefined) {
      if (dictionary.fatal) flags |= FATAL;
      if (dictionary.ignoreBOM) flags |= IGNORE_BOM;
    }
  }
  const encoding = encodingOf(string);
  if (encoding === REPLACEMENT) throw unsupported(string);
  return encoding | flags;
}

function malformed(config) {
  const error = new TypeError(`The encoded data was not valid for encoding ${lowerCaseNames[config & 0xff]}`);
  return withCode(error, 'ERR_ENCODING_INVALID_ENCODED_DATA');
}

class TextDecoder {
  /** The number of the encoding, plus FATAL and IGNORE_BOM. */
  #config;
  /** The state of the native decoder, from the first call with the option `stream` on. */
  #state = null;
  /** The flag of the Standard: the next call continues the stream. */
  #doNotFlush = false;

  constructor(label = 'utf-8', options = undefined) {
    this.#config = toConfig(label, options);
    markAsUncloneable(this);
    if (new.target !== TextDecoder) fallBack(this, new.target, TextDecoder);
  }

  get encoding() {
    if (!(#config in receiver(this))) throw illegalInvocation();
    return lowerCaseNames[this.#config & 0xff];
  }

  get fatal() {
    if (!(#config in receiver(this))) throw illegalInvocation();
    return (this.#config & FATAL) !== 0;
  }

  get ignoreBOM() {
    if (!(#config in receiver(this))) throw illegalInvocation();
    return (this.#config & IGNORE_BOM) !== 0;
  }

  decode(input = undefined, options = undefined) {
    if (!(#config in receiver(this))) throw illegalInvocation();
    if (input !== undefined) checkBufferSource(input, 'input');
    let stream = false;
    if (options !== undefined) stream = !!toDictionary(options, 'options')?.stream;
    // After the options, because the getter of an option can change the buffer.
    const bytes = input === undefined ? NO_BYTES : toBytes(input);

    const config = this.#config;
    let string;
    if (stream || this.#doNotFlush) {
      this.#state ??= newState();
      this.#doNotFlush = stream;
      string = decodeNext(config, this.#state, bytes, stream);
    } else {
      string = decodeAll(config, bytes);
    }
    if (string === undefined) throw malformed(config);
    return string;
  }
}

defineInterface(TextDecoder, ['encoding', 'fatal', 'ignoreBOM', 'decode']);

module.exports = { __proto__: null, TextDecoder, malformed, toConfig };
