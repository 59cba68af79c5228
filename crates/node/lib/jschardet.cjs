'use strict';
// The interface of the npm package `jschardet`, versions 3 and 4, over this package's detector.

const { Detector, detect: detectText } = require('./detection.cjs');
const { toLanguage } = require('./peers.cjs');

// For each encoding: its name in Python, which is the name in jschardet 4 with `compatNames: false`; the name in
// jschardet 4 if it is another one; and the name in jschardet 3 if that is not the Standard's.
const ENCODINGS = [
  ['UTF-8', 'utf-8'], ['UTF-16LE', 'utf-16-le'], ['UTF-16BE', 'utf-16-be'], ['UTF-32LE', 'utf-32-le'], ['UTF-32BE', 'utf-32-be'],
  ['UTF-7', 'utf-7'], ['HZ', 'hz', 'HZ-GB-2312', 'HZ-GB-2312'], ['ISO-2022-KR', 'iso2022_kr', 'ISO-2022-KR'], ['ISO-2022-CN', 'iso2022_cn', 'ISO-2022-CN'],
  ['ISO-2022-JP', 'iso2022_jp_2', 'ISO-2022-JP'], ['GBK', 'gb18030', 'GB18030', 'GB2312'], ['gb18030', 'gb18030', 'GB18030', 'GB2312'],
  ['Big5', 'big5hkscs', 'Big5'], ['EUC-JP', 'euc_jis_2004', 'EUC-JP'], ['Shift_JIS', 'cp932', 'CP932', 'SHIFT_JIS'], ['EUC-KR', 'cp949', 'CP949'],
  ['windows-874', 'cp874', 'CP874', 'TIS-620'], ['IBM866', 'cp866', 'IBM866'], ['KOI8-R', 'koi8-r', 'KOI8-R'], ['KOI8-U', 'koi8-u'],
  ['macintosh', 'mac-roman', 'MacRoman'], ['x-mac-cyrillic', 'mac-cyrillic', 'MacCyrillic'],
  ['ISO-8859-8-I', 'iso8859-8', 'ISO-8859-8', 'ISO-8859-8'],
  ...[2, 5, 6, 7, 8, 13].map((part) => [`ISO-8859-${part}`, `iso8859-${part}`, `ISO-8859-${part}`]),
  ...[3, 4, 10, 14, 15, 16].map((part) => [`ISO-8859-${part}`, `iso8859-${part}`]),
  ...[1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257].map((page) => [`windows-${page}`, `cp${page}`, `Windows-${page}`]),
  ['windows-1258', 'cp1258'],
];
// Encodings that differ from those above in a few bytes, and what jschardet 4 calls them.
const COMPAT_NAMES = { __proto__: null, 'utf-8-sig': 'UTF-8-SIG', 'utf-16': 'UTF-16', 'utf-32': 'UTF-32' };
const PYTHON_NAMES = { __proto__: null };
const NAMES_OF_3 = { __proto__: null };
// The names in Python by names in lower case, and the labels of the Standard by names in Python.
const CANONICAL = {
  __proto__: null, 'us-ascii': 'ascii', 'iso-8859-1': 'iso8859-1', latin1: 'iso8859-1', 'iso-8859-9': 'iso8859-9', gb2312: 'gb18030', euc_kr: 'cp949', 'euc-kr': 'cp949',
  euc_jp: 'euc_jis_2004', shift_jis: 'cp932', shift_jis_2004: 'cp932', 'tis-620': 'cp874',
};
const LABELS = {
  __proto__: null, ascii: [], 'utf-8-sig': ['UTF-8'], 'utf-16': ['UTF-16LE', 'UTF-16BE'], 'utf-32': [], 'iso8859-1': ['windows-1252'], 'iso8859-9': ['windows-1254'],
};
// Encodings that jschardet finds and this detector does not.
for (const name of [
  'cp1006', 'cp1026', 'cp1125', 'cp1140', 'cp273', 'cp424', 'cp437', 'cp500', 'cp720', 'cp737', 'cp775', 'cp850', 'cp852', 'cp855', 'cp856', 'cp857', 'cp858', 'cp860', 'cp861',
  'cp862', 'cp863', 'cp864', 'cp865', 'cp869', 'cp875', 'hp-roman8', 'iso2022_jp_2004', 'iso2022_jp_ext', 'johab', 'koi8-t', 'kz1048', 'mac-greek', 'mac-iceland', 'mac-latin2',
  'mac-turkish', 'ptcp154',
]) LABELS[name] = [];
for (const [name, python, compat = python, of3 = name] of ENCODINGS) {
  PYTHON_NAMES[name] = python;
  COMPAT_NAMES[python] ??= compat;
  NAMES_OF_3[name] = of3;
  LABELS[python] = [...LABELS[python] ?? [], name];
  for (const alias of [name, compat, of3]) CANONICAL[alias.toLowerCase()] ??= python;
}
for (const python of Object.keys(LABELS)) CANONICAL[python] = python;
// The code pages of Windows that contain an encoding, nearly.
const SUPERSETS = {
  __proto__: null, ascii: 'cp1252', 'iso8859-2': 'cp1250', 'iso8859-5': 'cp1251', 'iso8859-6': 'cp1256', 'iso8859-7': 'cp1253', 'iso8859-8': 'cp1255',
  'iso8859-13': 'cp1257',
};

const EncodingEra = { MODERN_WEB: 1, LEGACY_ISO: 2, LEGACY_MAC: 4, LEGACY_REGIONAL: 8, DOS: 16, MAINFRAME: 32, ALL: 63 };
const LanguageFilter = { CHINESE_SIMPLIFIED: 1, CHINESE_TRADITIONAL: 2, JAPANESE: 4, KOREAN: 8, NON_CJK: 16, ALL: 31, CHINESE: 3, CJK: 15 };
const DEFAULT_MAX_BYTES = 200_000;
const EVIDENCE_CAP_BYTES = 256 * 1024;
const MINIMUM_THRESHOLD = 0.2;
const DETERMINISTIC_CONFIDENCE = 0.95;
// The version of jschardet whose interface this is.
const VERSION = '4.1.0';

function eraOf(name) {
  if (/^ISO-8859/.test(name)) return EncodingEra.LEGACY_ISO;
  if (/mac/.test(name)) return EncodingEra.LEGACY_MAC;
  return name === 'IBM866' ? EncodingEra.DOS : EncodingEra.MODERN_WEB;
}

// Encodings that the detector finds by their structure, and that no label of its options means.
const BY_STRUCTURE = new Set(['UTF-32LE', 'UTF-32BE', 'UTF-7', 'HZ', 'ISO-2022-KR', 'ISO-2022-CN']);

/** Whether the detector knows an encoding with this label. */
function isKnown(label) {
  // The Standard has some of these labels, for its encoding replacement.
  if (BY_STRUCTURE.has(label)) return false;
  try {
    new Detector({ among: [label] }).finish();
    return true;
  } catch {
    return false;
  }
}

/** The name in Python, or undefined for another label of the Standard. Throws if it is neither. */
function toPython(name) {
  const lower = `${name}`.toLowerCase();
  const python = CANONICAL[lower] ?? CANONICAL[lower.replaceAll('-', '_')] ?? CANONICAL[lower.replaceAll('_', '-')];
  if (python === undefined && !isKnown(lower)) throw new Error(`Unknown encoding "${name}"`);
  return python;
}

/** A list of names: the names in Python, and the labels that the detector knows. Undefined without a list. */
function toFilter(names) {
  if (names === undefined || names === null) return undefined;
  const filter = { names: new Set(), labels: [] };
  for (const name of names) {
    const python = toPython(name);
    filter.names.add(python);
    filter.labels.push(...(LABELS[python] ?? [`${name}`]).filter(isKnown));
  }
  if (filter.names.size === 0) throw new Error('The list of encodings must not be empty');
  return filter;
}

/** The options of the detector, and whether an encoding may be the answer. Nothing competes if `among` is empty. */
function toOptions({ includeEncodings, excludeEncodings, encodingEra = EncodingEra.ALL }) {
  const [include, exclude] = [toFilter(includeEncodings), toFilter(excludeEncodings)];
  const excluded = exclude?.labels ?? [];
  for (const [name] of ENCODINGS) if ((eraOf(name) & encodingEra) === 0 && isKnown(name)) excluded.push(name);
  return {
    among: include?.labels, exclude: excluded,
    allows: (python) => include?.names.has(python) !== false && exclude?.names.has(python) !== true,
  };
}

const result = (encoding, confidence, language = null, mimeType = 'text/plain') => ({ encoding, confidence, language, mimeType });

/** The results of jschardet for an answer of the detector, with names of Python. */
function toResults(detection, { noMatchEncoding = 'cp1252', emptyInputEncoding = 'utf-8' }, allows) {
  const { kind, candidates, hasBOM, mimeType } = detection;
  const fallback = (name) => {
    const python = toPython(name) ?? name;
    return [allows(python) ? result(python, 0.1) : result(null, 0, null, null)];
  };
  switch (kind) {
    case 'empty':
      return fallback(emptyInputEncoding);
    case 'ascii': {
      const name = ['ascii', 'utf-8', 'cp1252'].find(allows);
      return name === undefined ? fallback(noMatchEncoding) : [result(name, 1)];
    }
    case 'binary':
      return [result(null, mimeType === 'application/octet-stream' ? DETERMINISTIC_CONFIDENCE : 1, null, mimeType)];
    default: {
      if (candidates.length === 0) return fallback(noMatchEncoding);
      const results = new Map();
      for (const candidate of candidates) {
        const name = PYTHON_NAMES[candidate.encoding] ?? candidate.encoding;
        if (!results.has(name)) results.set(name, result(name, candidate.probability, toLanguage(candidate) ?? null));
      }
      const [best, ...others] = results.values();
      if (!hasBOM) return [best, ...others];
      const name = best.encoding === 'utf-8' ? 'utf-8-sig' : best.encoding.slice(0, 6);
      return [result(allows(name) ? name : best.encoding, 1, best.language)];
    }
  }
}

/** Gives results the names that the options ask for. */
function named(results, { compatNames = true, preferSuperset = false, shouldRenameLegacy = false }) {
  return results.map((found) => {
    let { encoding } = found;
    if (encoding !== null && (preferSuperset || shouldRenameLegacy)) encoding = SUPERSETS[encoding] ?? encoding;
    if (encoding !== null && compatNames) encoding = COMPAT_NAMES[encoding] ?? encoding;
    return { ...found, encoding };
  });
}

function maxBytesOf({ maxBytes = DEFAULT_MAX_BYTES }) {
  if (!Number.isInteger(maxBytes) || maxBytes < 1) throw new Error('max_bytes must be a positive integer');
  return maxBytes;
}

const NOTHING = { kind: 'unknown', candidates: [] };

/** Whether an answer is an encoding that the detector finds by its structure, and that the lists of names leave. */
function isStructural({ candidates: [best], hasBOM }, allows) {
  return BY_STRUCTURE.has(best?.encoding) && (allows(PYTHON_NAMES[best.encoding]) || (hasBOM === true && allows('utf-32')));
}

/** All results for bytes, with the options of `chardet.detect`. */
function analyse(bytes, options) {
  const detector = new chardet.UniversalDetector(options);
  detector.feed(bytes);
  detector.close();
  return detector[RESULTS];
}

// The member of a UniversalDetector with all results.
const RESULTS = Symbol('results');

const chardet = {
  detect: (bytes, options = {}) => analyse(bytes, options)[0],
  detectAll(bytes, options = {}) {
    const all = analyse(bytes, options);
    const likely = all.filter(({ confidence }) => options.ignoreThreshold || confidence > MINIMUM_THRESHOLD);
    return likely.length > 0 ? likely : all;
  },
  UniversalDetector: class UniversalDetector {
    static MINIMUM_THRESHOLD = MINIMUM_THRESHOLD;

    #options;
    #detectorOptions;
    // The detector takes a list as a promise that the bytes are text in one of these encodings, and jschardet does not.
    // This detector has no list, and finds binary data and ASCII.
    #any;
    #detector;
    #left;
    #results;

    constructor(options = {}) {
      this.#options = options;
      this.#detectorOptions = toOptions(options);
      for (const name of ['noMatchEncoding', 'emptyInputEncoding']) if (options[name] !== undefined) toPython(options[name]);
      maxBytesOf(options);
      this.reset();
    }

    feed(bytes) {
      if (this.#results !== undefined) throw new Error('feed() called after close() without reset()');
      const piece = bytes.length > this.#left ? bytes.subarray(0, this.#left) : bytes;
      this.#left -= piece.length;
      this.#any?.feed(piece);
      this.#detector.feed(piece);
    }

    close() {
      if (this.#results === undefined) {
        const { among, allows } = this.#detectorOptions;
        const any = this.#any?.finish();
        let found = this.#detector.finish();
        if (any !== undefined && (['binary', 'ascii', 'empty'].includes(any.kind) || isStructural(any, allows))) found = any;
        else if (among?.length === 0 || (BY_STRUCTURE.has(found.candidates[0]?.encoding) && !isStructural(found, allows))) found = NOTHING;
        this.#results = named(toResults(found, this.#options, allows), this.#options);
      }
      return this.result;
    }

    reset() {
      const { among, exclude } = this.#detectorOptions;
      this.#any = among === undefined ? undefined : new Detector({ exclude });
      this.#detector = new Detector({ among: among?.length === 0 ? undefined : among, exclude });
      this.#left = maxBytesOf(this.#options);
      this.#results = undefined;
    }

    get done() {
      return this.#results !== undefined || this.#left === 0;
    }

    get result() {
      return { ...(this.#results?.[0] ?? result(null, 0, null, null)) };
    }

    get [RESULTS]() {
      return this.#results;
    }
  },
  EncodingEra,
  LanguageFilter,
  DEFAULT_MAX_BYTES,
  DETERMINISTIC_CONFIDENCE,
  EVIDENCE_CAP_BYTES,
  MINIMUM_THRESHOLD,
};

/** A string has a byte in each code unit. */
function toBytes(input) {
  if (typeof input === 'string') return Uint8Array.from({ length: input.length }, (_, at) => input.charCodeAt(at));
  if (input instanceof Uint8Array) return input;
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  return new Uint8Array(input);
}

let isDebugging = false;

/** Prints all candidates of each call. */
function enableDebug() {
  isDebugging = true;
}

/** All results for the options of jschardet. The whole input is looked at. */
function analyseAll(buffer, { detectEncodings, excludeEncodings }) {
  const all = analyse(toBytes(buffer), { includeEncodings: detectEncodings, excludeEncodings, maxBytes: Number.MAX_SAFE_INTEGER });
  if (isDebugging) console.log('[jschardet] candidates:', all);
  return all;
}

/** The best result. */
function detect(buffer, options = {}) {
  return analyseAll(buffer, options)[0];
}

/** The results whose confidence is at least `minimumThreshold`, or all results if there is none. */
function detectAll(buffer, options = {}) {
  const all = analyseAll(buffer, options);
  const { minimumThreshold } = options;
  const likely = all.filter(({ confidence }) => (minimumThreshold === undefined ? confidence > MINIMUM_THRESHOLD : confidence >= minimumThreshold));
  return likely.length > 0 ? likely : all;
}

/** The interface of version 3: results have an encoding and a confidence. */
const v3 = {
  detect(buffer, options) {
    const detector = new v3.UniversalDetector(options);
    detector.feed(buffer);
    detector.close();
    return detector.result;
  },
  detectAll(buffer, options) {
    const detector = new v3.UniversalDetector(options);
    detector.feed(buffer);
    detector.close();
    return detector.results;
  },
  UniversalDetector: class UniversalDetector {
    #filter;
    #threshold;
    // As in the detector of chardet.
    #any;
    #detector;

    constructor(options = {}) {
      const { detectEncodings, minimumThreshold } = options ?? {};
      this.#filter = toFilter(detectEncodings);
      this.#threshold = minimumThreshold ?? MINIMUM_THRESHOLD;
      this.reset();
    }

    feed(buffer) {
      if (this.done) return;
      const bytes = toBytes(buffer);
      this.#any?.feed(bytes);
      this.#detector.feed(bytes);
    }

    close() {
      if (this.done) return;
      this.done = true;
      const filter = this.#filter;
      const any = this.#any?.finish();
      const own = this.#detector.finish();
      const isOfList = any !== undefined && isStructural(any, (name) => filter.names.has(name));
      const { kind, candidates } = isOfList ? any : own;
      const found = kind === 'ascii' ? [{ encoding: 'ascii', probability: 1 }] : filter?.labels.length === 0 && !isOfList ? [] : candidates;
      const results = new Map();
      for (const { encoding, probability } of found) {
        const name = NAMES_OF_3[encoding] ?? encoding;
        if (!results.has(name)) results.set(name, { encoding: name, confidence: probability });
      }
      this.results = [...results.values()];
      if (isDebugging) console.log('[jschardet] candidates:', this.results);
      const [best] = this.results;
      if (best !== undefined && best.confidence >= this.#threshold) this.result = best;
    }

    reset() {
      const labels = this.#filter?.labels;
      this.#any = labels === undefined ? undefined : new Detector();
      this.#detector = new Detector({ among: labels?.length === 0 ? undefined : labels });
      this.result = { encoding: null, confidence: 0 };
      this.results = [];
      this.done = false;
    }
  },
  enableDebug,
};

// Programs that a compiler made of ES modules find the default export by this property.
Object.defineProperty(exports, '__esModule', { value: true });
exports.detect = detect;
exports.detectAll = detectAll;
exports.enableDebug = enableDebug;
exports.VERSION = VERSION;
exports.chardet = chardet;
exports.v3 = v3;
exports.default = { detect, detectAll, enableDebug, VERSION };
