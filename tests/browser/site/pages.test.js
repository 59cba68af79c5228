// Every page opens without a message, has a description and no link into nowhere, and is accessible.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import { launch, missing } from "../browser.js";
import { address, open, pages } from "./site.js";

const options = { skip: missing, timeout: 300_000 };
const short = Boolean(process.env.TEXTCODEC_SHORT);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let browser;
before(async () => { if (!missing) browser = await launch(); });
after(() => browser?.close());

const all = missing ? [] : [...pages(), ...pages("index"), ...pages("encoding"), ...pages("guide")];
// One page of each template, and those with most of the code.
const samples = ["index", "charts", "index/windows-1252", "index/gb18030-ranges", "index/jis0212", "encodings", "encoding/iso-2022-jp", "encoding/gbk", "compare", "search", "contexts", "performance", "neon", "sizes", "documents", "guide/csv", "readme", "playground"];

test("every page opens without a message, its links lead somewhere, and search engines find a description of its own", options, async () => {
  const page = await open(browser, "index");
  const descriptions = new Map();
  for (const path of short ? samples : all) {
    await page.goto(address(path));
    const description = await page.locator("meta[name=description]").getAttribute("content");
    assert.ok(description.length >= 30 && description.length <= 250, `${path}: ${description}`);
    assert.equal(descriptions.get(description), undefined, `${path} has this description, too: ${description}`);
    descriptions.set(description, path);
    const links = await page.evaluate(() => [...document.querySelectorAll("a[href]")].map((link) => link.href));
    for (const link of new Set(links.filter((link) => link.startsWith("file:")))) {
      const target = fileURLToPath(link.replace(/[?#].*/, ""));
      assert.ok(existsSync(target), `${path}: ${link}`);
    }
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(overflow <= 0, `${path} is ${overflow} pixels wider than the window`);
  }
  assert.deepEqual(page.complaints, []);
});

test("every encoding says how it differs elsewhere, or why nothing was compared", options, async () => {
  const page = await open(browser, "index");
  const said = async (path) => {
    await page.goto(address(path));
    const text = await page.locator("main").innerText();
    return text.slice(text.indexOf("The same name elsewhere")).replace(/\u202F/g, " ");
  };
  for (const path of pages("encoding")) {
    const text = await said(path);
    for (const system of ["glibc", "ICU", "Windows"]) assert.ok(text.includes(system) || text.includes("Only browsers"), `${path}: ${system}`);
  }
  assert.match(await said("encoding/utf-8"), /ICU \(UTF-8\): none of 2 164 992 sequences differs.*code page 65001/s);
  assert.match(await said("encoding/iso-2022-jp"), /glibc \(ISO-2022-JP\): 531 of 9 156 sequences differ/);
  assert.match(await said("encoding/gb18030"), /ICU \(gb18030\): 20 of 1 611 684 sequences differ/);
});

for (const [width, colorScheme] of [[1400, "light"], [400, "dark"]]) {
  test(`axe finds nothing, ${width} pixels wide, ${colorScheme}`, { ...options, skip: missing || (short && width === 1400) }, async () => {
    const page = await open(browser, "index", { viewport: { width, height: 900 }, colorScheme });
    for (const path of samples) {
      await page.goto(address(path, path === "search" ? "?q=あ" : ""));
      await page.evaluate(axe);
      // The cells of a chart are all alike; some rows stand for all.
      const found = await page.evaluate(() => {
        document.querySelectorAll("#chart [role=row]:nth-child(n+9), .scroll tr:nth-child(n+30), table.document tr:nth-child(n+12)").forEach((row) => row.remove());
        return window.axe.run(document, { resultTypes: ["violations"], preload: false }).then((result) => result.violations.map((violation) => `${violation.id}: ${violation.nodes.slice(0, 3).map((node) => node.html.slice(0, 200) + " " + node.any.map((check) => check.message).join()).join(" | ")}`));
      });
      assert.deepEqual(found, [], path);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(overflow <= 0, `${path} is ${overflow} pixels wider than the window`);
    }
    assert.deepEqual(page.complaints, []);
  });
}
