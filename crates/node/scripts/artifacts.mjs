// Makes the packages for publication: one with the native half for each platform in the list `textcodec.platforms` of
// package.json, and the package @textcodec/node with the scripts, whose optional dependencies are the others. `npm run
// artifacts` makes the packages of Linux and the one with the scripts, and `npm run artifacts -- linux-x64-gnu main`
// makes some. The folder `artifacts` receives a folder and a tarball for each package. `.ci/cross library` builds the
// libraries for Linux, on Linux; macOS and Windows build their own.
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isLater, laterThan, readHead, readNeeds } from './binaries.mjs';

const folder = dirname(dirname(fileURLToPath(import.meta.url)));
const artifacts = join(folder, 'artifacts');
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const licences = ['LICENSE-APACHE', 'LICENSE-MIT', 'LICENSE-WHATWG'];

// The oldest glibc that can load the libraries. Node.js needs this version, too; Debian 10 and RHEL 8 have it.
export const GLIBC = '2.28';

// The oldest macOS that can load the libraries: the one that Rust's standard library needs.
export const MACOS = { x64: '10.12', arm64: '11.0' };

/** The platforms, by the names of their packages in `lib/modules.cjs`. */
export const PLATFORMS = manifest.textcodec.platforms;
/** The name of the package with the scripts among the arguments. */
const MAIN = 'main';

/** Throws if a system that fits the platform cannot load the library in `file`. */
export function checkLibrary(file, { os, cpu, libc }) {
  if (os !== 'linux') {
    const found = readHead(file);
    if (found.os !== os || found.cpu !== cpu) throw new Error(`the library is for ${found.os} on ${found.cpu}`);
    if (os === 'darwin' && isLater(found.minimum, MACOS[cpu])) throw new Error(`the library needs macOS ${found.minimum}`);
    return;
  }
  const needs = readNeeds(file);
  if (needs.cpu !== cpu) throw new Error(`the library is for ${needs.cpu}`);
  const later = laterThan(GLIBC, needs.versions);
  if (later.length > 0) throw new Error(`the library needs ${later.join(', ')}`);
  const isGlibc = needs.libraries.includes('libc.so.6');
  if (isGlibc !== (libc === 'glibc')) throw new Error(`the library is linked with ${needs.libraries.join(', ')}`);
}

/** Builds the library of a platform and returns its path. */
function build({ target, os }) {
  const options = ['--release', '--package', 'textcodec-node', '--message-format', 'json-render-diagnostics'];
  const [program, args] = os === 'linux'
    ? [join(folder, '../../.ci/cross'), ['library', target.replace('-unknown-linux', ''), ...options]]
    : ['cargo', ['build', '--locked', '--target', target, ...options]];
  const { status, stdout, error } = spawnSync(program, args, {
    cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: Infinity,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed`);
  const library = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter(({ reason, target: { name } = {} }) => reason === 'compiler-artifact' && name === 'textcodec_node')
    .flatMap(({ filenames }) => filenames)
    .find((name) => /\.(so|dylib|dll)$/.test(name));
  if (library === undefined) throw new Error('cargo built no library');
  return library;
}

/** Makes an empty folder in `artifacts` and puts the licences into it. */
function makeFolder(name) {
  const path = join(artifacts, name);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  for (const licence of licences) copyFileSync(join(folder, licence), join(path, licence));
  return path;
}

function writeManifest(path, content) {
  writeFileSync(join(path, 'package.json'), `${JSON.stringify(content, null, 2)}\n`);
}

function pack(path) {
  const { status, stdout } = spawnSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', artifacts], {
    cwd: path, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`npm pack failed in ${path}`);
  console.log(join('artifacts', stdout.trim()));
}

/** Makes the package of a platform. */
function makePlatform(name, platform) {
  const library = build(platform);
  checkLibrary(readFileSync(library), platform);
  const path = makeFolder(name);
  copyFileSync(library, join(path, 'textcodec.node'));
  const systems = { glibc: `Linux with glibc ${GLIBC} or later`, musl: 'Linux with musl', darwin: `macOS ${MACOS[platform.cpu]} or later`, win32: 'Windows' };
  const system = systems[platform.libc ?? platform.os];
  const description = `The native half of textcodec for ${platform.cpu} and ${system}`;
  writeFileSync(join(path, 'README.md'), `# ${manifest.name}-${name}\n\n${description}. Install \`${manifest.name}\`, which depends on it.\n`);
  writeManifest(path, {
    name: `${manifest.name}-${name}`,
    version: manifest.version,
    description,
    license: manifest.license,
    repository: manifest.repository,
    engines: manifest.engines,
    os: [platform.os],
    cpu: [platform.cpu],
    ...(platform.libc && { libc: [platform.libc] }),
    main: './textcodec.node',
    files: ['textcodec.node', 'LICENSE-*'],
  });
  pack(path);
}

/** Makes the package with the scripts. Its optional dependencies are the packages of all platforms. */
function makeMain() {
  const path = makeFolder('node');
  const entries = ['charsets', 'chardet', 'detect', 'jschardet'].flatMap((name) => [`${name}.js`, `${name}.d.ts`]);
  for (const file of ['index.js', 'index.mjs', 'index.d.ts', 'index.d.mts', ...entries, 'README.md', 'lib']) {
    cpSync(join(folder, file), join(path, file), { recursive: true });
  }
  const { private: _, scripts, devDependencies, files, textcodec, exports: { './textcodec.node': __, ...exports }, ...content } = manifest;
  writeManifest(path, {
    ...content,
    exports,
    files: files.filter((file) => file !== 'textcodec.node'),
    optionalDependencies: Object.fromEntries(Object.keys(PLATFORMS).map((name) => [`${manifest.name}-${name}`, manifest.version])),
  });
  pack(path);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const onLinux = Object.keys(PLATFORMS).filter((name) => PLATFORMS[name].os === 'linux');
  const names = process.argv.length > 2 ? process.argv.slice(2) : [...onLinux, MAIN];
  const unknown = names.find((name) => name !== MAIN && !Object.hasOwn(PLATFORMS, name));
  if (unknown !== undefined) {
    console.error(`There is no platform ${unknown}. There are: ${Object.keys(PLATFORMS).join(', ')}, and ${MAIN} for the package with the scripts.`);
    process.exit(1);
  }
  for (const name of names.filter((name) => name !== MAIN)) makePlatform(name, PLATFORMS[name]);
  if (names.includes(MAIN)) makeMain();
}
