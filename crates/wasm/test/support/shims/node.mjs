// The modules of Node.js that the tests import. A test that calls a function which browsers do not have is skipped.

function skip() {
  throw new globalThis.SkipOfTests('it needs Node.js');
}

// node:util
export const inspect = Object.assign(skip, { custom: Symbol.for('nodejs.util.inspect.custom') });
// node:vm
export function runInNewContext(source) {
  if (globalThis.document === undefined) skip();
  const frame = document.createElement('iframe');
  document.body.append(frame);
  return frame.contentWindow.eval(source);
}
// node:child_process
export const spawnSync = skip;
// node:worker_threads
export const Worker = function () { skip(); };
export default {};
// node:events
export const once = skip;
// node:url
export const fileURLToPath = String;
// node:fs
export function readFileSync(url) {
  const request = new XMLHttpRequest();
  request.open('GET', url, false);
  request.send();
  return request.responseText;
}
// node:stream/web
export const { ReadableStream, WritableStream } = globalThis;
// node:timers/promises
export const setTimeout = (milliseconds) => new Promise((resolve) => { globalThis.setTimeout(resolve, milliseconds); });
