import type { AllowSharedBufferSource } from '../index.js';

/** What the caller knows about a text. */
export interface DetectOptions {
  /** Labels of the only encodings that compete. */
  among?: Iterable<string> | null | undefined;
  /** Labels of encodings that do not compete. */
  exclude?: Iterable<string> | null | undefined;
  /** Codes of the languages that the text is probably in, such as "de". */
  languages?: Iterable<string> | null | undefined;
  /** The top-level domain of the host that the text is from, such as "ru". */
  topLevelDomain?: string | null | undefined;
  /** The system on which the text was probably written. */
  platform?: 'windows' | 'mac' | 'unix' | 'dos' | null | undefined;
  /** A label that something declares. It is evidence, and does not decide. */
  declared?: string | null | undefined;
  /**
   * Groups of encodings that compete beside those of the Encoding Standard. The entry `charsets` of this package
   * decodes them, by the names that candidates have.
   */
  tiers?: Iterable<'dos' | 'mac' | 'ebcdic' | 'johab' | 'vietnamese'> | null | undefined;
  /** Whether the start of the text is missing. Default: false. */
  startsMidStream?: boolean | undefined;
  /** Whether the end of the text is missing. Default: false. */
  endsMidStream?: boolean | undefined;
}

/** An encoding that a text can be in. */
export interface DetectionCandidate {
  /** The name of the encoding. */
  encoding: string;
  /** Whether the Encoding Standard has the encoding, so that a TextDecoder decodes it. */
  isStandard: boolean;
  /** The code of the language, or null if the answer does not depend on one. */
  language: string | null;
  /** The probability that this encoding gives the right text, from 0 to 1. */
  probability: number;
  /** Candidates of one group give the same text. The group of the best candidate is 0. */
  group: number;
  /** The offsets of the bytes that speak most for this candidate, the strongest first. At most eight. */
  evidence: number[];
}

export type DetectionKind =
  | 'empty' | 'ascii' | 'utf-8' | 'damaged-utf-8' | 'utf-16' | 'utf-32' | 'iso-2022' | 'hz' | 'utf-7' | 'legacy' | 'mixed' | 'binary'
  | 'unknown';

/** What a text is, and the encodings that it can be in. */
export interface Detection {
  /** The name of the most probable encoding, or null. */
  encoding: string | null;
  /** The language of the best candidate, or null. */
  language: string | null;
  /** The probability of the best candidate, or 0. */
  probability: number;
  kind: DetectionKind;
  /** For UTF-8, UTF-16 and UTF-32: whether the text begins with a byte order mark. */
  hasBOM?: boolean;
  /** For damaged UTF-8: the number of malformed sequences. */
  malformed?: number;
  /** For damaged UTF-8: the offset of the first malformed sequence. For a mixture: the offset of the first change. */
  offset?: number;
  /** For binary data: its media type. */
  mimeType?: string;
  /** The evidence of the best candidate. */
  evidence: number[];
  /** The most probable candidate comes first. */
  candidates: DetectionCandidate[];
  /** How much better the text of the first group fits than the next text, in nats; null if there is no next text. */
  margin: number | null;
  /** Answers about the same bytes change only with this number. */
  modelVersion: number;
}

/**
 * Finds out the encoding of a text that declares nothing.
 * @throws RangeError if `among` or `exclude` has an unknown label, or `tiers` an unknown tier.
 */
export function detect(bytes: AllowSharedBufferSource, options?: DetectOptions | null): Detection;

/** Finds out the encoding of a text that comes in pieces. The answer is the same wherever the pieces are cut. */
export class Detector {
  /** @throws RangeError if `among` or `exclude` has an unknown label, or `tiers` an unknown tier. */
  constructor(options?: DetectOptions | null);
  /** Looks at the next bytes. */
  feed(bytes: AllowSharedBufferSource): void;
  /** The answer for the bytes so far. */
  bestSoFar(): Detection;
  /** The answer for the whole text. Afterwards, every method throws an Error. */
  finish(): Detection;
  readonly [Symbol.toStringTag]: 'Detector';
}
