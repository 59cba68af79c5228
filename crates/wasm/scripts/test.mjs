// Runs the tests: `npm test`. Those of `test` and those of the Node package run in Node.js, over the build with
// vectors; then the tests of behaviour run in Chromium, if there is one. `npm test -- node` or `npm test -- chromium`
// runs one half; a missing Chromium is an error then, but not for `chromium-if-there`.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const folder = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(folder, 'dist');
const half = process.argv[2];
// The tests of behaviour. The other tests of the Node package depend on its native half.
export const BEHAVIOUR = ['arguments', 'charsets', 'detection', 'hooks', 'idl', 'labels', 'matrix', 'paths', 'shared', 'splits', 'streams', 'text-decoder'];

function node(args, env = {}) {
  const { status, error } = spawnSync(process.execPath, args, { cwd: folder, stdio: 'inherit', env: { ...process.env, ...env } });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/**
 * A script that `require` can load: scripts in processes of their own, which some tests start, load the package like
 * this.
 */
async function writeForRequire() {
  mkdirSync(join(dist, 'test'), { recursive: true });
  const { outputFiles: [file] } = await build({
    entryPoints: [join(dist, 'load.mjs')], bundle: true, write: false, platform: 'node', format: 'cjs', logOverride: { 'empty-import-meta': 'silent' },
  });
  const library = JSON.stringify(join(dist, 'textcodec.simd.wasm'));
  const ending = `\nmodule.exports = module.exports.create(module.exports.open(new WebAssembly.Module(require('node:fs').readFileSync(${library}))));\n`;
  writeFileSync(join(dist, 'test/textcodec.cjs'), file.text + ending);
}

if (!half?.startsWith('chromium')) {
  await writeForRequire();
  node(['--test', ...readdirSync(join(folder, 'test')).filter((name) => name.endsWith('.test.mjs')).map((name) => `test/${name}`)]);
  const inPlace = `--require ${join(folder, 'test/support/in-place.cjs')}`;
  node(['--test', ...BEHAVIOUR.map((name) => `../node/test/${name}.test.mjs`)], { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${inPlace}`.trim() });
}
if (half !== 'node') {
  const { run } = await import(pathToFileURL(join(folder, 'test/support/chromium.mjs')).href);
  const outcome = await run(BEHAVIOUR);
  if (outcome === undefined && half === 'chromium') process.exit(1);
  if (outcome === false) process.exit(1);
}
