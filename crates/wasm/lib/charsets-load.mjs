// The charsets, for programs that load their library themselves.
import { compileFile } from './engine.mjs';
import { openCharsets } from './parts.mjs';
import { inPackage } from './place.mjs';
import { create } from 'textcodec:create/charsets';

// Bundlers look for expressions of this form, and copy the file.
const file = () => new URL('./textcodec.charsets.wasm', import.meta.url);

/**
 * The exports of `@textcodec/wasm/charsets`. `source` is a WebAssembly.Module, or the URL of the file; without it, the
 * file next to this script is loaded.
 */
export async function load(source = inPackage(file())) {
  return create(openCharsets(source instanceof WebAssembly.Module ? source : await compileFile(source)));
}
