// The declarations in index.d.ts and index.d.mts fit with those of browsers (lib.dom), of Node.js (@types/node), and of
// both. The sources are in `types`, because later versions of Node.js would run them as tests in this folder.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../types/', import.meta.url));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');

/** The output of the compiler with a configuration. The compiler also checks the declarations of this package. */
function check(configuration) {
  const { stdout } = spawnSync(process.execPath, [tsc, '--pretty', 'false', '--project', configuration], { cwd: folder, encoding: 'utf8' });
  return stdout;
}

test('the types fit with lib.dom alone', () => assert.equal(check('dom.json'), ''));

test('the types fit with @types/node alone', () => assert.equal(check('node.json'), ''));

test('the types fit with both', () => assert.equal(check('both.json'), ''));

test('without either of them, only the streams are missing', () => {
  const errors = check('neither.json').trim().split('\n');
  assert.equal(errors.length, 4, errors.join('\n'));
  for (const error of errors) assert.match(error, /index\.d\.ts.*Cannot find name '(Readable|Writable)Stream'/);
});
