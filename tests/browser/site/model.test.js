// The scripts of the pages Compare and Search, which have encodings of their own made from the data files, against the
// engine of crates/wasm. This test needs no browser.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import vm from "node:vm";
import { root } from "./site.js";

const read = (path) => readFileSync(join(root, "target/site", path), "utf8");
const wasm = join(root, "target/site-wasm/textcodec.wasm");
const short = Boolean(process.env.TEXTCODEC_SHORT);

test("the encodings of the pages are those of the crate", { skip: existsSync(wasm) ? false : "The site was made without the target for WebAssembly." }, async () => {
  const context = vm.createContext({ document: { body: { dataset: { root: "" } } } });
  for (const path of ["assets/site.js", "data/encodings.js", "data/indexes.js", "data/blocks.js", "data/names.js", "assets/characters.js", "assets/model.js"]) {
    vm.runInContext(read(path), context);
  }
  const textcodec = vm.runInContext("textcodec", context);
  const { open } = await import(join(root, "crates/wasm/lib/engine.mjs"));
  const engine = open(new WebAssembly.Module(readFileSync(wasm)));
  const hex = (bytes) => Buffer.from(bytes).toString("hex").toUpperCase();

  for (const { name } of textcodec.encodings) {
    if (name === "replacement") continue;
    const model = textcodec.model(name);
    const number = engine.encodingOf(name);
    const step = short ? 7 : 1;
    for (let code = 0; code <= 0x10ffff; code += code < 0x30000 ? step : 997) {
      // UTF-16 is encoded as UTF-8 by the Standard.
      if ((code >= 0xd800 && code < 0xe000) || name.startsWith("UTF-16")) continue;
      const expected = engine.encode(number, String.fromCodePoint(code), true);
      const found = model.encode(code);
      const want = expected && hex(expected);
      const got = name === "ISO-2022-JP" && found?.startsWith("1B") ? `${found}1B2842` : found;
      assert.equal(got, want, `${name} encodes U+${code.toString(16)}`);
    }
    for (let pair = 0; pair < 0x10100; pair += step) {
      const bytes = pair < 0x100 ? Uint8Array.of(pair) : Uint8Array.of((pair - 0x100) >> 8, pair & 0xff);
      // Two bytes of ISO-2022-JP are those after an escape sequence, and two characters are not a sequence.
      if (name === "ISO-2022-JP" || (pair >= 0x100 && /^(IBM|ISO|KOI8|mac|win|x-)/.test(name))) continue;
      const text = engine.decodeAll(number | engine.FATAL | engine.IGNORE_BOM, bytes);
      const found = model.decode(hex(bytes));
      // The model knows single sequences only.
      if (text !== undefined && pair >= 0x100 && Array.from(text).length === 2 && found === undefined) continue;
      assert.equal(found, text, `${name} decodes ${hex(bytes)}`);
    }
  }
});
