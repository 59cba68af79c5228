// The Encoding Standard: https://encoding.spec.whatwg.org/

// ReadableStream and WritableStream are the global ones, so that these streams fit those of the program. If TypeScript does not find
// them, it lacks what declares them: @types/node, or "DOM" in the compiler option "lib".

/** What is encoded: `Uint8Array<ArrayBuffer>` where TypeScript distinguishes it from bytes that are shared, since 5.7. */
export type Bytes = ReturnType<Uint8ArrayConstructor['of']>;

/** Bytes: of an ArrayBuffer, a SharedArrayBuffer or any view of one. A detached buffer has none. */
export type AllowSharedBufferSource = ArrayBufferLike | ArrayBufferView;

export interface TextDecoderOptions {
  /** Whether malformed bytes are a TypeError and not U+FFFD. Default: false. */
  fatal?: boolean | undefined;
  /** Whether a byte order mark stays in the text, as U+FEFF. Default: false. */
  ignoreBOM?: boolean | undefined;
}

export interface TextDecodeOptions {
  /** Whether more of the stream follows in the next call. Default: false. */
  stream?: boolean | undefined;
}

/** https://encoding.spec.whatwg.org/#interface-textdecoder */
export class TextDecoder {
  /** @throws RangeError if the label (default: "utf-8") is none, or one of replacement. */
  constructor(label?: string, options?: TextDecoderOptions | null);
  /** The name of the encoding, in lower case. */
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  /** @throws TypeError if the bytes are malformed and this decoder is fatal. */
  decode(input?: AllowSharedBufferSource, options?: TextDecodeOptions | null): string;
  /** The same for some, so that this class can stand for that of @types/node, which declares other inputs. */
  decode(input?: Uint8Array, options?: TextDecodeOptions | null): string;
  readonly [Symbol.toStringTag]: 'TextDecoder';
}

export interface TextEncoderEncodeIntoResult {
  /** How many code units of the source were read. */
  read: number;
  /** How many bytes of the destination were written. */
  written: number;
}

/** https://encoding.spec.whatwg.org/#interface-textencoder */
export class TextEncoder {
  readonly encoding: 'utf-8';
  /** Encodes into UTF-8. Surrogates without a partner become U+FFFD. */
  encode(input?: string): Bytes;
  /** Encodes into the front of `destination`, up to the first character that does not fit. */
  encodeInto(source: string, destination: Uint8Array): TextEncoderEncodeIntoResult;
  readonly [Symbol.toStringTag]: 'TextEncoder';
}

/** https://encoding.spec.whatwg.org/#interface-textdecoderstream */
export class TextDecoderStream {
  /** @throws RangeError if the label (default: "utf-8") is none, or one of replacement. */
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
 * https://encoding.spec.whatwg.org/#decode: a byte order mark wins over the label (default: "utf-8") and is dropped; malformed bytes
 * become U+FFFD.
 * @throws RangeError if the label is none.
 */
export function decode(bytes: AllowSharedBufferSource, label?: string): string;

/** What `decodeOrFail` throws, beside a RangeError for the label and a TypeError for what is no buffer source. */
export interface MalformedError extends TypeError {
  code: 'ERR_ENCODING_INVALID_ENCODED_DATA';
  /** Where the sequence starts, in bytes, a byte order mark counted. */
  offset: number;
  /** The bytes of the sequence: those that the Standard's decoder gives up for this error. */
  bytes: Bytes;
}

/**
 * As `decode`, but malformed bytes are an error.
 * @throws MalformedError at the first of them; RangeError if the label is none.
 */
export function decodeOrFail(bytes: AllowSharedBufferSource, label?: string): string;

/**
 * https://encoding.spec.whatwg.org/#encode into the output encoding of the label (default: "utf-8"): what the encoding lacks becomes
 * a decimal character reference, as in a form.
 * @throws RangeError if the label is none.
 */
export function encode(string: string, label?: string): Bytes;

/** What `encodeOrFail` throws, beside a RangeError for the label. */
export interface UnmappableError extends TypeError {
  code: 'ERR_ENCODING_UNMAPPABLE';
  /** The code point that the Standard gives with the error. */
  codePoint: number;
  /** The place of its code unit in the string. */
  index: number;
}

/**
 * https://encoding.spec.whatwg.org/#encode-or-fail into the output encoding of the label (default: "utf-8").
 * @throws UnmappableError at the first code point that the encoding lacks; RangeError if the label is none.
 */
export function encodeOrFail(string: string, label?: string): Bytes;

/** https://encoding.spec.whatwg.org/#bom-sniff: the name of the encoding of the byte order mark, or null. */
export function bomSniff(bytes: AllowSharedBufferSource): 'UTF-8' | 'UTF-16BE' | 'UTF-16LE' | null;

/** https://encoding.spec.whatwg.org/#concept-encoding-get: the name as the Standard writes it, or null. */
export function labelToName(label: string): string | null;

/** A set of the URL Standard. Code points above U+007E are in each. */
export type PercentEncodeSetName =
  | 'C0 control'
  | 'fragment'
  | 'query'
  | 'special-query'
  | 'path'
  | 'userinfo'
  | 'component'
  | 'application/x-www-form-urlencoded';

/** A set by its name, by its ASCII characters or code points, or by what says of an ASCII code point whether it is in it. */
export type PercentEncodeSet =
  | PercentEncodeSetName
  | `${PercentEncodeSetName} percent-encode set`
  | (Iterable<string | number> & object)
  | ((codePoint: number) => boolean);

/**
 * https://url.spec.whatwg.org/#string-percent-encode-after-encoding, into the output encoding of the label.
 * @throws RangeError if the label is none, or what is in the set is not ASCII; TypeError if the set is none.
 */
export function percentEncodeAfterEncoding(
  label: string,
  string: string,
  percentEncodeSet: PercentEncodeSet,
  spaceAsPlus?: boolean,
): string;

/**
 * Replaces the globals TextDecoder, TextEncoder, TextDecoderStream and TextEncoderStream by those of this package, or has `target`
 * have them: the global object of a `vm` context, a window of jsdom. What modules of Node.js export is left alone.
 * @throws TypeError if the target is no object.
 */
export function install(target?: object): void;
