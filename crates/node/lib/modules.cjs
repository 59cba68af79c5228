'use strict';
// Modules from outside of this package: those of Node.js, and the native half. Bundlers do not see them. The modules of Node.js are there
// wherever a bundle runs, also in an ES module, which has no `require`; and the native half stays in the package that it was installed in.

/** A module of Node.js. Versions before 20.16 have no other way to it than `require`, which a bundle in the form of an ES module lacks. */
function builtin(name) {
  return process.getBuiltinModule?.(name) ?? require(name);
}

const { createRequire } = builtin('node:module');
const { join } = builtin('node:path');

// The packages with the native half, by `process.platform` and `process.arch`. On Linux there is one for each C library.
const PACKAGES = {
  __proto__: null,
  'linux-x64': ['@textcodec/linux-x64-gnu', '@textcodec/linux-x64-musl'],
  'linux-arm64': ['@textcodec/linux-arm64-gnu', '@textcodec/linux-arm64-musl'],
};

// Codes of errors that say no more than that a module is not there.
const ABSENT = new Set(['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED']);

/** The native half: the one that was built in this package's folder, or the one in a package for this platform. */
function loadNative() {
  const platform = `${process.platform}-${process.arch}`;
  const packages = PACKAGES[platform] ?? [];
  const attempts = [];
  if (typeof __filename === 'string') attempts.push([__filename, ['../textcodec.node', ...packages]]);
  // In a bundle, this file's name is that of the bundle or unknown. Then packages are looked for from the program's main file and from the
  // current folder.
  for (const place of [process.argv[1], join(process.cwd(), 'index.js')]) {
    if (typeof place === 'string') attempts.push([place, ['textcodec/textcodec.node', ...packages]]);
  }
  let cause;
  for (const [place, names] of attempts) {
    for (const name of names) {
      try {
        return createRequire(place)(name);
      } catch (error) {
        // The first file that is there and cannot be loaded says more than the files that are not there.
        if (cause === undefined || (ABSENT.has(cause.code) && !ABSENT.has(error.code))) cause = error;
      }
    }
  }
  throw unavailable(platform, packages, cause);
}

/** The error that says why there is no native half, and what to do. */
function unavailable(platform, packages, cause) {
  let message = `textcodec cannot load its native half for ${platform}.`;
  if (cause.code === 'ERR_DLOPEN_DISABLED') {
    message += ' The permission model of Node.js forbids it: run node with --allow-addons.';
  } else {
    if (!ABSENT.has(cause.code)) message += ` ${cause.message}.`;
    if (packages.length > 0) {
      message += ` It is in ${packages.join(' or, with musl, ')}, an optional dependency: install textcodec again on this platform and` +
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

module.exports = { __proto__: null, PACKAGES, builtin, loadNative };
