// The package for programs that load the library themselves, for example service workers, which may not wait while they
// start.
import { compile, compileFile, hasVectors, open } from './engine.mjs';
import { create } from 'textcodec:create';

// Bundlers look for expressions of this form, and copy the files.
const plain = () => new URL('./textcodec.wasm', import.meta.url);
const withVectors = () => new URL('./textcodec.simd.wasm', import.meta.url);

// The development server of Vite before version 8 puts the script into a folder for bundled packages, and copies
// nothing else there. The package is in the folder that has this one, unless a monorepo has installed it further up.
const OF_VITE = /^(.*\/node_modules\/)\.vite\/(?:[^?#]*\/)?deps[^/]*\/([^/]+)$/;

function inPackage(url) {
  const [, modules, name] = OF_VITE.exec(url.href) ?? [];
  return modules === undefined ? url : new URL(`${modules}@textcodec/wasm/dist/${name}`);
}

/**
 * All exports of the package. `source` is a WebAssembly.Module, or the URL of the file; without it, the file next to
 * this script is loaded.
 */
export async function load(source = inPackage(hasVectors() ? withVectors() : plain())) {
  return create(open(source instanceof WebAssembly.Module ? source : await compileFile(source)));
}

export { compile, create, hasVectors, open };
