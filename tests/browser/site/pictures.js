// Takes pictures of pages in two widths, in light and in dark: `npm run pictures -- index chart …` for some of them.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { launch } from "../browser.js";
import { open, root } from "./site.js";

const hover = (pointer) => (page) => page.locator(`[data-p="${pointer}"]`).hover();
const ready = (page) => page.waitForFunction(() => document.querySelector("#encoding")?.options.length > 40);
const drop = async (page, name, buffer) => {
  await ready(page);
  await page.locator("input[value=file]").check();
  await page.locator("#file").setInputFiles({ name, mimeType: "text/html", buffer });
  await page.waitForFunction(() => document.querySelector("#dump").textContent);
};

/** The pictures: the name, the page, and what to do before the picture is taken. */
const PICTURES = [
  ["index", "index"],
  ["charts", "charts"],
  ["chart-jis0208", "index/jis0208#Shift_JIS/88A0"],
  ["chart-ranges", "index/gb18030-ranges"],
  ["chart-single-byte", "index/windows-1252", hover(10)],
  ["chart-big5", "index/big5", (page) => page.locator("#colours").selectOption("utf8")],
  ["coverage", "index/gb18030", (page) => page.locator("#coverage, .coverage, canvas").first().scrollIntoViewIfNeeded()],
  ["compare", "compare"],
  ["encodings", "encodings"],
  ["encoding", "encoding/shift-jis"],
  ["encoding-state-diagram", "encoding/iso-2022-jp"],
  ["search", "search?q=あ"],
  ["playground", "playground", ready],
  ["playground-file", "playground", (page) => drop(page, "ja.html", readFileSync(join(root, "README.md")))],
  ["playground-malformed", "playground", async (page) => {
    await ready(page);
    await page.locator("input[value=hex]").check();
    await page.locator("#hex").fill("82 A0 FF 41 81 82 A0 80 EF BB BF 93 FA 96 7B");
    await page.locator("#encoding").selectOption("Shift_JIS");
    await page.waitForFunction(() => document.querySelector("#error-count").textContent !== "0");
  }],
  ["playground-sniff", "playground", async (page) => {
    await ready(page);
    await drop(page, "page.html", Buffer.from("<!doctype html><meta charset=windows-1251><title>\xcf\xf0\xe8\xe2\xe5\xf2</title><p>\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0!</p>", "latin1"));
    await page.locator("#encoding").selectOption({ index: 1 });
    await page.waitForFunction(() => document.querySelector("#rungs").children.length);
  }],
  ["contexts", "contexts"],
  ["performance", "performance"],
  ["sizes", "sizes"],
  ["documents", "documents"],
  ["guide", "guide/which-encoding-is-it"],
];

const wanted = process.argv.slice(2);
const browser = await launch();
mkdirSync("pictures", { recursive: true });
for (const [name, path, prepare] of PICTURES) {
  if (wanted.length && !wanted.includes(name)) continue;
  for (const [width, colorScheme] of [[1400, "light"], [1400, "dark"], [400, "light"], [400, "dark"]]) {
    const [page, rest] = path.split(/(?=[?#])/);
    const opened = await open(browser, page, { rest: rest || "", viewport: { width, height: width === 400 ? 860 : 900 }, colorScheme });
    await prepare?.(opened);
    await opened.waitForTimeout(300);
    await opened.screenshot({ path: `pictures/${name}-${width}-${colorScheme}.png` });
    for (const complaint of opened.complaints) console.log(complaint);
    await opened.context().close();
  }
}
await browser.close();
