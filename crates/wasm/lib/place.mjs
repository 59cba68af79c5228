// Where the files of the package are.

// The development server of Vite before version 8 puts the script into a folder for bundled packages, and copies
// nothing else there. The package is in the folder that has this one, unless a monorepo has installed it further up.
const OF_VITE = /^(.*\/node_modules\/)\.vite\/(?:[^?#]*\/)?deps[^/]*\/([^/]+)$/;

export function inPackage(url) {
  const [, modules, name] = OF_VITE.exec(url.href) ?? [];
  return modules === undefined ? url : new URL(`${modules}@textcodec/wasm/dist/${name}`);
}
