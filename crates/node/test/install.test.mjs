// The package where it is installed, packed or bundled: with its native half, without it, or with one for another
// system.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { PLATFORMS, checkLibrary } from '../scripts/artifacts.mjs';
import { laterThan, readHead, readNeeds } from '../scripts/binaries.mjs';

const folder = fileURLToPath(new URL('..', import.meta.url));
const temporary = mkdtempSync(join(tmpdir(), 'textcodec-'));
after(() => rmSync(temporary, { recursive: true, force: true }));
const [major, minor] = process.versions.node.split('.').map(Number);

/** Puts the package into a new project, with the native half in `native`, or without one. */
function install(project, native) {
  const path = join(temporary, project);
  const target = join(path, 'node_modules', '@textcodec', 'node');
  mkdirSync(target, { recursive: true });
  for (const name of ['package.json', 'index.js', 'index.mjs', 'lib']) cpSync(join(folder, name), join(target, name), { recursive: true });
  if (native !== undefined) writeFileSync(join(target, 'textcodec.node'), native);
  return path;
}

const binary = () => readFileSync(join(folder, 'textcodec.node'));

function run(cwd, args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  return { status, stdout: stdout.trim(), stderr };
}

const REPORT = `
  try {
    console.log(new (require('@textcodec/node').TextDecoder)('sjis').decode(Uint8Array.of(0x83, 0x65)));
  } catch (error) {
    console.log(error.code, error.message);
  }`;

test('without its native half the package says what to install', () => {
  const { stdout } = run(install('without'), ['-e', REPORT]);
  assert.match(stdout, /^MODULE_NOT_FOUND textcodec cannot load its native half for \w+-\w+\. (It is in @textcodec\/node-|No package has it)/);
  assert.match(stdout, /With Rust it can be built/);
});

test('a native half that cannot be loaded is an error that says why', () => {
  const { stdout } = run(install('wrong', 'not a library'), ['-e', REPORT]);
  assert.match(stdout, /^ERR_DLOPEN_FAILED textcodec cannot load its native half for \w+-\w+\. .*textcodec\.node/);
});

test('a native half that is there and wrong says more than those that are missing', () => {
  const { PACKAGES } = createRequire(import.meta.url)('../lib/modules.cjs');
  for (const [place, name] of (PACKAGES[`${process.platform}-${process.arch}`] ?? []).entries()) {
    const project = install(`missing-${place}`);
    const target = join(project, 'node_modules', ...name.split('/'));
    mkdirSync(target, { recursive: true });
    writeFileSync(join(target, 'package.json'), JSON.stringify({ name, main: 'textcodec.node' }));
    writeFileSync(join(target, 'textcodec.node'), 'not a library');
    assert.match(run(project, ['-e', REPORT]).stdout, /^ERR_DLOPEN_FAILED textcodec cannot load its native half for \S+\. .*textcodec\.node/, name);
  }
});

test('a native half of another version is an error that names both versions', () => {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { VERSION } = createRequire(import.meta.url)('../lib/modules.cjs');
  assert.equal(VERSION, version, 'the version in lib/modules.cjs');
  const library = binary();
  assert.equal(createRequire(import.meta.url)('../textcodec.node').version, version, 'the version of the crate');
  // The scripts get another version, because the native half is a library.
  const project = install('version', library);
  const scripts = join(project, 'node_modules', '@textcodec', 'node', 'lib', 'modules.cjs');
  const source = readFileSync(scripts, 'utf8');
  writeFileSync(scripts, source.replace(`VERSION = '${VERSION}'`, "VERSION = '99.0.0'"));
  assert.match(
    run(project, ['-e', REPORT]).stdout,
    /^ERR_TEXTCODEC_VERSION textcodec cannot .* have version 99\.0\.0, and the native half .*textcodec\.node has version \d+\.\d+\.\d+\. Install both halves/,
  );
  // A native half of another version does not hide one that fits.
  writeFileSync(scripts, source);
  writeFileSync(join(project, 'node_modules', '@textcodec', 'node', 'old.cjs'), "exports.open = () => { throw new Error('opened'); };");
  writeFileSync(scripts, source.replace("'../textcodec.node'", "'../old.cjs', '../textcodec.node'"));
  assert.equal(run(project, ['-e', REPORT]).stdout, 'テ');
  // A native half of a version before the check exports no version.
  writeFileSync(scripts, source.replace("'../textcodec.node'", "'../old.cjs'"));
  rmSync(join(project, 'node_modules', '@textcodec', 'node', 'textcodec.node'));
  assert.match(run(project, ['-e', REPORT]).stdout, /old\.cjs has no version\. Install both halves/);
});

test('the native half is found in a package for the platform', { skip: process.platform !== 'linux' && 'only Linux has packages' }, () => {
  const project = install('platform');
  const target = join(project, 'node_modules', '@textcodec', `node-${process.platform}-${process.arch}-gnu`);
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, 'package.json'), '{ "main": "./textcodec.node" }');
  writeFileSync(join(target, 'textcodec.node'), binary());
  assert.equal(run(project, ['-e', REPORT]).stdout, 'テ');
});

const permission = major >= 24 || (major === 23 && minor >= 5) ? '--permission' : '--experimental-permission';
test('under the permission model the error names the option', () => {
  const project = install('permission', binary());
  const options = [permission, '--allow-fs-read=*', '--no-warnings'];
  assert.match(run(project, [...options, '-e', REPORT]).stdout, /^ERR_DLOPEN_DISABLED .*run node with --allow-addons\.$/);
  if (major >= 22) assert.equal(run(project, [...options, '--allow-addons', '-e', REPORT]).stdout, 'テ');
});

test('npm pack fails where there is no native half and none can be built', () => {
  const { prepack } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).scripts;
  assert.equal(prepack, 'node scripts/build.mjs --if-needed');
  const path = join(temporary, 'pack');
  mkdirSync(join(path, 'scripts'), { recursive: true });
  cpSync(join(folder, 'scripts', 'build.mjs'), join(path, 'scripts', 'build.mjs'));
  const build = () => spawnSync(process.execPath, ['scripts/build.mjs', '--if-needed'], { cwd: path, encoding: 'utf8', env: { PATH: '' } });
  const { status, stderr } = build();
  assert.equal(status, 1);
  assert.match(stderr, /cargo/);
  writeFileSync(join(path, 'textcodec.node'), 'anything');
  assert.equal(build().status, 0, 'without cargo, a native half that is there is taken');
});

// Bundles: the scripts are in them, and the native half stays in the installed package.
const ENTRIES = {
  'entry.mjs': "import { TextDecoder } from '@textcodec/node';\nconsole.log(new TextDecoder('sjis').decode(Uint8Array.of(0x83, 0x65)));\n",
  'entry.cjs': "const { TextDecoder } = require('@textcodec/node');\nconsole.log(new TextDecoder('sjis').decode(Uint8Array.of(0x83, 0x65)));\n",
};

function bundles(name, bundle, skip = false) {
  for (const entry of Object.keys(ENTRIES)) {
    for (const format of ['cjs', 'esm']) {
      // These versions have no `process.getBuiltinModule`. ES modules have no `require` either, and Rollup replaces it.
      const tooOld = (format === 'esm' || name === 'Rollup') && (major === 20 ? minor < 16 : major === 22 && minor < 3) && 'no process.getBuiltinModule';
      test(`${name} bundles ${entry} into ${format}`, { skip: skip || tooOld }, async () => {
        const project = install(`${name}-${entry}-${format}`, binary());
        for (const [file, source] of Object.entries(ENTRIES)) writeFileSync(join(project, file), source);
        const output = join(project, 'out', `bundle.${format === 'cjs' ? 'cjs' : 'mjs'}`);
        await bundle(join(project, entry), output, format);
        assert.doesNotMatch(readFileSync(output, 'utf8'), /from ?['"]@textcodec\/node['"]|require\(['"]@textcodec\/node['"]\)/, 'the scripts are in the bundle');
        const { stdout, stderr } = run(project, [output]);
        assert.equal(stdout, 'テ', stderr);
      });
    }
  }
}

bundles('esbuild', async (entry, output, format) => {
  const { build } = await import('esbuild');
  await build({ entryPoints: [entry], outfile: output, format, bundle: true, platform: 'node', logLevel: 'error' });
});

bundles('Rollup', async (entry, output, format) => {
  const { rollup } = await import('rollup');
  const { default: commonjs } = await import('@rollup/plugin-commonjs');
  const { nodeResolve } = await import('@rollup/plugin-node-resolve');
  const bundle = await rollup({ input: entry, plugins: [nodeResolve(), commonjs({ transformMixedEsModules: true })], onwarn: () => {} });
  await bundle.write({ file: output, format });
  await bundle.close();
});

bundles('Vite', async (entry, output, format) => {
  const { build } = await import('vite');
  const [outDir, entryFileNames] = [join(output, '..'), output.slice(output.lastIndexOf('bundle.'))];
  await build({
    root: join(entry, '..'),
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: { ssr: entry, outDir, rollupOptions: { output: { format, entryFileNames } } },
  });
}, major === 20 && minor < 19 && 'Vite needs Node.js 20.19');

test('the ELF reader finds the needs of a library', { skip: process.platform !== 'linux' && 'no ELF' }, () => {
  const { cpu, libraries, versions } = readNeeds(binary());
  assert.equal(cpu, process.arch);
  assert.ok(libraries.some((library) => library.startsWith('libc.')), libraries.join());
  assert.ok(versions.every((version) => /^[A-Z]+_[\d.]+$/.test(version)), versions.join());
  assert.deepEqual(laterThan('2.28', ['GLIBC_2.2.5', 'GLIBC_2.28', 'GLIBC_2.29', 'GLIBC_3.0', 'GCC_3.0', 'GLIBC_2.3.4']), ['GLIBC_2.29', 'GLIBC_3.0']);
  assert.throws(() => readNeeds(Buffer.alloc(100)), /ELF/);
});

test('the reader of macOS and Windows finds the system, the processor and the oldest macOS', () => {
  // The smallest heads that say so: PE for ARM64, and Mach-O for x86-64 with LC_BUILD_VERSION after another command.
  const pe = Buffer.alloc(0x60);
  pe.write('MZ');
  pe.writeUInt32LE(0x40, 0x3c);
  pe.write('PE', 0x40);
  pe.writeUInt16LE(0xaa64, 0x44);
  assert.deepEqual(readHead(pe), { os: 'win32', cpu: 'arm64' });
  const words = [0xfeedfacf, 0x1000007, 0, 6, 2, 0, 0, 0, 0x19, 16, 0, 0, 0x32, 24, 1, (10 << 16) | (12 << 8), 0, 0];
  const machO = Buffer.from(Uint32Array.from(words).buffer);
  assert.deepEqual(readHead(machO), { os: 'darwin', cpu: 'x64', minimum: '10.12' });
  checkLibrary(machO, PLATFORMS['darwin-x64']);
  checkLibrary(pe, PLATFORMS['win32-arm64-msvc']);
  assert.throws(() => checkLibrary(machO, PLATFORMS['darwin-arm64']), /is for darwin on x64/);
  assert.throws(() => checkLibrary(pe, PLATFORMS['darwin-arm64']), /is for win32 on arm64/);
  machO.writeUInt32LE((10 << 16) | (13 << 8), 60);
  assert.throws(() => checkLibrary(machO, PLATFORMS['darwin-x64']), /needs macOS 10\.13/);
  assert.throws(() => readHead(Buffer.alloc(100)), /neither PE nor Mach-O/);
});

test('every platform in package.json has a system, a processor and a target of Rust that agree with its name', () => {
  const systems = { linux: 'unknown-linux-', darwin: 'apple-darwin', win32: 'pc-windows-msvc' };
  for (const [name, { target, os, cpu, libc }] of Object.entries(PLATFORMS)) {
    assert.ok(name.startsWith(`${os}-${cpu}`), name);
    assert.equal(os === 'linux', libc !== undefined, name);
    const c = { glibc: 'gnu', musl: 'musl' }[libc] ?? '';
    assert.equal(target, `${{ x64: 'x86_64', arm64: 'aarch64' }[cpu]}-${systems[os]}${c}`, name);
    assert.ok(name.endsWith(c), name);
  }
});

const built = Object.keys(PLATFORMS).filter((name) => existsSync(join(folder, 'artifacts', name, 'textcodec.node')));
test('the built libraries can be loaded by the oldest systems that their packages name', { skip: built.length === 0 && 'npm run artifacts builds them' }, () => {
  for (const name of built) {
    const path = join(folder, 'artifacts', name);
    checkLibrary(readFileSync(join(path, 'textcodec.node')), PLATFORMS[name]);
    const { os, cpu, libc } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    const platform = PLATFORMS[name];
    assert.deepEqual([os, cpu, libc], [[platform.os], [platform.cpu], platform.libc && [platform.libc]]);
    assert.deepEqual(readdirSync(path).toSorted(), ['LICENSE-APACHE', 'LICENSE-MIT', 'LICENSE-WHATWG', 'README.md', 'package.json', 'textcodec.node']);
  }
});

test('the loader and the artifacts have the same platforms', () => {
  const { PACKAGES } = createRequire(import.meta.url)('../lib/modules.cjs');
  const names = Object.values(PACKAGES).flat().map((name) => name.replace('@textcodec/node-', ''));
  assert.deepEqual(names.toSorted(), Object.keys(PLATFORMS).toSorted());
});
