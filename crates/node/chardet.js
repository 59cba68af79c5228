'use strict';
// The interface of the npm package `chardet`, over this package's detector.

const { builtin } = require('./lib/modules.cjs');
const { analyse, detect } = require('./lib/chardet.cjs');

const fs = builtin('node:fs');

/** The encoding of a file: of `sampleSize` bytes from `offset` on, or of the whole file. */
async function detectFile(filepath, options = {}) {
  const { sampleSize = 0, offset = 0 } = options ?? {};
  if (!sampleSize) return detect(await fs.promises.readFile(filepath));
  const file = await fs.promises.open(filepath, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(sampleSize), 0, sampleSize, offset);
    return detect(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

/** As `detectFile`, at once. */
function detectFileSync(filepath, options = {}) {
  const { sampleSize = 0, offset = 0 } = options ?? {};
  if (!sampleSize) return detect(fs.readFileSync(filepath));
  const file = fs.openSync(filepath, 'r');
  try {
    const buffer = Buffer.allocUnsafe(sampleSize);
    return detect(buffer.subarray(0, fs.readSync(file, buffer, 0, sampleSize, offset)));
  } finally {
    fs.closeSync(file);
  }
}

// Programs that a compiler made of ES modules find the default export by this property.
Object.defineProperty(exports, '__esModule', { value: true });
exports.analyse = analyse;
exports.detect = detect;
exports.detectFile = detectFile;
exports.detectFileSync = detectFileSync;
exports.default = { analyse, detect, detectFile, detectFileSync };
