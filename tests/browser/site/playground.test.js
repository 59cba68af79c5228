// The playground, with files, malformed input, a large file, and the keyboard alone.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, afterEach, test } from "node:test";
import { launch, missing as noBrowser } from "../browser.js";
import { hasPlayground, open } from "./site.js";

const missing = noBrowser ?? (hasPlayground ? undefined : "The site was made without the target for WebAssembly.");
const short = Boolean(process.env.TEXTCODEC_SHORT);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const options = { skip: missing, timeout: 120_000 };
const folder = mkdtempSync(join(tmpdir(), "textcodec-"));
let browser, page;
before(async () => { if (!missing) browser = await launch(); });
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  if (missing) return;
  page = await open(browser, "playground");
  await page.waitForFunction(() => document.getElementById("status").textContent.includes("malformed"));
});
afterEach(async () => {
  if (missing) return;
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

const status = () => page.locator("#status").textContent();
const settled = (text) => page.waitForFunction((text) => document.getElementById("status").textContent.includes(text), text);
const shownText = () => page.locator("#shown-text").textContent();
const useHex = async (hex, encoding) => {
  await page.locator("[name=kind][value=hex]").check();
  await page.selectOption("#encoding", encoding);
  await page.locator("#hex").fill(hex);
  const bytes = hex.replace(/\s/g, "").length / 2;
  await settled(`: ${bytes} bytes`);
};

// Written by iconv of the GNU C library.
const FILES = [
  ["Shift_JIS", "82b182f182c982bf82cd814190a28a45", "こんにちは、世界"],
  ["EUC-JP", "c6fccbdcb8eca4cecab8bbfa", "日本語の文字"],
  ["ISO-2022-JP", "1b2442242b244a34413b7a1b284220616263", "かな漢字 abc"],
  ["GBK", "c4e3bac3a3accac0bde7", "你好，世界"],
  ["gb18030", "bcf2cce5d6d0cec4209439fc36", "简体中文 😀"],
  ["Big5", "c163c5e9a4a4a4e5", "繁體中文"],
  ["EUC-KR", "bec8b3e7c7cfbcbcbfe4", "안녕하세요"],
  ["windows-1251", "cff0e8e2e5f22c20ece8f0", "Привет, мир"],
  ["windows-1252", "4772fcdf65208496932080", "Grüße „–“ €"],
  ["UTF-16LE", "6e006100ef00760065002000032620003dd800de", "naïve ☃ 😀"],
  ["KOI8-R", "f4c5cbd3d4", "Текст"],
];

test("files in eleven encodings", options, async () => {
  for (const [encoding, hex, text] of FILES) {
    const file = join(folder, `${encoding}.txt`);
    writeFileSync(file, Buffer.from(hex, "hex"));
    await page.selectOption("#encoding", `label\t${encoding}`);
    await page.locator("[name=kind][value=file]").check();
    await page.locator("#file").setInputFiles(file);
    await settled(`${encoding}: ${hex.length / 2} bytes`);
    await page.waitForFunction((text) => document.getElementById("shown-text").textContent === text, text);
    assert.match(await status(), /, 0 malformed/);
    assert.equal((await page.locator(".dump .bytes").allTextContents()).join("").toLowerCase(), hex);
  }
});

test("a file is dropped on the page", options, async () => {
  await page.selectOption("#encoding", "label\tEUC-KR");
  const transfer = await page.evaluateHandle((bytes) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(bytes)], "dropped.txt"));
    return transfer;
  }, [...Buffer.from(FILES[6][1], "hex")]);
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
  await settled("EUC-KR: 10 bytes");
  await page.waitForFunction((text) => document.getElementById("shown-text").textContent === text, FILES[6][2]);
});

test("typed text is shown in the bytes of any encoding", options, async () => {
  for (const [encoding, hex] of [["UTF-16BE", "0061d83dde00"], ["UTF-16LE", "61003dd800de"], ["gb18030", "619439fc36"], ["UTF-8", "61f09f9880"]]) {
    await page.selectOption("#typed-encoding", encoding);
    await page.locator("#text").fill("a😀");
    await page.waitForFunction((hex) => [...document.querySelectorAll(".dump .bytes")].map((line) => line.textContent).join("").toLowerCase() === hex, hex);
  }
});

test("malformed sequences have an offset and a reason", options, async () => {
  await useHex("61 82 A0 FF 82 41 81", "label\tShift_JIS");
  assert.match(await status(), /3 malformed/);
  assert.equal(await shownText(), "aあ\uFFFD\uFFFDA\uFFFD");
  assert.deepEqual((await page.locator("#error-list li").allTextContents()).map((line) => line.replace(/ +/g, " ")), [
    "offset 3 1 byte: no sequence starts with this byte",
    "offset 4 1 byte: the next byte does not continue the sequence",
    "offset 6 1 byte: the input ends inside a sequence",
  ]);
  assert.equal(await page.locator(".dump .bytes .malformed").count(), 3);
  await page.selectOption("#mode", "fatal");
  await settled("stops at offset 3");
  assert.equal(await shownText(), "aあ\uFFFD");
});

test("the ladder says which rung decided", options, async () => {
  const html = Buffer.from("<!doctype html><meta charset=sjis><p>\x82\xA0", "latin1").toString("hex");
  await useHex(html, "sniff\tHTML parser");
  assert.match(await status(), /^Shift_JIS/);
  assert.match(await page.locator("#rungs li.yes").textContent(), /Shift_JIS, tentative/);
  assert.match(await page.locator("#rungs li.yes").textContent(), /at offset 29$/);
  assert.deepEqual(await page.locator("#rungs li.no span").allTextContents(), [
    "the bytes do not start with FE FF, FF FE or EF BB BF", "nobody chose an encoding", "no Content-Type is given",
  ]);
  // A label that does not exist.
  await page.locator("#content-type").fill("text/html; charset=nonsense");
  await page.locator("#content-type").press("Tab");
  await page.waitForFunction(() => document.getElementById("rungs").textContent.includes("“nonsense” is not the label of an encoding"));
  // HTTP comes first.
  await page.locator("#content-type").fill("text/html; charset=koi8-r");
  await page.locator("#content-type").press("Tab");
  await settled("KOI8-R:");
  assert.match(await page.locator("#rungs li.yes").textContent(), /KOI8-R, certain/);
});

test("text is encoded with its unmappable characters", options, async () => {
  await page.locator("#text").fill("a☃ü");
  await settled(": 6 bytes");
  await page.locator("#encode").click();
  await page.waitForSelector("#encoded a");
  const text = await page.locator("#encoded").innerText();
  assert.match(text, /1 unmappable/);
  assert.match(text, /61 26 23 39 37 33 31 3B FC/);
  assert.match(text, /U\+2603 SNOWMAN: code unit 1, byte 1/);
  await page.selectOption("#target", "UTF-16LE");
  await page.locator("#encode").click();
  await page.waitForFunction(() => document.getElementById("encoded").textContent.includes("61 00 03 26 FC 00"));
  await page.selectOption("#target", "windows-1252");
  await page.selectOption("#encode-mode", "fatal");
  await page.locator("#encode").click();
  await page.waitForSelector("#encoded .error");
  assert.match(await page.locator("#encoded").innerText(), /windows-1252 has no ☃ U\+2603, code unit 1/);
});

test("the browser's own decoder is compared", options, async () => {
  const [, hex] = FILES[0];
  await useHex(hex + "ff", "label\tShift_JIS");
  await page.locator("#compare").click();
  await page.waitForSelector("#compared p");
  assert.match(await page.locator("#compared").innerText(), /The texts are the same: 9 code units/);
});

test("text that was decoded wrongly is repaired", options, async () => {
  await page.locator("#broken").fill("GrÃ¼ÃŸe");
  await page.locator("#repair").click();
  await page.waitForSelector("#repaired li");
  assert.match(await page.locator("#repaired").innerText(), /Grüße, if it was decoded as .*windows-1252/);
  await page.locator("#broken").fill("ü");
  await page.locator("#repair").click();
  await page.waitForSelector("#repaired p");
});

// "Привет, как дела? Это русский текст." in KOI8-R.
const RUSSIAN = "f0d2c9d7c5d42c20cbc1cb20c4c5ccc13f20fcd4cf20d2d5d3d3cbc9ca20d4c5cbd3d42e";

test("the detector ranks candidates with bars, and marks the bytes that decided", options, async () => {
  assert.equal(await page.evaluate(() => textcodec.detector), undefined, "the detector is loaded before anybody asks");
  await useHex(RUSSIAN, "label\twindows-1252");
  await page.locator("#detect").click();
  await page.waitForSelector("#detected .candidates li");
  const first = page.locator("#detected .candidates li").first();
  assert.match(await first.innerText(), /9[\d.]* %\s*KOI8-R, Russian\s*the same text in KOI8-U/);
  const [bar, whole] = await first.locator(".likelihood").evaluate((bar) => [bar.firstChild.getBoundingClientRect().width, bar.getBoundingClientRect().width]);
  assert.ok(bar > 0.9 * whole && whole > 20, `${bar} of ${whole}`);
  const marks = await first.locator("mark").allTextContents();
  assert.ok(marks.length > 0 && marks.every((mark) => mark.length === 1), `${marks}`);
  assert.match((await first.locator(".excerpt").allTextContents()).join(), /Это русский текст/);
  await first.getByRole("button", { name: "Decode as KOI8-R" }).click();
  await settled("KOI8-R: 36 bytes");
  assert.equal(await shownText(), "Привет, как дела? Это русский текст.");
  assert.ok((await page.locator(".dump .bytes .evidence").count()) > 0);
  await first.locator(".excerpt button").first().click();
  await page.waitForSelector(".dump .bytes .selected");
  assert.equal(await page.locator(".dump .bytes .selected.evidence").count(), 1);
  // Other bytes have no answer yet.
  await useHex("616263", "label\tUTF-8");
  assert.equal(await page.locator("#detected *").count(), 0);
  assert.equal(await page.locator(".dump .evidence").count(), 0);
});

test("the detector says what bytes are that are no legacy text", options, async () => {
  const answer = async (hex) => {
    await useHex(hex, "label\twindows-1252");
    await page.locator("#detect").click();
    await page.waitForSelector("#detected p");
    return page.locator("#detected p").first().textContent();
  };
  assert.match(await answer("616263"), /^All bytes are ASCII/);
  assert.match(await answer("ffd8ffe000104a46494600010100"), /^The bytes are no text, but image\/jpeg\.$/);
  assert.match(await answer("4772c3bcc39f65"), /^The bytes are UTF-8\.$/);
  assert.match(await answer("c3a9".repeat(40) + "ff"), /^The bytes are UTF-8 with 1 malformed sequence, the first at offset 80\./);
});

for (const [width, colorScheme] of [[1400, "light"], [400, "dark"]]) {
  test(`the answer of the detector is accessible and fits, ${width} pixels wide, ${colorScheme}`, options, async () => {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await useHex("e9".repeat(3) + "20d6d0b9fa" + RUSSIAN, "label\tKOI8-R");
    await page.locator("#detect").click();
    await page.waitForSelector("#detected .candidates li");
    await page.locator("#detected .candidates button").first().click();
    await settled(": 44 bytes");
    await page.evaluate(axe);
    const found = await page.evaluate(() => window.axe.run(document, { preload: false }).then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`)));
    assert.deepEqual(found, []);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(overflow <= 0, `the page is ${overflow} pixels wider than the window`);
  });
}

test("axe finds nothing when every panel is open", options, async () => {
  await useHex(Buffer.from("<meta charset=sjis><p>\x82\xA0\xFF", "latin1").toString("hex"), "sniff\tHTML parser");
  for (const button of ["#encode", "#compare", "#repair"]) await page.locator(button).click();
  await page.waitForSelector("#encoded a");
  await page.waitForSelector("#compared p");
  await page.waitForSelector("#repaired li");
  await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
  await page.locator("#dump").focus();
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document, { preload: false }).then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`)));
  assert.deepEqual(found, []);
});

test("the keyboard is enough", options, async () => {
  const tab = async (id) => {
    for (let i = 0; i < 60; i++) {
      if ((await page.evaluate(() => document.activeElement.id)) === id) return;
      await page.keyboard.press("Tab");
    }
    assert.fail(`Tab does not reach #${id}`);
  };
  await tab("text");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("aü☃");
  await settled(": 6 bytes");
  await tab("dump");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.getElementById("detail").textContent.includes("SNOWMAN"));
  assert.equal(await page.locator(".dump .bytes .selected").count(), 3);
  await tab("encode");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#encoded a");
});

test("a file of 50 MB does not freeze the page", { ...options, skip: missing || short }, async () => {
  const line = Buffer.concat([Buffer.from(FILES[0][1], "hex"), Buffer.from(" text in Shift_JIS\n")]);
  const count = Math.ceil(50e6 / line.length);
  const bytes = Buffer.alloc(count * line.length + 1, line);
  bytes[bytes.length - 1] = 0xff;
  const file = join(folder, "large.txt");
  writeFileSync(file, bytes);
  await page.selectOption("#encoding", "label\tShift_JIS");
  await page.evaluate(() => {
    let last = performance.now();
    window.longest = 0;
    setInterval(() => {
      const now = performance.now();
      window.longest = Math.max(window.longest, now - last);
      last = now;
    }, 10);
  });
  await page.locator("[name=kind][value=file]").check();
  await page.locator("#file").setInputFiles(file);
  await page.waitForSelector("#progress:not([hidden])");
  await page.waitForFunction(() => document.getElementById("status").textContent.includes("1 malformed"), null, { timeout: 90_000 });
  await page.locator("#next-error").click();
  await page.waitForFunction(() => document.querySelector(".dump .malformed"));
  const longest = await page.evaluate(() => window.longest);
  assert.ok(longest < 500, `the page did not answer for ${longest} ms`);
  assert.equal(await page.locator("#error-list button").first().textContent(), `offset ${bytes.length - 1}`);
  console.log(`# 50 MB: ${await status()}; longest pause of the page ${longest.toFixed(0)} ms`);
});
