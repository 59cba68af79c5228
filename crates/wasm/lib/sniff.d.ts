/** An encoding of the Standard. */
export interface Encoding {
  /** Its place in the Standard's table. */
  number: number;
  name: string;
  labels: string[];
  /** Whether this build contains it. */
  isLinked: boolean;
}

/** All 40 encodings. */
export const encodings: Encoding[];

/** The names of the contexts of `sniff`, such as "HTML parser". */
export const contexts: string[];

/** Knowledge of a resource besides its bytes: labels, where nothing else is said. */
export interface SniffHints {
  /** The label that a user or an argument gives. */
  override?: string | undefined;
  /** The charset of the transport layer. It has precedence over that of `contentType`. */
  transport?: string | undefined;
  /** The value of the header Content-Type. */
  contentType?: string | undefined;
  /** The charset attribute of the reference to the resource. */
  charsetAttribute?: string | undefined;
  /** The encoding of the document that refers to the resource. */
  environment?: string | undefined;
  /** The encoding of the container document. */
  container?: string | undefined;
  /** The encoding at an earlier visit. */
  history?: string | undefined;
  /** The default for HTML and plain text. */
  default?: string | undefined;
  /** The language tag of the user's locale. */
  locale?: string | undefined;
  /** Whether the structure of the bytes may decide if no declaration does. Default: false. */
  guess?: boolean | undefined;
}

/** A rung of the ladder: "no" if it named no encoding, "yes" if it decided, "unasked" after the rung that decided. */
export interface Rung {
  name: string;
  outcome: 'no' | 'yes' | 'unasked';
}

export interface Sniffed {
  /** The name of the encoding. */
  encoding: string;
  confidence: 'certain' | 'tentative' | 'irrelevant';
  /** The rung that decided, as a word and as a phrase. */
  rung: string;
  reason: string;
  /** The place in the bytes of the label that decided, if it is there. */
  label: { offset: number; length: number } | null;
  ladder: Rung[];
}

/**
 * Finds out the encoding of a resource in a context (default: "HTML parser"). Returns null for a context without an
 * encoding.
 * @throws RangeError if there is no such context, or if the strings among the hints are too long.
 */
export function sniff(bytes: AllowSharedBufferSource, context?: string, hints?: SniffHints): Sniffed | null;
