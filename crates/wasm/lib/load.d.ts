type Exports = typeof import('./textcodec.js');

/**
 * All exports of the package. `source` is the library as a module, or the URL of its file; without it, the file next to
 * this script is loaded.
 */
export function load(source?: WebAssembly.Module | string | URL): Promise<Exports>;

/** Whether this engine has the vectors of WebAssembly, so that textcodec.simd.wasm can be used. */
export function hasVectors(): boolean;
