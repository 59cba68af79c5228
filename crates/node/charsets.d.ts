// Charsets that the Encoding Standard does not have, beside those that it has.
import type { AllowSharedBufferSource, Bytes } from './index.js';

export interface CharsetName {
  /** The name, which leads to the charset. */
  name: string;
  /** The family, such as "dos" or "ebcdic"; null for encodings of the Standard. */
  family: string | null;
}

export interface Charset extends CharsetName {
  /** The labels of the Standard, or all names that lead to this charset without a prefix. */
  labels: string[];
  /** Whether text can be encoded. */
  canEncode: boolean;
  isSingleByte: boolean;
}

/** All charsets: the encodings of the Standard in its order, then the others. */
export function charsets(): CharsetName[];

/**
 * The charset of a name: a label of the Standard, or else a name of IANA, glibc, Python or Java, or the number of a
 * code page after "cp". A prefix chooses the registry: "glibc:MACINTOSH".
 * @throws RangeError if there is no such charset, or if the name means several; the message lists their names.
 */
export function lookup(name: string): Charset;

/** The text of bytes. Malformed bytes become U+FFFD. */
export function decode(bytes: AllowSharedBufferSource, charset: string): string;

/** As `decode`, but malformed bytes are an error: a TypeError with `offset` and `bytes`. */
export function decodeOrFail(bytes: AllowSharedBufferSource, charset: string): string;

/** The bytes of text. An unmappable character becomes a decimal character reference. */
export function encode(string: string, charset: string): Bytes;

/** As `encode`, but an unmappable character is an error: a TypeError with `codePoint` and `index`. */
export function encodeOrFail(string: string, charset: string): Bytes;

export interface CharsetOptions {
  /** Whether the first error of a stream is thrown. Default: false. */
  fatal?: boolean | undefined;
}

export interface CharsetStreamOptions {
  /** Whether the next call continues the stream. Default: false. */
  stream?: boolean | undefined;
}

/** A decoder of text that comes in pieces, used as a TextDecoder. */
export class CharsetDecoder {
  /** @throws RangeError as `lookup`. */
  constructor(charset: string, options?: CharsetOptions | null);
  /** The name of the charset. */
  readonly charset: string;
  readonly fatal: boolean;
  decode(input?: AllowSharedBufferSource, options?: CharsetStreamOptions | null): string;
  readonly [Symbol.toStringTag]: 'CharsetDecoder';
}

/** An encoder of text that comes in pieces. */
export class CharsetEncoder {
  /** @throws RangeError as `lookup`, and if the charset can only be decoded. */
  constructor(charset: string, options?: CharsetOptions | null);
  /** The name of the charset. */
  readonly charset: string;
  readonly fatal: boolean;
  encode(input?: string, options?: CharsetStreamOptions | null): Bytes;
  readonly [Symbol.toStringTag]: 'CharsetEncoder';
}
