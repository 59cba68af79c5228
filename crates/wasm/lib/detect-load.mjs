// The detector, for programs that load its library themselves.
import { compileFile } from './engine.mjs';
import { openDetection } from './parts.mjs';
import { inPackage } from './place.mjs';
import { create } from 'textcodec:create/detection';

// Bundlers look for expressions of this form, and copy the file.
const file = () => new URL('./textcodec.detect.wasm', import.meta.url);

/**
 * The exports of `@textcodec/wasm/detect`. `source` is a WebAssembly.Module, or the URL of the file; without it, the
 * file next to this script is loaded.
 */
export async function load(source = inPackage(file())) {
  return create(openDetection(source instanceof WebAssembly.Module ? source : await compileFile(source)));
}
