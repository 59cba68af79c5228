// Calls of the worker, which does all work of textcodec in pages; see worker.js.
"use strict";

// Starts the worker and returns a function that calls its tasks. `failed` is told if the worker itself fails. The
// worker is a script in a blob, which also a page from a file may start.
textcodec.startWorker = (failed) => {
  const worker = new Worker(URL.createObjectURL(new Blob([textcodec.wasm.worker], { type: "text/javascript" })));
  const waiting = new Map();
  let calls = 0;
  worker.onmessage = ({ data: { id, share, result, error } }) => {
    const { resolve, reject, progress } = waiting.get(id);
    if (share !== undefined) return progress(share);
    waiting.delete(id);
    if (error === undefined) resolve(result);
    else reject(new Error(error));
  };
  worker.onerror = (event) => failed(`The worker failed: ${event.message}`);
  return (task, values = {}, progress = () => {}, transfer = []) =>
    new Promise((resolve, reject) => {
      waiting.set(++calls, { resolve, reject, progress });
      worker.postMessage({ id: calls, task, values }, transfer);
    });
};

// Loads a script of the site when it is needed.
textcodec.loadScript = (path) =>
  new Promise((resolve, reject) => {
    const script = textcodec.element("script", { src: textcodec.root + path });
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => reject(new Error(`The script ${path} cannot be loaded.`)));
    document.head.append(script);
  });
