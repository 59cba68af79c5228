// `test` of node:test in a browser: tests are collected, and run one after the other.

let tests = [];

/** The error of a test that needs a part of Node.js. */
export class Skip extends Error {}

// The bundles have copies of this module's class in other modules, so it is also found by a global name.
globalThis.SkipOfTests = Skip;

export function test(name, options, body) {
  if (typeof options === 'function') tests.push({ name, body: options });
  else tests.push({ name, body, skip: options.skip });
}

export const after = () => {};
export default test;

/**
 * Runs the tests of the modules, without those with the names in `skipped`: an array of objects with `name`, `outcome`
 * and `message`.
 */
export async function runAll(urls, skipped) {
  const results = [];
  for (const url of urls) {
    tests = [];
    await import(new URL(url, location.origin === 'null' ? import.meta.url : location.origin).href);
    for (const { name, body, skip } of tests) {
      const result = { name: `${url.replace(/^.*\/|\.bundle.*$/g, '')}: ${name}`, outcome: 'passed', message: '', milliseconds: 0 };
      const start = performance.now();
      try {
        if (skip || skipped.includes(name)) throw new Skip(String(skip));
        await body({});
      } catch (error) {
        result.outcome = error instanceof Skip ? 'skipped' : 'failed';
        result.message = String(error?.stack ?? error);
      }
      result.milliseconds = performance.now() - start;
      results.push(result);
    }
  }
  return results;
}
