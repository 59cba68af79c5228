// The package for programs that load the library themselves, for example service workers, which may not wait while they
// start.
import { compile, compileFile, hasVectors, open } from './engine.mjs';
import { inPackage } from './place.mjs';
import { create } from 'textcodec:create/index';

// Bundlers look for expressions of this form, and copy the files.
const plain = () => new URL('./textcodec.wasm', import.meta.url);
const withVectors = () => new URL('./textcodec.simd.wasm', import.meta.url);

/**
 * All exports of the package. `source` is a WebAssembly.Module, or the URL of the file; without it, the file next to
 * this script is loaded.
 */
export async function load(source = inPackage(hasVectors() ? withVectors() : plain())) {
  return create(open(source instanceof WebAssembly.Module ? source : await compileFile(source)));
}

export { compile, create, hasVectors, open };
