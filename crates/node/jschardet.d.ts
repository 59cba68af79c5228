// The interface of the npm package `jschardet`.

export interface IDetectedMap {
  /** A name of jschardet 4, or null. */
  encoding: string | null;
  /** From 0 to 1: the probability that this encoding gives the right text. */
  confidence: number;
  language: string | null;
  mimeType: string | null;
}

export interface IOptionsMap {
  /** The least confidence of the results of `detectAll`. */
  minimumThreshold?: number;
  detectEncodings?: string[];
  excludeEncodings?: string[];
}

/** The code units of a string are bytes. */
type Input = string | Uint8Array | ArrayBuffer | ArrayBufferView;

/** The best result. */
export declare function detect(buffer: Input, options?: IOptionsMap): IDetectedMap;

/** The results whose confidence is at least `minimumThreshold`, or all results if there is none. */
export declare function detectAll(buffer: Input, options?: IOptionsMap): IDetectedMap[];

/** Prints all candidates of each call. */
export declare function enableDebug(): void;

/** The version of jschardet whose interface this is. */
export declare const VERSION: string;

/** The options of chardet. */
export interface ChardetOptions {
  encodingEra?: number;
  maxBytes?: number;
  preferSuperset?: boolean;
  shouldRenameLegacy?: boolean;
  compatNames?: boolean;
  includeEncodings?: Iterable<string> | null;
  excludeEncodings?: Iterable<string> | null;
  noMatchEncoding?: string;
  emptyInputEncoding?: string;
}

/** The interface of Python's chardet. */
export declare namespace chardet {
  function detect(bytes: Uint8Array, options?: ChardetOptions): IDetectedMap;
  function detectAll(bytes: Uint8Array, options?: ChardetOptions & { ignoreThreshold?: boolean }): IDetectedMap[];
  class UniversalDetector {
    static readonly MINIMUM_THRESHOLD: number;
    constructor(options?: ChardetOptions);
    feed(bytes: Uint8Array): void;
    close(): IDetectedMap;
    reset(): void;
    get done(): boolean;
    get result(): IDetectedMap;
  }
  const EncodingEra: Readonly<Record<'MODERN_WEB' | 'LEGACY_ISO' | 'LEGACY_MAC' | 'LEGACY_REGIONAL' | 'DOS' | 'MAINFRAME' | 'ALL', number>>;
  const LanguageFilter: Readonly<
    Record<'CHINESE_SIMPLIFIED' | 'CHINESE_TRADITIONAL' | 'JAPANESE' | 'KOREAN' | 'NON_CJK' | 'ALL' | 'CHINESE' | 'CJK', number>
  >;
  const DEFAULT_MAX_BYTES: number;
  const DETERMINISTIC_CONFIDENCE: number;
  const EVIDENCE_CAP_BYTES: number;
  const MINIMUM_THRESHOLD: number;
}

/** The interface of jschardet 3, with its names. */
export declare namespace v3 {
  interface Result {
    encoding: string | null;
    confidence: number;
  }
  interface Options {
    minimumThreshold?: number;
    detectEncodings?: string[];
  }
  function detect(buffer: Input, options?: Options): Result;
  function detectAll(buffer: Input, options?: Options): Result[];
  class UniversalDetector {
    constructor(options?: Options);
    result: Result;
    results: Result[];
    done: boolean;
    feed(buffer: Input): void;
    close(): void;
    reset(): void;
  }
  function enableDebug(): void;
}

declare const jschardet: {
  detect: typeof detect;
  detectAll: typeof detectAll;
  enableDebug: typeof enableDebug;
  VERSION: string;
};
export default jschardet;
