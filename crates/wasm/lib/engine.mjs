// The WebAssembly half of textcodec and all calls of it. This module imports nothing and exports `open` and `compile`.
// The package `@textcodec/wasm` builds the interfaces of the Standard on it; a page can also use it directly.

// The numbers of `src/shared.rs`.
const SOURCE = 64 * 1024;
const UNITS = SOURCE + 4;
const BYTES = 128 * 1024;
const RECORDS = 4096;
const WORDS = 16;
const REQUEST = 0;
const READ = 1;
const WRITTEN = 2;
const STATE = 4;
const MORE = 12;
const STATE_WORDS = 8;

const FATAL = 0x100;
const IGNORE_BOM = 0x200;
const STREAM = 0x400;
const SNIFF = 0x800;
const CONTINUE = 0x1000;
const SPACE_AS_PLUS = 0x2000;

// Results of `label_to_encoding`, `decode`, `detail` and `encode`.
const NOT_LINKED = -2;
const MALFORMED = -1;
const NO_STATE = -3;
const DONE = 0;
const UNMAPPABLE = 2;

// The greatest number of code units that become a string by a call of `String.fromCharCode`; a decoder takes longer to
// call.
const FEW_UNITS = 24;
// The number of code units of a string that are encoded at once. Their UTF-8 fits into the source.
const PIECE = SOURCE / 4;
// No sequence has more bytes, and SOURCE is at least as large as RECORDS sequences of this length.
const LONGEST_SEQUENCE = 8;
// The number of bytes from which it matters whether the host or the library decodes a text. See `decodeAll`.
const LONG = 512;
// Of 16 bytes of UTF-8, the number of bytes beyond ASCII from which the library is faster than a host without fast
// UTF-8.
const MANY_BEYOND_ASCII = 10;
const SINGLE_BYTE = /^(?:windows|ISO-8859|KOI8|IBM|x-mac|macintosh)/;
// No label of an encoding has more code units.
const LONGEST_LABEL = 64;
// For the hints of `sniff`: a label that names no encoding, and no label.
const UNKNOWN_LABEL = 0xfe;
const NOT_GIVEN = 0xff;

// Functions of the language and of the host as they were when this module was loaded: a program that changes prototypes
// later does not change results.
const { bind, call } = Function.prototype;
const uncurryThis = bind.bind(call);
const getter = (prototype, key) => uncurryThis(Object.getOwnPropertyDescriptor(prototype, key).get);
const TypedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype);
const typedArrayBuffer = getter(TypedArrayPrototype, 'buffer');
const typedArrayByteLength = getter(TypedArrayPrototype, 'byteLength');
const typedArrayByteOffset = getter(TypedArrayPrototype, 'byteOffset');
const typedArraySet = uncurryThis(TypedArrayPrototype.set);
const arrayBufferByteLength = getter(ArrayBuffer.prototype, 'byteLength');
const { getPrototypeOf } = Object;
const charCodeAt = uncurryThis(String.prototype.charCodeAt);
const stringSlice = uncurryThis(String.prototype.slice);
const mapGet = uncurryThis(Map.prototype.get);
const { fromCharCode } = String;
const { apply } = Reflect;
const { min } = Math;
const { Uint8Array: U8, Uint16Array: U16, Uint32Array: U32, RangeError: RangeErrorOfHost } = globalThis;
const { RuntimeError: RuntimeErrorOfHost } = WebAssembly;

// The host's own UTF-8 and UTF-16, which make strings from memory and write strings to memory.
const HostDecoder = globalThis.TextDecoder;
const HostEncoder = globalThis.TextEncoder;
const hostDecode = uncurryThis(HostDecoder.prototype.decode);
const hostEncode = uncurryThis(HostEncoder.prototype.encode);
const hostEncodeInto = uncurryThis(HostEncoder.prototype.encodeInto);
const encoder = new HostEncoder();
// By the flags FATAL and IGNORE_BOM, as 1 and 2.
const decodersOf = (label) => [0, 1, 2, 3].map((flags) => new HostDecoder(label, { fatal: (flags & 1) !== 0, ignoreBOM: (flags & 2) !== 0 }));
const utf8 = decodersOf('utf-8');
const utf16 = decodersOf('utf-16le');

/**
 * Whether a decoder of the host returns the text of the Standard for malformed bytes, of which versions of hosts with
 * mistakes are known.
 */
function isRight(decoder, bytes, text) {
  return hostDecode(decoder, U8.from(bytes)) === text;
}

/** Whether a text is long, and most of 16 bytes from all its parts are not ASCII. */
function isMostlyBeyondAscii(bytes) {
  const length = typedArrayByteLength(bytes);
  if (length < LONG) return false;
  const distance = length >>> 4;
  let count = 0;
  for (let part = 0; part < 16; part++) count += bytes[part * distance] >> 7;
  return count >= MANY_BEYOND_ASCII;
}

const EVERY_BYTE = U8.from({ length: 256 }, (_, byte) => byte);
const isUtf8Right = isRight(utf8[0], [0xef, 0xbb, 0xbf, 0x61, 0xe2, 0x82, 0x62, 0xed, 0xa0, 0x80, 0xf0, 0x9f, 0x92], 'a\u{fffd}b\u{fffd}\u{fffd}\u{fffd}\u{fffd}');
const isUtf16Right = [0, 40].every((count) => {
  const padding = Array(count).fill([0x2d, 0x4e]).flat();
  return isRight(utf16[0], [0xff, 0xfe, ...padding, 0, 0xd8, 0x61, 0, 0, 0xdc, 0x62], `${'中'.repeat(count)}\u{fffd}a\u{fffd}\u{fffd}`);
});

/**
 * The string of a decoder of the host. Undefined for an error, after which the library decodes again, and for bytes
 * that other threads may write to: only the library decodes a copy of them.
 */
function decodeByHost(decoder, bytes) {
  try {
    // The getter throws for a SharedArrayBuffer.
    arrayBufferByteLength(typedArrayBuffer(bytes));
    return hostDecode(decoder, bytes);
  } catch {
    return undefined;
  }
}

// Node.js makes a string of UTF-16 much faster by this method than by its decoder.
const { Buffer: HostBuffer } = globalThis;
const ucs2Slice = typeof HostBuffer?.prototype?.ucs2Slice === 'function' ? uncurryThis(HostBuffer.prototype.ucs2Slice) : undefined;
// The first number in the version of Node.js; 0 for browsers.
const nodeVersion = ucs2Slice === undefined ? 0 : parseInt(globalThis.process?.versions?.node, 10) || Infinity;
// Whether the host decodes long texts in these encodings faster than the library. See
// docs/experiments.md#webassembly-and-its-hosts.
const hasFastUtf8 = nodeVersion >= 24;
const hasFastSingleBytes = nodeVersion < 22;

/** The smallest module with an instruction on vectors, by which a host shows whether it has them. */
const WITH_VECTORS = new U8([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);

/** Whether the host has the vectors of WebAssembly, so that the file `textcodec.simd.wasm` can be used. */
export function hasVectors() {
  return WebAssembly.validate(WITH_VECTORS);
}

/**
 * Compiles the library for this host in the folder `folder`, a URL that ends with a slash: `textcodec.simd.wasm` if the
 * host has vectors, else `textcodec.wasm`. Returns a promise of a WebAssembly.Module for `open`.
 */
export function compile(folder) {
  return compileFile(new URL(hasVectors() ? 'textcodec.simd.wasm' : 'textcodec.wasm', folder));
}

/** Compiles the library at `url`. */
export async function compileFile(url) {
  if (`${url}`.startsWith('file:') && globalThis.process?.versions?.node !== undefined) {
    // `fetch` of Node.js does not read files. Bundlers do not see the name of the module in a variable.
    const name = 'node:fs';
    const { readFileSync } = globalThis.process.getBuiltinModule?.(name) ?? (await import(/* webpackIgnore: true */ /* @vite-ignore */ name));
    return WebAssembly.compile(readFileSync(new URL(url)));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`textcodec cannot load ${url}: the server answers with status ${response.status}. ${HELP}`);
  const type = response.headers.get('content-type') ?? '';
  // Many servers do not know the type of these files.
  if (type === 'application/wasm') return WebAssembly.compileStreaming(response);
  const bytes = new U8(await response.arrayBuffer());
  if (!MAGIC.every((byte, at) => bytes[at] === byte)) {
    const found = /^text\/html/i.test(type) ? 'a page of HTML' : 'another kind of file';
    throw new Error(`textcodec cannot load ${url}: the server answers with ${found}. ${HELP}`);
  }
  return WebAssembly.compile(bytes);
}

// The first bytes of every WebAssembly.Module.
const MAGIC = [0, 0x61, 0x73, 0x6d];
// Servers for development answer with the page of the program where a file is missing.
const HELP = 'The file is missing there if a bundler has not copied it; the chapter Bundlers in the README of @textcodec/wasm says what each bundler needs.';

/** The functions of a new instance of a WebAssembly.Module. All of them are synchronous. */
export function open(module) {
  const { Instance } = WebAssembly;
  // The functions of an instance of the library, and its memory.
  let exports;
  let buffer;
  let bytesAt;
  let unitsAt;
  let words;
  let source;
  let output;
  let unitBytes;
  let records;
  start();

  function start() {
    ({ exports } = new Instance(module));
    ({ buffer } = exports.memory);
    const address = exports.memory_address();
    words = new U32(buffer, address, WORDS);
    source = new U8(buffer, address + 4 * WORDS, SOURCE);
    bytesAt = address + 4 * WORDS + SOURCE;
    unitsAt = bytesAt + BYTES;
    output = new U8(buffer, bytesAt, BYTES);
    unitBytes = ucs2Slice === undefined ? undefined : HostBuffer.from(buffer, unitsAt, 2 * UNITS);
    const recordsAt = (unitsAt + 2 * UNITS + 3) & ~3;
    records = exports.detail === undefined ? undefined : new U32(buffer, recordsAt, 4 * RECORDS);
  }

  // In the place of the functions while there is no space for another instance: each call tries to make one.
  const lost = {};
  for (const name of Object.keys(exports)) {
    lost[name] = () => {
      throw new Error('textcodec has started its library anew, and this call has failed');
    };
  }

  /**
   * The error to throw after a call of the library has thrown `error`. A panic of the library is a trap, and a call can
   * also come to the end of the host's stack. Both leave its memory and its own stack in any condition, so another
   * instance takes its place. The state of a stream is the caller's, and is as it was before the call.
   */
  function failed(error) {
    exports = lost;
    start();
    if (!(error instanceof RuntimeErrorOfHost)) return error;
    const failure = new Error(`textcodec failed: ${error.message}`, { cause: error });
    return Object.defineProperty(failure, 'code', { __proto__: null, value: 'ERR_INTERNAL_ASSERTION', writable: true, enumerable: true, configurable: true });
  }

  /**
   * Calls a function of the library. The functions that are called most do this themselves: the host then knows which
   * function it is.
   */
  function guarded(name) {
    try {
      return exports[name]();
    } catch (error) {
      throw failed(error);
    }
  }

  const has = (name) => {
    if (exports[name] === undefined) throw new Error(`This build of textcodec has no function ${name}: it was built without that feature`);
  };

  // The encodings in the order of the Standard's table: the index is the number of the encoding.
  const names = [];
  const lowerCaseNames = [];
  const asciiCompatible = [];
  const encodings = [];
  const numbers = new Map();
  for (const line of ascii(exports.labels()).split('\n')) {
    const [isAsciiCompatible, name, ...labels] = line.split(' ');
    for (const label of labels) numbers.set(label, names.length);
    encodings.push({ number: names.length, name, labels, isLinked: labels.length > 0 });
    asciiCompatible.push(isAsciiCompatible === '1');
    lowerCaseNames.push(name.toLowerCase());
    names.push(name);
  }
  const REPLACEMENT = names.indexOf('replacement');
  const UTF_8 = names.indexOf('UTF-8');
  // The decoders of the host, by the numbers of the two encodings of which every host has fast decoders.
  const ofHost = [];
  if (isUtf8Right) ofHost[UTF_8] = utf8;
  if (isUtf16Right) ofHost[names.indexOf('UTF-16LE')] = utf16;

  /** The string of the first `length` bytes of the output, which are ASCII. */
  function ascii(length) {
    return hostDecode(utf8[2], new U8(buffer, bytesAt, length));
  }

  /** The string of the first `length` units. */
  function text(length) {
    if (length <= FEW_UNITS) return apply(fromCharCode, undefined, new U16(buffer, unitsAt, length));
    if (unitBytes !== undefined) return ucs2Slice(unitBytes, 0, 2 * length);
    return hostDecode(utf16[2], new U16(buffer, unitsAt, length));
  }

  /**
   * Copies the bytes of `bytes` from `from` to `to` into the source. Other threads may write to them: they are read
   * once. No other array can be made of a detached buffer, whose arrays are empty.
   */
  function put(bytes, from, to) {
    if (to > from) typedArraySet(source, new U8(typedArrayBuffer(bytes), typedArrayByteOffset(bytes) + from, to - from));
    words[READ] = to - from;
  }

  /** https://encoding.spec.whatwg.org/#concept-encoding-get: the number of the encoding, or undefined for failure. */
  function getAnEncoding(label) {
    const number = mapGet(numbers, label);
    if (number !== undefined) return number;
    // White space around a label may be longer than the source.
    const short = label.length > LONGEST_LABEL ? withoutSpace(label) : label;
    if (short.length > LONGEST_LABEL) return undefined;
    words[READ] = hostEncodeInto(encoder, short, source).written;
    const found = guarded('label_to_encoding');
    return found < 0 ? undefined : found;
  }

  /** Whether the label belongs to an encoding of the Standard that this build does not contain. */
  function isNotLinked(label) {
    words[READ] = hostEncodeInto(encoder, withoutSpace(label), source).written;
    return guarded('label_to_encoding') === NOT_LINKED;
  }

  /** The number of the encoding. Throws a RangeError for failure. */
  function encodingOf(label) {
    const number = getAnEncoding(label);
    if (number === undefined) throw unsupported(label);
    return number;
  }

  function unsupported(label) {
    const why = isNotLinked(label) ? 'is not part of this build of textcodec' : 'is not supported';
    const error = new RangeErrorOfHost(`The "${label}" encoding ${why}`);
    Object.defineProperty(error, 'code', { __proto__: null, value: 'ERR_ENCODING_NOT_SUPPORTED', writable: true, enumerable: true, configurable: true });
    return error;
  }

  function wrongState() {
    return new RangeErrorOfHost('The state is not one that this stream can have');
  }

  /** The state of a new stream. It is ordinary garbage. */
  function newState() {
    return new U32(STATE_WORDS);
  }

  /**
   * Decodes `bytes` in pieces: the string, or undefined for malformed bytes, which `lastMalformed` describes. The words
   * have the state of the stream before (with the flag CONTINUE) and after.
   */
  function run(request, bytes, stream) {
    const length = typedArrayByteLength(bytes);
    let flags = request;
    let string = '';
    let at = 0;
    do {
      const end = min(at + SOURCE, length);
      put(bytes, at, end);
      words[REQUEST] = stream || end < length ? flags | STREAM : flags;
      let written;
      try {
        written = exports.decode();
      } catch (error) {
        throw failed(error);
      }
      if (written === MALFORMED) return undefined;
      if (written === NO_STATE) throw wrongState();
      if (written < 0) throw unsupported(names[request & 0xff]);
      if (written > 0) string += text(written);
      flags |= CONTINUE;
      at = end;
    } while (at < length);
    return string;
  }

  /**
   * The decoders of the host for a single-byte encoding, if the host has the same character for each byte; else false.
   * Its decoders make strings without the memory of the library between.
   */
  function singleByteOfHost(number) {
    try {
      const found = decodersOf(names[number]);
      const isSame = SINGLE_BYTE.test(names[number]) && hostDecode(found[0], EVERY_BYTE) === run(number, EVERY_BYTE, false);
      ofHost[number] = isSame ? found : false;
    } catch {
      // The host does not have the encoding, or the stack is nearly full. The next call asks again.
      return false;
    }
    return ofHost[number];
  }

  /**
   * The string of all bytes from a new decoder, or undefined for malformed bytes. `config` is the number of an encoding
   * plus FATAL and IGNORE_BOM.
   */
  function decodeAll(config, bytes) {
    const number = config & 0xff;
    let decoders = ofHost[number];
    if (decoders === undefined) {
      if (hasFastSingleBytes && asciiCompatible[number] && typedArrayByteLength(bytes) >= LONG) decoders = singleByteOfHost(number);
    } else if (number === UTF_8 && !hasFastUtf8 && isMostlyBeyondAscii(bytes)) {
      decoders = undefined;
    }
    if (decoders) {
      const string = decodeByHost(decoders[config >>> 8], bytes);
      if (string !== undefined) return string;
    }
    return run(config, bytes, false);
  }

  /**
   * The string of the next bytes of a stream, or undefined for malformed bytes. Updates `state`; `stream` says that
   * more bytes follow.
   */
  function decodeNext(config, state, bytes, stream) {
    typedArraySet(words, state, STATE);
    // https://encoding.spec.whatwg.org/#concept-td-serialize: an error leaves the flag *BOM seen* unchanged.
    const bomSeen = state[STATE_WORDS - 2];
    const string = run(config | CONTINUE, bytes, stream);
    for (let at = 0; at < STATE_WORDS; at++) state[at] = stream ? words[STATE + at] : 0;
    if (stream && string === undefined) state[STATE_WORDS - 2] = bomSeen;
    return string;
  }

  /** https://encoding.spec.whatwg.org/#decode. With `fatal`, undefined is an error, which `lastMalformed` describes. */
  function legacyDecode(encoding, bytes, fatal) {
    return run(fatal ? encoding | SNIFF | FATAL : encoding | SNIFF, bytes, false);
  }

  /** The malformed bytes that made the last decoding fail. */
  function lastMalformed() {
    const count = words[MORE + 2] & 0xff;
    const bytes = new U8(count);
    for (let at = 0; at < count; at++) bytes[at] = words[MORE + 3] >>> (8 * at);
    return { offset: words[MORE] + 2 ** 32 * words[MORE + 1], bytes, count, encoding: words[MORE + 2] >>> 8 };
  }

  /**
   * https://encoding.spec.whatwg.org/#bom-sniff: the number of the encoding, or undefined if there is no byte order
   * mark.
   */
  function bomSniff(bytes) {
    put(bytes, 0, min(typedArrayByteLength(bytes), 3));
    const found = guarded('bom_sniff');
    return found < 0 ? undefined : found;
  }

  // The character that made the last encoding fail.
  let unmappable;

  /**
   * Calls `convert` with the flags for each piece of `string`, whose UTF-8 is in the source. `convert` returns a
   * status, and is called again while the status is not DONE. Returns the last status.
   */
  function eachPiece(string, request, convert) {
    has('encode');
    const { length } = string;
    let flags = request;
    let at = 0;
    do {
      let end = min(at + PIECE, length);
      if (end < length && isLeading(charCodeAt(string, end - 1))) end--;
      let written = end > at ? hostEncodeInto(encoder, stringSlice(string, at, end), source).written : 0;
      for (;;) {
        words[READ] = written;
        words[REQUEST] = end < length ? flags | STREAM : flags;
        const status = convert(at);
        if (status < 0) throw unsupported(names[request & 0xff]);
        flags |= CONTINUE;
        if (status === DONE) break;
        if (status === UNMAPPABLE) return status;
        // The rest of the piece is encoded into the space that the caller has emptied.
        source.copyWithin(0, words[READ], written);
        written -= words[READ];
      }
      at = end;
    } while (at < length);
    return DONE;
  }

  /** Collects the output of several calls: `add` takes the bytes of a call, and `all` returns one array. */
  function collector() {
    const parts = [];
    let total = 0;
    return {
      add() {
        const length = words[WRITTEN];
        parts[parts.length] = new U8(new U8(buffer, bytesAt, length));
        total += length;
      },
      all() {
        if (parts.length === 1) return parts[0];
        const bytes = new U8(total);
        let at = 0;
        for (let number = 0; number < parts.length; number++) {
          typedArraySet(bytes, parts[number], at);
          at += typedArrayByteLength(parts[number]);
        }
        return bytes;
      },
    };
  }

  /**
   * https://encoding.spec.whatwg.org/#encode. With `fatal`, undefined is an error, which `lastUnmappable` describes.
   */
  function encode(encoding, string, fatal) {
    if (encoding === UTF_8) return encodeUtf8(string);
    const result = collector();
    let unitsBefore = 0;
    const status = eachPiece(string, fatal ? encoding | FATAL : encoding, (at) => {
      // A call that follows a full destination starts later in the piece, and only this function counts code units.
      let status;
      try {
        status = exports.encode();
      } catch (error) {
        throw failed(error);
      }
      if (status === UNMAPPABLE) unmappable = { codePoint: words[MORE], index: at + unitsBefore + words[MORE + 1] };
      unitsBefore = status === DONE ? 0 : unitsBefore + words[MORE + 1];
      result.add();
      return status;
    });
    return status === UNMAPPABLE ? undefined : result.all();
  }

  /** The code point that made the last encoding fail, and the index of its first code unit. */
  function lastUnmappable() {
    return unmappable;
  }

  /** https://encoding.spec.whatwg.org/#dom-textencoder-encode */
  function encodeUtf8(string) {
    const bytes = hostEncode(encoder, string);
    // A global object that a program has made can have the encoder of another one.
    return getPrototypeOf(bytes) === U8.prototype ? bytes : new U8(bytes);
  }

  /** https://encoding.spec.whatwg.org/#dom-textencoder-encodeinto: the result of the method. */
  function encodeInto(string, destination) {
    let result;
    try {
      result = hostEncodeInto(encoder, string, destination);
    } catch {
      // Browsers refuse arrays whose buffers can be resized.
      const capacity = min(typedArrayByteLength(destination), 3 * string.length);
      const copy = new U8(capacity);
      result = hostEncodeInto(encoder, string, copy);
      typedArraySet(destination, copy.subarray(0, result.written));
    }
    const { read, written } = result;
    if (read < string.length && fits(string, read, typedArrayByteLength(destination) - written)) return continueInto(string, destination, read, written);
    return { read, written };
  }

  /** Whether the UTF-8 of the character at an index has at most `capacity` bytes. */
  function fits(string, index, capacity) {
    const unit = charCodeAt(string, index);
    if (unit < 0x80) return capacity >= 1;
    if (unit < 0x800) return capacity >= 2;
    const isPair = isLeading(unit) && index + 1 < string.length && (charCodeAt(string, index + 1) & 0xfc00) === 0xdc00;
    return capacity >= (isPair ? 4 : 3);
  }

  /** Goes on after `encodeInto` of Node.js 26.10, which stops too early in some strings that do not fit. */
  function continueInto(string, destination, readBefore, writtenBefore) {
    let read = readBefore;
    let written = writtenBefore;
    while (read < string.length && fits(string, read, typedArrayByteLength(destination) - written)) {
      const character = stringSlice(string, read, read + (isLeading(charCodeAt(string, read)) && (charCodeAt(string, read + 1) & 0xfc00) === 0xdc00 ? 2 : 1));
      const bytes = hostEncode(encoder, character);
      typedArraySet(destination, bytes, written);
      read += character.length;
      written += bytes.length;
    }
    return { read, written };
  }

  /**
   * https://url.spec.whatwg.org/#string-percent-encode-after-encoding. `set` has 128 bytes, which are 0 for code points
   * outside of the set.
   */
  function percentEncode(encoding, string, set, spaceAsPlus) {
    let result = '';
    const bits = new U32(4);
    for (let codePoint = 0; codePoint < 0x80; codePoint++) if (set[codePoint] !== 0) bits[codePoint >> 5] |= 1 << (codePoint & 31);
    eachPiece(string, spaceAsPlus ? encoding | SPACE_AS_PLUS : encoding, () => {
      typedArraySet(words, bits, MORE);
      const status = guarded('percent_encode');
      result += ascii(words[WRITTEN]);
      return status;
    });
    return result;
  }

  /**
   * The sequences of the next bytes of a stream: objects with the offset in `bytes`, the length, and either
   * `codePoints`, an array that is empty for sequences without text, or `reason`, a key of `REASONS`, for a malformed
   * sequence. `state` is from `newState`, or undefined for a whole text. At most `most` sequences are returned, and
   * `read` says how many bytes they have; with `stream`, `read` can also be less because the last sequence goes on in
   * the bytes that follow. The caller passes the rest again. A byte order mark is a character.
   */
  function detail(encoding, bytes, { state, stream = false, most = Infinity } = {}) {
    has('detail');
    const length = typedArrayByteLength(bytes);
    const sequences = [];
    let flags = encoding;
    if (state !== undefined) {
      flags |= CONTINUE;
      typedArraySet(words, state, STATE);
    }
    let at = 0;
    while (at < length && sequences.length < most) {
      const limit = min(RECORDS, most - sequences.length);
      // As many bytes as so many sequences can have.
      const end = min(at + LONGEST_SEQUENCE * limit, length);
      put(bytes, at, end);
      words[REQUEST] = stream || end < length ? flags | STREAM : flags;
      words[MORE] = limit;
      const count = guarded('detail');
      if (count === NO_STATE) throw wrongState();
      if (count < 0) throw unsupported(names[encoding]);
      for (let number = 0; number < count; number++) sequences.push(sequenceOf(4 * number, at));
      flags |= CONTINUE;
      // The last sequence goes on after the bytes.
      if (words[READ] === 0) break;
      at += words[READ];
    }
    if (state !== undefined) for (let word = 0; word < STATE_WORDS; word++) state[word] = words[STATE + word];
    return { sequences, read: at };
  }

  /** The sequence of a record; `start` is added to its offset. */
  function sequenceOf(record, start) {
    const facts = records[record + 1];
    const offset = start + records[record];
    const length = facts & 0xff;
    if (((facts >> 8) & 0xff) === 1) return { offset, length, reason: REASONS[records[record + 2]] };
    const codePoints = [];
    for (let number = 0; number < facts >>> 16; number++) codePoints.push(records[record + 2 + number]);
    return { offset, length, codePoints };
  }

  /**
   * Encodes a string, with character references for unmappable characters, and lists these: the code point, the index
   * in the string, and the offset in the bytes.
   */
  function encodeDetail(encoding, string) {
    has('encode_detail');
    const result = collector();
    const found = [];
    let unitsBefore = 0;
    let bytesBefore = 0;
    eachPiece(string, encoding, (at) => {
      const status = guarded('encode_detail');
      for (let number = 0; number < words[MORE]; number++) {
        const record = 4 * number;
        found.push({ codePoint: records[record], index: at + unitsBefore + records[record + 1], offset: bytesBefore + records[record + 2] });
      }
      unitsBefore = status === DONE ? 0 : unitsBefore + words[MORE + 1];
      bytesBefore += words[WRITTEN];
      result.add();
      return status;
    });
    return { bytes: result.all(), unmappable: found };
  }

  /** The names of the contexts of `sniff`. */
  const contexts = exports.contexts === undefined ? [] : ascii(exports.contexts()).split('\n');

  /** The word for a label among the hints of `sniff`. */
  function hint(label) {
    return label === undefined || label === null ? NOT_GIVEN : (getAnEncoding(`${label}`) ?? UNKNOWN_LABEL);
  }

  /**
   * Finds out the encoding of `bytes` in a context, a name from `contexts`, such as "HTML parser". The hints are
   * labels: `override`, `transport`, `charsetAttribute`, `environment`, `container`, `history`, `default`; and
   * `contentType`, the value of the header; `locale`, a language tag; `guess`, whether the structure of the bytes may
   * decide. With `stream`, more bytes follow, and null says that the encoding depends on them.
   *
   * Returns an object: `encoding`, a name; `confidence`; `rung`, a word, and `reason`, a phrase; `label`, the place of
   * the label in the bytes, or null; and `ladder`, the rungs with their names and outcomes: "no", "yes", or "unasked"
   * after the rung that decided.
   */
  function sniff(bytes, context = 'HTML parser', hints = {}, stream = false) {
    has('sniff');
    const number = contexts.indexOf(context);
    if (number < 0) throw new RangeErrorOfHost(`There is no context "${context}"; the contexts are: ${contexts.join(', ')}`);
    const labels = ['override', 'transport', 'charsetAttribute', 'environment', 'container', 'history', 'default'].map((name) => hint(hints[name]));
    const contentType = encodeUtf8(`${hints.contentType ?? ''}`);
    const locale = encodeUtf8(`${hints.locale ?? ''}`);
    if (contentType.length + locale.length > 256) throw new RangeErrorOfHost('The contentType and the locale have more than 256 bytes');
    const length = typedArrayByteLength(bytes);
    const request = (flags) => {
      put(bytes, 0, min(length, SOURCE));
      words[REQUEST] = number | flags;
      words.set(labels, STATE);
      words[STATE + 7] = hints.guess ? 1 : 0;
      output.set(contentType);
      output.set(locale, contentType.length);
      words[MORE] = contentType.length;
      words[MORE + 1] = locale.length;
      return guarded('sniff');
    };
    let written = request(stream || length > SOURCE ? STREAM : 0);
    // No context waits for more bytes than the source has.
    if (written === 0 && !stream) written = request(0);
    if (written <= 0) return null;
    const [first, ...rest] = ascii(written).split('\n');
    const [encoding, confidence, rung, reason] = first.split('\t');
    const ladder = rest.map((line) => {
      const [outcome, name] = line.split('\t');
      return { name, outcome };
    });
    const label = words[MORE + 1] === 0 ? null : { offset: words[MORE], length: words[MORE + 1] };
    return { encoding: names[encoding], confidence, rung, reason, label, ladder };
  }

  /**
   * Repairs text that was decoded in `encoding` although it is UTF-8: encodes it back and decodes it. Returns an object
   * with `text`, or with `unmappable` (as of `lastUnmappable`) or `malformed` (as of `lastMalformed`) if the text
   * cannot come from such a mistake.
   */
  function repair(encoding, string) {
    const bytes = encode(encoding, string, true);
    if (bytes === undefined) return { unmappable: lastUnmappable() };
    const repaired = decodeAll(UTF_8 | FATAL | IGNORE_BOM, bytes);
    return repaired === undefined ? { malformed: lastMalformed() } : { text: repaired };
  }

  return {
    __proto__: null,
    FATAL,
    IGNORE_BOM,
    REPLACEMENT,
    UTF_8,
    asciiCompatible,
    bomSniff,
    contexts,
    decodeAll,
    decodeNext,
    detail,
    encode,
    encodeDetail,
    encodeInto,
    encodeUtf8,
    encodingOf,
    encodings,
    getAnEncoding,
    lastMalformed,
    lastUnmappable,
    legacyDecode,
    lowerCaseNames,
    names,
    newState,
    percentEncode,
    repair,
    sniff,
    unsupported,
  };
}

/** The reasons of malformed sequences. */
export const REASONS = ['no sequence starts with this byte', 'the input ends inside a sequence', 'the next byte does not continue the sequence', 'the encoding has no character for this sequence'];

/** A string without ASCII whitespace at both ends. */
function withoutSpace(string) {
  let start = 0;
  let end = string.length;
  while (start < end && isSpace(charCodeAt(string, start))) start++;
  while (end > start && isSpace(charCodeAt(string, end - 1))) end--;
  return stringSlice(string, start, end);
}

function isSpace(unit) {
  return unit === 0x20 || unit === 0x09 || unit === 0x0a || unit === 0x0c || unit === 0x0d;
}

function isLeading(unit) {
  return unit >= 0xd800 && unit <= 0xdbff;
}
