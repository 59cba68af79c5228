// The interface of the npm package `chardet`.
import { analyse, detect, type DetectResult } from './lib/chardet.js';

export { analyse, detect } from './lib/chardet.js';
export type { AnalyseResult, DetectResult, EncodingName, Match } from './lib/chardet.js';

export type Options = { sampleSize?: number; offset?: number };

/** The encoding of a file: of `sampleSize` bytes from `offset` on, or of the whole file. */
export declare const detectFile: (filepath: string, options?: Options) => Promise<DetectResult>;

/** As `detectFile`, at once. */
export declare const detectFileSync: (filepath: string, options?: Options) => DetectResult;

declare const chardet: {
  analyse: typeof analyse;
  detect: typeof detect;
  detectFile: typeof detectFile;
  detectFileSync: typeof detectFileSync;
};
export default chardet;
