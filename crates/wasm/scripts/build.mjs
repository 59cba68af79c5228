// Builds the package into `dist`: `npm run build`, or `npm run build -- --features encode,cjk-japanese` for some
// families of encodings.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = dirname(dirname(fileURLToPath(import.meta.url)));
const lib = join(folder, 'lib');
const dist = join(folder, 'dist');

rmSync(dist, { recursive: true, force: true });
const cargo = spawnSync('cargo', ['xtask', 'wasm', '--out', 'crates/wasm/dist', ...process.argv.slice(2)], { cwd: folder, stdio: 'inherit' });
if (cargo.error?.code === 'ENOENT') {
  console.error('Building the libraries needs cargo: https://rustup.rs');
  process.exit(1);
}
if (cargo.error) throw cargo.error;
if (cargo.status !== 0) process.exit(cargo.status ?? 1);

// The names of classes are visible in a program.
const common = { bundle: true, keepNames: true, write: false, platform: 'neutral', target: 'es2022', minifyWhitespace: true, minifySyntax: true, charset: 'utf8', legalComments: 'none' };

// The scripts of the Node package are modules of CommonJS. Three of them are those of Node.js; this package has others
// in their place.
const inPlace = ['host.cjs', 'native.cjs', 'built-in.cjs'];
const scripts = await build({
  ...common,
  entryPoints: [join(lib, 'index.cjs')],
  format: 'cjs',
  plugins: [{
    name: 'in-place',
    setup({ onResolve }) {
      onResolve({ filter: /\/(host|native|built-in)\.cjs$/ }, ({ path }) => ({ path: join(lib, inPlace.find((name) => path.endsWith(name))) }));
      // Nothing of Node.js may be in the bundle.
      onResolve({ filter: /\/modules\.cjs$/ }, ({ importer }) => ({ errors: [{ text: `${importer} needs a module of Node.js` }] }));
    },
  }],
});
const create = `export function create(engine) {\nconst module = { exports: {} }, exports = module.exports;\n${scripts.outputFiles[0].text}return module.exports;\n}\n`;

for (const name of ['load.mjs', 'textcodec.mjs']) {
  const { outputFiles: [file] } = await build({
    ...common,
    entryPoints: [join(lib, name)],
    format: 'esm',
    external: ['node:*'],
    plugins: [{
      name: 'create',
      setup({ onLoad, onResolve }) {
        onResolve({ filter: /^textcodec:create$/ }, () => ({ path: 'create', namespace: 'textcodec' }));
        onLoad({ filter: /./, namespace: 'textcodec' }, () => ({ contents: create, loader: 'js' }));
      },
    }],
  });
  writeFileSync(join(dist, name), `// The Encoding Standard: https://encoding.spec.whatwg.org/. Made by crates/wasm/scripts/build.mjs of textcodec.\n${file.text}`);
  console.log(`${(file.contents.length / 1000).toFixed(1).padStart(7)} KB  ${name}`);
}

// The declarations are those of the Node package, and those of the functions that only this package has.
const declarations = readFileSync(join(folder, '../node/index.d.ts'), 'utf8');
writeFileSync(join(dist, 'textcodec.d.ts'), `${declarations}\n${readFileSync(join(lib, 'sniff.d.ts'), 'utf8')}`);
writeFileSync(join(dist, 'load.d.ts'), readFileSync(join(lib, 'load.d.ts')));
