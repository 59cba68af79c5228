// The Encoding Standard: https://encoding.spec.whatwg.org/

// ReadableStream and WritableStream are global types, so that these streams fit with those of the program. If
// TypeScript does not find them, install @types/node or put "DOM" into the compiler option "lib".

/** The type of encoded bytes: `Uint8Array<ArrayBuffer>` in TypeScript 5.7 and later, and `Uint8Array` before. */
export type Bytes = ReturnType<Uint8ArrayConstructor['of']>;

/** An ArrayBuffer, a SharedArrayBuffer or any view of one. A detached buffer has no bytes. */
export type AllowSharedBufferSource = ArrayBufferLike | ArrayBufferView;

export interface TextDecoderOptions {
  /** Whether malformed bytes throw a TypeError instead of becoming U+FFFD. Default: false. */
  fatal?: boolean | undefined;
  /** Whether a byte order mark stays in the text, as U+FEFF. Default: false. */
  ignoreBOM?: boolean | undefined;
}

export interface TextDecodeOptions {
  /** Whether the next call continues the stream. Default: false. */
  stream?: boolean | undefined;
}

/** https://encoding.spec.whatwg.org/#interface-textdecoder */
export class TextDecoder {
  /** @throws RangeError if the label (default: "utf-8") is unknown, or a label of replacement. */
  constructor(label?: string, options?: TextDecoderOptions | null);
  /** The name of the encoding, in lower case. */
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  /** @throws TypeError if the bytes are malformed and this decoder is fatal. */
  decode(input?: AllowSharedBufferSource, options?: TextDecodeOptions | null): string;
  /** The same method for fewer inputs, so that this class is assignable to the class of @types/node. */
  decode(input?: Uint8Array, options?: TextDecodeOptions | null): string;
  readonly [Symbol.toStringTag]: 'TextDecoder';
}

export interface TextEncoderEncodeIntoResult {
  /** The number of code units of the source that were read. */
  read: number;
  /** The number of bytes of the destination that were written. */
  written: number;
}

/** https://encoding.spec.whatwg.org/#interface-textencoder */
export class TextEncoder {
  readonly encoding: 'utf-8';
  /** Encodes into UTF-8. Surrogates without a partner become U+FFFD. */
  encode(input?: string): Bytes;
  /** Encodes into the front of `destination`, and stops before the first character that does not fit. */
  encodeInto(source: string, destination: Uint8Array): TextEncoderEncodeIntoResult;
  readonly [Symbol.toStringTag]: 'TextEncoder';
}

/** https://encoding.spec.whatwg.org/#interface-textdecoderstream */
export class TextDecoderStream {
  /** @throws RangeError if the label (default: "utf-8") is unknown, or a label of replacement. */
  constructor(label?: string, options?: TextDecoderOptions | null);
  /** The name of the encoding, in lower case. */
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  readonly readable: ReadableStream<string>;
  readonly writable: WritableStream<AllowSharedBufferSource>;
  readonly [Symbol.toStringTag]: 'TextDecoderStream';
}

/** https://encoding.spec.whatwg.org/#interface-textencoderstream */
export class TextEncoderStream {
  readonly encoding: 'utf-8';
  readonly readable: ReadableStream<Bytes>;
  readonly writable: WritableStream<string>;
  readonly [Symbol.toStringTag]: 'TextEncoderStream';
}

/**
 * https://encoding.spec.whatwg.org/#decode: a byte order mark takes precedence over the label (default: "utf-8") and is
 * removed. Malformed bytes become U+FFFD.
 * @throws RangeError if the label is unknown.
 */
export function decode(bytes: AllowSharedBufferSource, label?: string): string;

/** The error of `decodeOrFail` for malformed bytes. */
export interface MalformedError extends TypeError {
  code: 'ERR_ENCODING_INVALID_ENCODED_DATA';
  /** The offset of the malformed sequence in the input, in bytes. A byte order mark counts. */
  offset: number;
  /** The bytes of the malformed sequence: the bytes that become one U+FFFD in `decode`. */
  bytes: Bytes;
}

/**
 * As `decode`, but malformed bytes are an error.
 * @throws MalformedError for the first malformed sequence; RangeError if the label is unknown; TypeError if `bytes` is
 * no buffer source.
 */
export function decodeOrFail(bytes: AllowSharedBufferSource, label?: string): string;

/**
 * https://encoding.spec.whatwg.org/#encode into the output encoding of the label (default: "utf-8"). An unmappable
 * character becomes a decimal character reference, as in a form.
 * @throws RangeError if the label is unknown.
 */
export function encode(string: string, label?: string): Bytes;

/** The error of `encodeOrFail` for an unmappable character. */
export interface UnmappableError extends TypeError {
  code: 'ERR_ENCODING_UNMAPPABLE';
  /** The code point that the Standard's encoder returns with its error. */
  codePoint: number;
  /** The index of its first code unit in the string. */
  index: number;
}

/**
 * https://encoding.spec.whatwg.org/#encode-or-fail into the output encoding of the label (default: "utf-8").
 * @throws UnmappableError for the first unmappable character; RangeError if the label is unknown.
 */
export function encodeOrFail(string: string, label?: string): Bytes;

/** https://encoding.spec.whatwg.org/#bom-sniff: the name of the encoding of the byte order mark, or null. */
export function bomSniff(bytes: AllowSharedBufferSource): 'UTF-8' | 'UTF-16BE' | 'UTF-16LE' | null;

/** https://encoding.spec.whatwg.org/#concept-encoding-get: the name as the Standard writes it, or null. */
export function labelToName(label: string): string | null;

/** A percent-encode set of the URL Standard. Code points above U+007E are in every set. */
export type PercentEncodeSetName =
  | 'C0 control'
  | 'fragment'
  | 'query'
  | 'special-query'
  | 'path'
  | 'userinfo'
  | 'component'
  | 'application/x-www-form-urlencoded';

/**
 * A set: its name, its ASCII characters or code points, or a function that returns whether an ASCII code point is in
 * it.
 */
export type PercentEncodeSet =
  | PercentEncodeSetName
  | `${PercentEncodeSetName} percent-encode set`
  | (Iterable<string | number> & object)
  | ((codePoint: number) => boolean);

/**
 * https://url.spec.whatwg.org/#string-percent-encode-after-encoding, into the output encoding of the label.
 * @throws RangeError if the label is unknown or an item of the set is not ASCII; TypeError if the set is invalid.
 */
export function percentEncodeAfterEncoding(
  label: string,
  string: string,
  percentEncodeSet: PercentEncodeSet,
  spaceAsPlus?: boolean,
): string;

/**
 * Replaces the globals TextDecoder, TextEncoder, TextDecoderStream and TextEncoderStream by the interfaces of this
 * package, or defines them on `target`, such as the global object of a `vm` context or a window of jsdom. Exports of
 * Node.js modules do not change.
 * @throws TypeError if the target is no object.
 */
export function install(target?: object): void;

export * from './lib/detection.js';
