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
const nodeLib = join(folder, '../node/lib');

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

// The scripts of the Node package are modules of CommonJS. Some of them are those of Node.js; this package has others
// in their place. Where a script has a library below it, that is the parameter of the function `create`.
const IN_PLACE = {
  'host.cjs': 'host.cjs', 'built-in.cjs': 'built-in.cjs', 'native.cjs': 'native.cjs', 'native-detection.cjs': 'native.cjs', 'native-charsets.cjs': 'native.cjs',
};
const ENTRIES = {
  index: [join(lib, 'index.cjs'), IN_PLACE],
  detection: [join(nodeLib, 'detection.cjs'), IN_PLACE],
  charsets: [join(nodeLib, 'charsets.cjs'), IN_PLACE],
  // Both are above the detector.
  chardet: [join(nodeLib, 'chardet.cjs'), { 'detection.cjs': 'native.cjs' }],
  jschardet: [join(nodeLib, 'jschardet.cjs'), { 'detection.cjs': 'native.cjs' }],
};

/** The source of a module whose function `create` makes the exports of an entry from what is below it. */
async function makeCreate(name) {
  const [entry, inPlace] = ENTRIES[name];
  const { outputFiles: [file] } = await build({
    ...common,
    entryPoints: [entry],
    format: 'cjs',
    plugins: [{
      name: 'in-place',
      setup({ onResolve }) {
        onResolve({ filter: /^\..*\.cjs$/ }, ({ path }) => {
          const other = inPlace[path.slice(path.lastIndexOf('/') + 1)];
          return other === undefined ? undefined : { path: join(lib, other) };
        });
        // Nothing of Node.js may be in the bundle.
        onResolve({ filter: /\/modules\.cjs$/ }, ({ importer }) => ({ errors: [{ text: `${importer} needs a module of Node.js` }] }));
      },
    }],
  });
  return `export function create(engine) {\nconst module = { exports: {} }, exports = module.exports;\n${file.text}return module.exports;\n}\n`;
}

for (const name of ['load', 'textcodec', 'detect-load', 'detect', 'charsets-load', 'charsets', 'chardet', 'jschardet']) {
  const { outputFiles: [file] } = await build({
    ...common,
    entryPoints: [join(lib, `${name}.mjs`)],
    format: 'esm',
    // The entries share the detector.
    external: ['node:*', './detect.mjs', './detect-load.mjs', './charsets-load.mjs'],
    plugins: [{
      name: 'create',
      setup({ onLoad, onResolve }) {
        onResolve({ filter: /^textcodec:create\// }, ({ path }) => ({ path: path.slice('textcodec:create/'.length), namespace: 'textcodec' }));
        onLoad({ filter: /./, namespace: 'textcodec' }, async ({ path }) => ({ contents: await makeCreate(path), loader: 'js' }));
      },
    }],
  });
  writeFileSync(join(dist, `${name}.mjs`), `// The Encoding Standard: https://encoding.spec.whatwg.org/. Made by crates/wasm/scripts/build.mjs of textcodec.\n${file.text}`);
  console.log(`${(file.contents.length / 1000).toFixed(1).padStart(7)} KB  ${name}.mjs`);
}

// The declarations are those of the Node package, whose references to each other get the names of this package, and
// those of the functions that only this package has.
const declarations = (path, ...replacements) => replacements.reduce((text, [from, to]) => {
  if (!text.includes(from)) throw new Error(`${path} does not contain ${from}`);
  return text.replace(from, to);
}, readFileSync(join(folder, path), 'utf8'));
const write = (name, ...texts) => writeFileSync(join(dist, name), texts.join('\n'));
const loader = (name) => `type Exports = typeof import('./${name}.js');\n\n${declarations('lib/load-part.d.ts')}`;
write('textcodec.d.ts', declarations('../node/index.d.ts', ["\nexport * from './lib/detection.js';\n", '']), declarations('lib/sniff.d.ts'));
write('load.d.ts', declarations('lib/load.d.ts'));
write('detect.d.ts', declarations('../node/lib/detection.d.ts', ["'../index.js'", "'./textcodec.js'"]));
write('detect-load.d.ts', loader('detect'));
write('charsets.d.ts', declarations('../node/charsets.d.ts', ["'./index.js'", "'./textcodec.js'"]));
write('charsets-load.d.ts', loader('charsets'));
write('chardet.d.ts', declarations('../node/lib/chardet.d.ts'), 'declare const chardet: { analyse: typeof analyse; detect: typeof detect };\nexport default chardet;\n');
write('jschardet.d.ts', declarations('../node/jschardet.d.ts'));
