// Builds the native half with cargo, and puts it into this package's folder as `textcodec.node`. With `--if-needed`, a
// native half that is there is enough where cargo is missing.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(dirname(fileURLToPath(import.meta.url)));
const binary = join(folder, 'textcodec.node');

const cargo = spawnSync(
  'cargo',
  ['build', '--release', '--locked', '--package', 'textcodec-node', '--message-format', 'json-render-diagnostics'],
  { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: Infinity },
);
if (cargo.error?.code === 'ENOENT') {
  if (process.argv.includes('--if-needed') && existsSync(binary)) process.exit(0);
  console.error('Building the native half needs cargo: https://rustup.rs');
  process.exit(1);
}
if (cargo.error) throw cargo.error;
if (cargo.status !== 0) process.exit(cargo.status ?? 1);

// The messages of cargo say where the library is, because the target folder can be anywhere.
const built = cargo.stdout
  .split('\n')
  .filter((line) => line.startsWith('{'))
  .map((line) => JSON.parse(line))
  .filter(({ reason, target }) => reason === 'compiler-artifact' && target.name === 'textcodec_node')
  .flatMap(({ filenames }) => filenames)
  .find((name) => /\.(so|dylib|dll)$/.test(name));
if (built === undefined) throw new Error('cargo built no library');

// The file gets its name at the end, because a running process may have the old file open.
copyFileSync(built, `${binary}.new`);
renameSync(`${binary}.new`, binary);
