// Globals of Node.js that the tests and the package `assert` use.
export { Buffer } from 'buffer/';
export const process = { env: {}, argv: [], versions: {}, execPath: 'node' };
export const global = globalThis;
