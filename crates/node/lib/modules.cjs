'use strict';
// Loads modules of Node.js and the native half in a way that bundlers do not see. The modules of Node.js are available
// wherever a bundle runs, also in an ES module, which has no `require`. The native half stays in the package that it
// was installed in.

/**
 * A module of Node.js. Versions before 20.16 offer only `require`, which a bundle in the form of an ES module does not
 * have.
 */
function builtin(name) {
  return process.getBuiltinModule?.(name) ?? require(name);
}

const { createRequire } = builtin('node:module');
const { join } = builtin('node:path');

// The packages with the native half for each `process.platform` and `process.arch`. Linux has one for each C library. A
// test compares them with the list in package.json, which a bundle does not contain.
const PACKAGES = {
  __proto__: null,
  'linux-x64': ['@textcodec/node-linux-x64-gnu', '@textcodec/node-linux-x64-musl'],
  'linux-arm64': ['@textcodec/node-linux-arm64-gnu', '@textcodec/node-linux-arm64-musl'],
  'darwin-x64': ['@textcodec/node-darwin-x64'],
  'darwin-arm64': ['@textcodec/node-darwin-arm64'],
  'win32-x64': ['@textcodec/node-win32-x64-msvc'],
  'win32-arm64': ['@textcodec/node-win32-arm64-msvc'],
};

// The version of the scripts. A test compares it with package.json, which a bundle does not contain.
const VERSION = '0.1.0';

// Codes of errors that only say that a module is missing.
const ABSENT = new Set(['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED']);

/**
 * Loads the native half that was built in this package's folder, or that a package for this platform contains. A native
 * half of another version is not used: it can number the encodings differently, and decoders would then decode other
 * encodings than the program asked for.
 */
function loadNative() {
  const platform = `${process.platform}-${process.arch}`;
  const packages = PACKAGES[platform] ?? [];
  const attempts = [];
  if (typeof __filename === 'string') attempts.push([__filename, ['../textcodec.node', ...packages]]);
  // In a bundle, `__filename` is the bundle's name or undefined. The packages are then searched from the program's main
  // file and from the current folder.
  for (const place of [process.argv[1], join(process.cwd(), 'index.js')]) {
    if (typeof place === 'string') attempts.push([place, ['@textcodec/node/textcodec.node', ...packages]]);
  }
  let cause;
  for (const [place, names] of attempts) {
    for (const name of names) {
      try {
        const load = createRequire(place);
        const native = load(name);
        if (native.version !== VERSION) throw otherVersion(native.version, load.resolve(name));
        return native;
      } catch (error) {
        // A file that exists and cannot be loaded says more than files that do not exist.
        if (cause === undefined || (ABSENT.has(cause.code) && !ABSENT.has(error.code))) cause = error;
      }
    }
  }
  throw unavailable(platform, packages, cause);
}

/** The error for a native half of another version than the scripts. Versions before this check have none. */
function otherVersion(version, path) {
  const error = new Error(`The scripts of textcodec have version ${VERSION}, and the native half ${path} has ${version ? `version ${version}` : 'no version'}`);
  error.code = 'ERR_TEXTCODEC_VERSION';
  return error;
}

/** The error that says why the native half is not available and how to get it. */
function unavailable(platform, packages, cause) {
  let message = `textcodec cannot load its native half for ${platform}.`;
  if (cause.code === 'ERR_DLOPEN_DISABLED') {
    message += ' The permission model of Node.js forbids it: run node with --allow-addons.';
  } else {
    if (!ABSENT.has(cause.code)) message += ` ${cause.message}.`;
    if (cause.code === 'ERR_TEXTCODEC_VERSION') {
      message += ' Install both halves in the same version: install @textcodec/node again, and build the program again if it is a bundle.';
    } else if (packages.length > 0) {
      message += ` It is in ${packages.join(' or, with musl, ')}, an optional dependency: install @textcodec/node again on this platform and` +
        ` without --omit=optional, or run "npm install ${packages[0]}".`;
    } else {
      message += ' No package has it for this platform.';
    }
    message += ' With Rust it can be built: run "npm run build" in crates/node of https://github.com/textcodec/textcodec.';
  }
  const error = new Error(message, { cause });
  error.code = cause.code;
  return error;
}

module.exports = { __proto__: null, PACKAGES, VERSION, builtin, loadNative };
