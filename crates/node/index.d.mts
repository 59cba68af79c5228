export * from './index.js';
declare const textcodec: typeof import('./index.js');
export default textcodec;
