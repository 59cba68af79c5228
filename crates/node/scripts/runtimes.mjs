// Runs the tests on several versions of Node.js, and the tests of behaviour on Bun and Deno: `npm run test:runtimes`,
// or `npm run test:runtimes -- node@24 bun` for some of them. With `-- --bench` runs bench/utf8.mjs on the versions of
// Node.js instead. npm installs the runtimes into a folder of node_modules, which `npm ci` removes.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(dirname(fileURLToPath(import.meta.url)));
const RUNTIMES = ['node@20.0.0', 'node@20', 'node@22', 'node@24', 'node@26', 'bun', 'deno'];
// The tests of behaviour. The other tests depend on options, memory or packages of Node.js.
const BEHAVIOUR = ['charsets', 'detection', 'hooks', 'idl', 'labels', 'paths', 'shared', 'splits', 'streams', 'text-decoder'].map((name) => `./test/${name}.test.mjs`);

const [platform, arch] = [process.platform === 'win32' ? 'win' : process.platform, process.arch];
const extension = process.platform === 'win32' ? '.exe' : '';

/** Installs a runtime and returns its program. */
function install(runtime) {
  const [name, version = 'latest'] = runtime.split('@');
  const cache = join(folder, 'node_modules', '.cache', 'runtimes', runtime);
  const packageName = name === 'node' ? `node-${platform}-${arch}` : name;
  const program = name === 'node'
    ? join(cache, 'node_modules', packageName, 'bin', `node${extension}`)
    : join(cache, 'node_modules', '.bin', `${name}${process.platform === 'win32' ? '.cmd' : ''}`);
  if (!existsSync(program)) {
    mkdirSync(cache, { recursive: true });
    writeFileSync(join(cache, 'package.json'), '{ "private": true }\n');
    const options = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
    run('npm', ['install', ...options, `${packageName}@${version}`], { cwd: cache, shell: process.platform === 'win32' });
  }
  return program;
}

function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: folder, stdio: 'inherit', ...options });
  if (error) throw error;
  return status === 0;
}

function argumentsOf(name) {
  switch (name) {
    case 'bun':
      return ['test', ...BEHAVIOUR];
    case 'deno':
      return ['test', '--allow-all', '--no-check', ...BEHAVIOUR];
    default:
      return process.argv.includes('--bench') ? ['bench/utf8.mjs'] : ['--test'];
  }
}

const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const isBench = process.argv.includes('--bench');
const wanted = (named.length > 0 ? named : RUNTIMES).filter((runtime) => !isBench || runtime.startsWith('node'));
const failed = wanted.filter((runtime) => {
  console.log(`\n== ${runtime}`);
  return !run(install(runtime), argumentsOf(runtime.split('@')[0]));
});
console.log(failed.length === 0 ? '\nAll runtimes passed.' : `\nFailed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
