// The site on disk, and pages of it that fail on any message, error or request.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = join(root, "target/site");
if (!existsSync(join(folder, "index.html"))) throw new Error("target/site is missing: run `cargo xtask site` first.");

/** Whether the site has the WebAssembly modules. */
export const hasPlayground = existsSync(join(folder, "data/wasm.js"));

/** The pages, as paths without extension: those at the top, or those in a folder. */
export const pages = (under = "") =>
  readdirSync(join(folder, under)).filter((name) => name.endsWith(".html")).map((name) => join(under, name.slice(0, -5)));

/** The address of a page; the pages must work from files. */
export const address = (path, rest = "") => pathToFileURL(join(folder, `${path}.html`)).href + rest;

/** The entries of an index as `indexes/` has them: a map from pointers to code points. */
export const indexFile = (name) =>
  new Map(readFileSync(join(root, `indexes/index-${name}.txt`), "utf8").split("\n").filter((line) => /^\d/.test(line)).map((line) => line.split("\t").map(Number)));

/**
 * Opens a page in a context of its own. `complaints` collects console messages, errors, and requests to other places.
 */
export const open = async (browser, path, { rest = "", ...options } = {}) => {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
  const page = await context.newPage();
  page.complaints = [];
  page.on("console", (message) => page.complaints.push(`${path}: ${message.text()}`));
  page.on("pageerror", (error) => page.complaints.push(`${path}: ${error.stack}`));
  page.on("request", (request) => /^(file|data|blob):/.test(request.url()) || page.complaints.push(`${path}: requested ${request.url()}`));
  await page.goto(address(path, rest));
  return page;
};
