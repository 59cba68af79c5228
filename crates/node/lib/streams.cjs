'use strict';
// https://encoding.spec.whatwg.org/#interface-textdecoderstream and #interface-textencoderstream

const { TransformStream, charCodeAt, enqueue, stringSlice, transformReadable, transformWritable } =
  require('./primordials.cjs');
const { NO_BYTES, checkBufferSource, defineInterface, fallBack, illegalInvocation, markAsUncloneable, receiver, toBytes } =
  require('./webidl.cjs');
const { FATAL, IGNORE_BOM, decodeNext, lowerCaseNames, newState } = require('./native.cjs');
const { malformed, toConfig } = require('./text-decoder.cjs');
const { encode } = require('./text-encoder.cjs');

/** https://streams.spec.whatwg.org/#transformstream-set-up */
function setUp(transform, flush) {
  return new TransformStream({ __proto__: null, transform, flush });
}

class TextDecoderStream {
  /** The number of the encoding, plus FATAL and IGNORE_BOM. */
  #config;
  #transform;

  constructor(label = 'utf-8', options = undefined) {
    const config = toConfig(label, options);
    const state = newState();
    const run = (bytes, stream, controller) => {
      const string = decodeNext(config, state, bytes, stream);
      if (string === undefined) throw malformed(config);
      if (string !== '') enqueue(controller, string);
    };
    this.#config = config;
    this.#transform = setUp(
      (chunk, controller) => {
        checkBufferSource(chunk, 'chunk');
        run(toBytes(chunk), true, controller);
      },
      (controller) => run(NO_BYTES, false, controller),
    );
    markAsUncloneable(this);
    if (new.target !== TextDecoderStream) fallBack(this, new.target, TextDecoderStream);
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

  get readable() {
    if (!(#config in receiver(this))) throw illegalInvocation();
    return transformReadable(this.#transform);
  }

  get writable() {
    if (!(#config in receiver(this))) throw illegalInvocation();
    return transformWritable(this.#transform);
  }
}

class TextEncoderStream {
  #transform;

  constructor() {
    // The leading surrogate at the end of the previous chunk.
    let pending = '';
    this.#transform = setUp(
      (chunk, controller) => {
        let string = pending + (typeof chunk === 'string' ? chunk : `${chunk}`);
        if (string === '') return;
        const last = charCodeAt(string, string.length - 1);
        if (last >= 0xd800 && last <= 0xdbff) {
          pending = stringSlice(string, -1);
          string = stringSlice(string, 0, -1);
          if (string === '') return;
        } else {
          pending = '';
        }
        enqueue(controller, encode(string));
      },
      (controller) => {
        if (pending !== '') enqueue(controller, encode(pending));
      },
    );
    markAsUncloneable(this);
    if (new.target !== TextEncoderStream) fallBack(this, new.target, TextEncoderStream);
  }

  get encoding() {
    if (!(#transform in receiver(this))) throw illegalInvocation();
    return 'utf-8';
  }

  get readable() {
    if (!(#transform in receiver(this))) throw illegalInvocation();
    return transformReadable(this.#transform);
  }

  get writable() {
    if (!(#transform in receiver(this))) throw illegalInvocation();
    return transformWritable(this.#transform);
  }
}

defineInterface(TextDecoderStream, ['encoding', 'fatal', 'ignoreBOM', 'readable', 'writable']);
defineInterface(TextEncoderStream, ['encoding', 'readable', 'writable']);

module.exports = { __proto__: null, TextDecoderStream, TextEncoderStream };
