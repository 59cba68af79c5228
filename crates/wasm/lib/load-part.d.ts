/**
 * The exports of the entry, whose library a program loads itself. `source` is the library as a module, or the URL of
 * its file; without it, the file next to this script is loaded.
 */
export function load(source?: WebAssembly.Module | string | URL): Promise<Exports>;
