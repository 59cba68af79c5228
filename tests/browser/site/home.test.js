// The first page, the picture of the report, and what a telephone shows.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, missing } from "../browser.js";
import { hasPlayground, open } from "./site.js";

const options = { skip: missing };
let browser;
before(async () => { if (!missing) browser = await launch(); });
after(() => browser?.close());

/** The rows of the first page: characters, and for each encoding its bytes and their count. */
const rows = (page) => page.evaluate(() =>
  Object.fromEntries([...document.querySelectorAll("#live .line")].map((line) => [
    line.dataset.encoding ?? "characters",
    { cells: [...line.querySelectorAll(".bytes span")].map((cell) => `${cell.className} ${cell.textContent}`), count: line.querySelector(".count")?.textContent },
  ])));
const type = async (page, text) => {
  await page.locator("#live-text").fill(text);
  await page.waitForFunction((count) => document.querySelectorAll("#live .characters .bytes span").length === count, [...text].length);
};

test("ten encodings show the bytes of what is typed", { skip: missing ?? (hasPlayground ? undefined : "The site was made without the target for WebAssembly.") }, async () => {
  const page = await open(browser, "index");
  // The page shows before the library is loaded what the library in the page shows later.
  const written = await rows(page);
  assert.equal(Object.keys(written).length, 11);
  assert.equal(written.Big5.count, "14 bytes, lacks 1");
  const sample = await page.locator("#live-text").inputValue();
  await type(page, "x");
  await type(page, sample);
  assert.deepEqual(await rows(page), written);

  await type(page, "aテ☃😀b");
  const typed = await rows(page);
  assert.deepEqual(typed["UTF-16LE"].cells, ["c0 61 00", "c1 C6 30", "c2 03 26", "c3 3D D8 00 DE", "c4 62 00"]);
  assert.deepEqual(typed["ISO-2022-JP"].cells, ["c0 61", "c1 1B 24 42 25 46", "missing ☃", "missing 😀", "c4 1B 28 42 62"]);
  assert.equal(typed["ISO-2022-JP"].count, "10 bytes, lacks 2");
  assert.deepEqual(typed.Shift_JIS.cells, ["c0 61", "c1 83 65", "missing ☃", "missing 😀", "c4 62"]);

  await page.locator("#live-more").click();
  await page.waitForFunction(() => document.getElementById("status")?.textContent.includes("malformed"));
  assert.equal(await page.locator("#text").inputValue(), "aテ☃😀b");
  assert.deepEqual(page.complaints, []);
});

test("the first page names the source and the packages", options, async () => {
  const page = await open(browser, "index");
  for (const command of ["cargo add textcodec", "pip install textcodec", "npm install @textcodec/node"]) assert.ok(await page.locator(".install code", { hasText: command }).first().isVisible(), command);
  assert.match(await page.locator("header nav a", { hasText: "Source" }).getAttribute("href"), /^https:\/\/github\.com\//);
  assert.deepEqual(page.complaints, []);
});

test("the picture of the report comes first, and its tables open by a click", options, async () => {
  const page = await open(browser, "performance");
  const top = await page.locator("main img").evaluate((image) => image.getBoundingClientRect().top);
  assert.ok(top < 450, `the picture begins ${top} pixels below the top`);
  assert.ok(await page.locator("details table").count() > 10 && await page.locator("details table").first().isHidden());
  await page.locator("summary", { hasText: "Every encoding" }).first().click();
  assert.ok(await page.locator("details[open] table").isVisible());
  assert.deepEqual(page.complaints, []);
});

test("on a telephone the description of a cell is in sight and speaks of touch", options, async () => {
  const page = await open(browser, "index/jis0208", { viewport: { width: 400, height: 860 }, hasTouch: true, isMobile: true });
  const isInSight = (selector) => page.locator(selector).evaluate((node) => {
    const { top, bottom } = node.getBoundingClientRect();
    return bottom > 0 && bottom <= innerHeight && top < innerHeight;
  });
  const shown = async (selector) => (await page.locator(selector).innerText()).trim();
  assert.equal(await shown("#detail"), "Touch a cell.");
  await page.locator('[data-p="284"]').scrollIntoViewIfNeeded();
  await page.locator('[data-p="284"]').tap();
  assert.match(await shown("#detail"), /HIRAGANA/);
  assert.ok(await isInSight("#detail"));

  assert.match(await shown("#coverage-detail"), /^Touch/);
  // The top of the map alone is in sight.
  await page.locator("#coverage .map").evaluate((map) => scrollBy(0, map.getBoundingClientRect().top - innerHeight * 0.6));
  await page.locator("#coverage .map").tap({ position: { x: 100, y: 80 } });
  assert.match(await shown("#coverage-detail"), /^U\+/);
  assert.ok(await isInSight("#coverage-detail"));
  assert.deepEqual(page.complaints, []);
});
