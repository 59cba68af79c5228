'use strict';
// The interface of the npm package `chardet` for bytes in memory, over this package's detector.

const { detect: detectText } = require('./detection.cjs');
const { toLanguage } = require('./peers.cjs');

// The names of chardet for encodings that have another name in the Standard.
const NAMES = {
  __proto__: null,
  'GBK': 'GB18030',
  'gb18030': 'GB18030',
  'ISO-8859-8-I': 'ISO-8859-8',
};
// The ISO encodings that chardet names for text without the bytes 80 to 9F, where textcodec finds a code page of
// Windows.
const WITHOUT_C1 = {
  __proto__: null,
  'windows-1250': 'ISO-8859-2',
  'windows-1252': 'ISO-8859-1',
  'windows-1253': 'ISO-8859-7',
  'windows-1254': 'ISO-8859-9',
  'windows-1255': 'ISO-8859-8',
};
// The labels of these two ISO encodings mean the code page of Windows in the Standard.
const ALWAYS_SAME = ['ISO-8859-1', 'ISO-8859-9'];

function toBytes(buffer) {
  if (buffer === null || typeof buffer !== 'object' || !(Number.isFinite(buffer.length) && buffer.length >= 0)) {
    throw new Error('Input must be a byte array, e.g. Buffer or Uint8Array');
  }
  return buffer instanceof Uint8Array ? buffer : Uint8Array.from(buffer);
}

const isC1 = (byte) => byte >= 0x80 && byte <= 0x9f;

/** All encodings that the bytes can be in, the most probable first. */
function analyse(buffer) {
  const bytes = toBytes(buffer);
  const { kind, candidates } = detectText(bytes);
  if (kind === 'empty' || kind === 'ascii') return [{ confidence: 100, name: 'ASCII', lang: undefined }];
  let hasC1;
  const toName = ({ encoding, group }) => {
    const iso = WITHOUT_C1[encoding];
    if (iso === undefined) return NAMES[encoding] ?? encoding;
    hasC1 ??= bytes.some(isC1);
    if (hasC1) return encoding;
    const isSame = ALWAYS_SAME.includes(iso) || candidates.some((other) => other.group === group && other.encoding === iso);
    return isSame ? iso : encoding;
  };
  const matches = new Map();
  for (const candidate of candidates) {
    const name = toName(candidate);
    if (!matches.has(name)) matches.set(name, { confidence: Math.round(100 * candidate.probability), name, lang: toLanguage(candidate) });
  }
  return [...matches.values()];
}

/** The name of the most probable encoding, or null. */
function detect(buffer) {
  return analyse(buffer)[0]?.name ?? null;
}

exports.analyse = analyse;
exports.detect = detect;
