// The charts and coverage maps against the files in `indexes/`.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, missing } from "../browser.js";
import { address, indexFile, open, pages } from "./site.js";

const options = { skip: missing };
let browser;
before(async () => { if (!missing) browser = await launch(); });
after(() => browser?.close());

const names = missing ? [] : pages("index").map((path) => path.slice("index/".length));
const short = Boolean(process.env.TEXTCODEC_SHORT);

// Random numbers that are the same in every run.
let seed = 20260521;
const random = (below) => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) % below;

const hex = (...bytes) => bytes.map((byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ");
// The bytes of a pointer in the first encoding that the page offers, by the steps of the Standard's encoders.
const bytesOf = {
  big5: (pointer) => hex(Math.floor(pointer / 157) + 0x81, (pointer % 157) + (pointer % 157 < 0x3f ? 0x40 : 0x62)),
  "euc-kr": (pointer) => hex(Math.floor(pointer / 190) + 0x81, (pointer % 190) + 0x41),
  gb18030: (pointer) => hex(Math.floor(pointer / 190) + 0x81, (pointer % 190) + (pointer % 190 < 0x3f ? 0x40 : 0x41)),
  jis0208: (pointer) => hex(Math.floor(pointer / 94) + 0xa1, (pointer % 94) + 0xa1),
  jis0212: (pointer) => hex(0x8f, Math.floor(pointer / 94) + 0xa1, (pointer % 94) + 0xa1),
};

test("200 cells show what the index files say", { ...options, timeout: 120_000 }, async () => {
  const large = ["big5", "euc-kr", "gb18030", "jis0208", "jis0212"];
  const counts = new Map(large.map((name) => [name, 24]));
  for (const name of names) if (!large.includes(name) && name !== "gb18030-ranges") counts.set(name, 3);
  let checked = 0;
  const page = await open(browser, "charts");
  for (const [name, count] of counts) {
    await page.goto(address(`index/${name}`));
    const index = indexFile(name);
    const cells = await page.locator("[role=gridcell]").count();
    // The chart of the katakana has one cell before pointer 0.
    const first = name === "iso-2022-jp-katakana" ? 1 : 0;
    const pointers = Array.from({ length: count }, () => random(cells));
    const all = await page.evaluate((pointers) => pointers.map((pointer) => {
      const cell = document.querySelector(`[data-p="${pointer}"]`);
      cell.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
      const terms = [...document.querySelectorAll("#detail dt")].map((term) => [term.textContent, term.nextSibling.textContent]);
      return { ...Object.fromEntries(terms), none: cell.classList.contains("none"), text: cell.textContent };
    }), pointers);
    pointers.forEach((pointer, i) => {
      const [shown, number] = [all[i], pointer - first];
      const expected = index.get(number);
      assert.equal(shown.Pointer, String(number), name);
      if (expected === undefined) assert.ok(shown.none || shown.Marks.includes("rule"), `${name} ${number}: ${JSON.stringify(shown)}`);
      else assert.equal(shown["Code point"], `U+${expected.toString(16).toUpperCase().padStart(4, "0")}`, `${name} ${number}`);
      if (expected > 0xa0 && !/^[\p{M}\p{Z}\p{Cf}]$/u.test(String.fromCodePoint(expected))) assert.equal(shown.text, String.fromCodePoint(expected), name);
      if (name in bytesOf) assert.equal(shown.Bytes, bytesOf[name](number), name);
      else if (!first) assert.equal(shown.Bytes, hex(0x80 + number), name);
      checked++;
    });
  }
  assert.deepEqual(page.complaints, []);
  assert.ok(checked >= 200, String(checked));
});

test("coverage counts are those of the tables", { ...options, timeout: 120_000 }, async () => {
  const page = await open(browser, "charts");
  for (const name of names) {
    if (short && !bytesOf[name] && name.startsWith("windows")) continue;
    await page.goto(address(`index/${name}`));
    const characters = new Set(indexFile(name).values());
    if (name === "gb18030-ranges") {
      const starts = [...indexFile(name)];
      characters.clear();
      starts.slice(0, -1).forEach(([pointer, code], i) => {
        for (let n = 0; n < Math.min(starts[i + 1][0], 39420) - pointer; n++) characters.add(code + n);
      });
      for (let code = 0x10000; code < 0x110000; code++) characters.add(code);
    }
    const counts = new Map();
    for (const code of characters) counts.set(code >> 16, (counts.get(code >> 16) ?? 0) + 1);
    // The number above the maps, and the number of the points that were drawn.
    for (const attribute of ["plane", "drawn"]) {
      const nodes = page.locator(`b[data-${attribute}], span[data-${attribute}]`);
      const shown = await nodes.evaluateAll((nodes, attribute) => nodes.map((node) => [Number(node.dataset[attribute]), Number(node.textContent.replace(/\D/g, ""))]), attribute);
      assert.deepEqual(new Map(shown), counts, `${name}, ${attribute}`);
    }
  }
  assert.deepEqual(page.complaints, []);
});

test("characters that decode but do not encode are marked", options, async () => {
  const count = async (name, hash, mark) => {
    const page = await open(browser, `index/${name}`, { rest: hash });
    const counted = await page.locator(`[role=gridcell].${mark}`).count();
    const text = await page.locator(`[data-mark=${mark}]`).textContent();
    assert.equal(text.replace(/\D/g, ""), String(counted));
    await page.context().close();
    return counted;
  };
  // The encoder of EUC-JP never uses index jis0212.
  assert.equal(await count("jis0212", "", "decode-only"), indexFile("jis0212").size);
  // Shift_JIS decodes 1880 private-use characters by a rule, and encodes U+2212 as if it were U+FF0D.
  assert.equal(await count("jis0208", "#Shift_JIS", "rule"), 1880);
  assert.equal(await count("jis0208", "#Shift_JIS", "encode-only"), 1);
  // The encoder of gb18030 still knows 18 private-use characters of the edition of 2005.
  assert.equal(await count("gb18030", "#gb18030", "encode-only"), 18);
});

test("the chart is read with the keyboard alone", options, async () => {
  const page = await open(browser, "index/jis0208", { rest: "#Shift_JIS" });
  await page.locator("#goto").focus();
  await page.keyboard.type("あ");
  await page.keyboard.press("Enter");
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  assert.equal(await focused(), "あ");
  await page.keyboard.press("ArrowRight");
  assert.equal(await focused(), "ぃ");
  assert.match(await page.locator("#detail").textContent(), /HIRAGANA LETTER SMALL I.*82 A1/s);
  await page.keyboard.press("Home");
  assert.match(await page.locator("#detail").textContent(), /82 40/);
  assert.equal(await page.locator("[role=gridcell][tabindex='0']").count(), 1);
});

test("two encodings over each other have the counts of the index files", options, async () => {
  const page = await open(browser, "compare", { rest: "#a=windows-1252&b=ISO-8859-15&by=bytes" });
  const [a, b] = ["windows-1252", "iso-8859-15"].map(indexFile);
  const different = [...a].filter(([pointer, code]) => b.get(pointer) !== code).length;
  const count = async (kind) => Number((await page.locator(`[data-kind=${kind}]`).textContent()).replace(/\D/g, ""));
  assert.deepEqual([await count("a"), await count("b"), await count("different"), await count("same")], [0, 0, different, 256 - different]);
  await page.selectOption("#by", "code");
  const inBoth = [...a.values()].filter((code) => [...b.values()].includes(code));
  assert.equal(await count("a"), 128 - inBoth.length);
  assert.equal((await count("same")) + (await count("different")), 128 + inBoth.length);
  assert.deepEqual(page.complaints, []);
});

test("the search finds characters, code points, bytes and labels", { ...options, skip: missing || short }, async () => {
  const page = await open(browser, "search");
  const search = async (query) => {
    await page.locator("#query").fill(query);
    await page.keyboard.press("Enter");
    return (await page.locator("#results").innerText()).replace(/\s+/g, " ");
  };
  const kana = await search("あ");
  for (const row of ["Shift_JIS 82 A0", "EUC-JP A4 A2", "ISO-2022-JP 1B 24 42 24 22", "GBK A4 A2", "Big5 C6 E8", "UTF-16LE 42 30", "UTF-8 E3 81 82"]) assert.ok(kana.includes(row), `${row} in ${kana}`);
  assert.ok((await search("U+20AC")).includes("windows-1252 80"));
  assert.match(await search("82 A0"), /Shift_JIS あ U\+3042/);
  assert.match(await search("SJIS"), /Shift_JIS.*x-sjis/);
  assert.match(await search("U+1F600"), /gb18030 94 39 FC 36/);
  assert.deepEqual(page.complaints, []);
});
