// Runs a library of tests for wasm32, as Cargo's runner: CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER="node
// …/run-tests.mjs". The target has no output and takes no arguments: a test that fails is known by the trap of its
// panic, whose stack names it.
import { readFileSync } from 'node:fs';

const [, , path] = process.argv;
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path)));
const start = performance.now();
let status;
try {
  status = exports.main(0, 0);
} catch (error) {
  console.error(`${path}: a test failed\n${error.stack}`);
  process.exit(1);
}
console.log(`${path}: passed in ${((performance.now() - start) / 1000).toFixed(1)} s`);
process.exit(status);
