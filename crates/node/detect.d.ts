// The detector alone.
export * from './lib/detection.js';
