// All calls of the libraries that a page loads only if it asks: the detector and the charsets. See
// crates/wasm-parts/src.

// The numbers of `crates/wasm-parts/src/state.rs`.
const INPUT = 64 * 1024;
// The number of code units of a string that are encoded at once. Their UTF-8 fits into the input.
const PIECE = INPUT / 4;
// The flag of the last part of a stream.
const LAST = 2;
// A library is made anew after a failure, and numbers mean nothing there. This is more than all numbers of a library.
const NUMBERS = 2 ** 31;

// Functions of the language and of the host as they were when this module was loaded.
const uncurryThis = Function.prototype.bind.bind(Function.prototype.call);
const getter = (prototype, key) => uncurryThis(Object.getOwnPropertyDescriptor(prototype, key).get);
const TypedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype);
const typedArrayBuffer = getter(TypedArrayPrototype, 'buffer');
const typedArrayByteLength = getter(TypedArrayPrototype, 'byteLength');
const typedArrayByteOffset = getter(TypedArrayPrototype, 'byteOffset');
const typedArraySet = uncurryThis(TypedArrayPrototype.set);
const charCodeAt = uncurryThis(String.prototype.charCodeAt);
const stringSlice = uncurryThis(String.prototype.slice);
const { Uint8Array: U8 } = globalThis;
const { floor, min } = Math;
const { RuntimeError } = WebAssembly;
const decoder = new globalThis.TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new globalThis.TextEncoder();
const decodeUtf8 = uncurryThis(globalThis.TextDecoder.prototype.decode);
const encodeInto = uncurryThis(globalThis.TextEncoder.prototype.encodeInto);

/** A new instance of a library, and another one after each failure. */
function open(module) {
  let exports;
  let inputAt;
  let epoch = -1;
  start();

  function start() {
    ({ exports } = new WebAssembly.Instance(module));
    inputAt = exports.input_address();
    epoch++;
  }

  /** The result of a function. A panic of the library is a trap, which leaves its memory in any condition. */
  function call(name, first = 0, second = 0, third = 0) {
    try {
      return exports[name](first, second, third);
    } catch (error) {
      start();
      if (!(error instanceof RuntimeError)) throw error;
      const failure = new Error(`textcodec failed: ${error.message}`, { cause: error });
      failure.code = 'ERR_INTERNAL_ASSERTION';
      throw failure;
    }
  }

  /** The memory at an address. It is asked for each time, because the memory can grow. */
  const view = (address, length) => new U8(exports.memory.buffer, address, length);
  const output = () => view(call('output_address'), call('output_length'));

  return {
    call,
    text: () => decodeUtf8(decoder, output()),
    bytes: () => new U8(output()),
    /** Copies bytes into the input, and returns their number. */
    put(bytes, from, to) {
      const length = to - from;
      if (length > 0) typedArraySet(view(inputAt, INPUT), new U8(typedArrayBuffer(bytes), typedArrayByteOffset(bytes) + from, length));
      return length;
    },
    /** Copies a string into the input, and returns the number of its bytes. */
    putString(string) {
      const { read, written } = encodeInto(encoder, string, view(inputAt, INPUT));
      if (read < string.length) throw new RangeError('The string is too long');
      return written;
    },
    /** The number that scripts get, and the number in the library. */
    number: (inner) => inner + epoch * NUMBERS,
    inner(number) {
      if (floor(number / NUMBERS) === epoch) return number % NUMBERS;
      throw new Error('textcodec has started its library anew, and has lost this object');
    },
    isLost: (number) => floor(number / NUMBERS) !== epoch,
  };
}

/** The number of what the library has started, or the string of its refusal. */
function started(library, result) {
  return result < 0 ? library.text() : library.number(result);
}

/** The functions of `crates/node/lib/native-detection.cjs`, over a module. */
export function openDetection(module) {
  const library = open(module);
  const answer = (name, detector) => {
    library.call(name, library.inner(detector));
    return library.text();
  };
  return {
    start: (options) => started(library, library.call('new_detector', library.putString(options))),
    feed(detector, bytes) {
      const inner = library.inner(detector);
      const length = typedArrayByteLength(bytes);
      for (let at = 0; at < length; at += INPUT) library.call('feed_detector', inner, library.put(bytes, at, min(at + INPUT, length)));
    },
    bestSoFar: (detector) => answer('best_so_far', detector),
    finish: (detector) => answer('finish_detector', detector),
    forget(detector) {
      if (!library.isLost(detector)) library.call('forget_detector', library.inner(detector));
    },
  };
}

/** The functions of `crates/node/lib/native-charsets.cjs`, over a module. */
export function openCharsets(module) {
  const library = open(module);
  let error = '';
  const start = (name) => (label, flags) => started(library, library.call(name, library.putString(label), flags));
  const forget = (name) => (stream) => {
    if (!library.isLost(stream)) library.call(name, library.inner(stream));
  };
  return {
    all() {
      library.call('charsets');
      return library.text();
    },
    lookUp(label) {
      library.call('look_up_charset', library.putString(label));
      return library.text();
    },
    decoder: start('new_charset_decoder'),
    encoder: start('new_charset_encoder'),
    decode(stream, bytes, flags) {
      const inner = library.inner(stream);
      const length = typedArrayByteLength(bytes);
      let string = '';
      let at = 0;
      do {
        const end = min(at + INPUT, length);
        if (library.call('decode_charset', inner, library.put(bytes, at, end), end === length ? flags : flags & ~LAST) < 0) {
          error = library.text();
          return undefined;
        }
        string += library.text();
        at = end;
      } while (at < length);
      return string;
    },
    encode(stream, string, flags) {
      const inner = library.inner(stream);
      const { length } = string;
      const parts = [];
      let total = 0;
      let at = 0;
      do {
        let end = min(at + PIECE, length);
        // A surrogate pair is not cut.
        if (end < length && (charCodeAt(string, end - 1) & 0xfc00) === 0xd800) end++;
        const written = library.putString(stringSlice(string, at, end));
        if (library.call('encode_charset', inner, written, end === length ? flags : flags & ~LAST) < 0) {
          error = library.text();
          return undefined;
        }
        const part = library.bytes();
        parts[parts.length] = part;
        total += typedArrayByteLength(part);
        at = end;
      } while (at < length);
      if (parts.length === 1) return parts[0];
      const bytes = new U8(total);
      let to = 0;
      for (let part = 0; part < parts.length; part++) {
        typedArraySet(bytes, parts[part], to);
        to += typedArrayByteLength(parts[part]);
      }
      return bytes;
    },
    error: () => error,
    forgetDecoder: forget('forget_charset_decoder'),
    forgetEncoder: forget('forget_charset_encoder'),
  };
}
