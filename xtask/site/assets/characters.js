// Facts about characters: block, name, UTF-8, and how to show them.
"use strict";
{
  const utf8 = (code) => {
    if (code < 0x80) return textcodec.hex(code, 2);
    const trail = (shift) => textcodec.hex(0x80 | ((code >> shift) & 0x3f), 2);
    if (code < 0x800) return textcodec.hex(0xc0 | (code >> 6), 2) + trail(0);
    if (code < 0x10000) return textcodec.hex(0xe0 | (code >> 12), 2) + trail(6) + trail(0);
    return textcodec.hex(0xf0 | (code >> 18), 2) + trail(12) + trail(6) + trail(0);
  };
  textcodec.utf8 = utf8;

  // The block of a code point: [first, last, name].
  textcodec.blockOf = (code) => {
    let [low, high] = [0, textcodec.blocks.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const block = textcodec.blocks[middle];
      if (code < block[0]) high = middle - 1;
      else if (code > block[1]) low = middle + 1;
      else return block;
    }
    return [code, code, "No block"];
  };
  // A hue for a block. Steps of the golden angle give neighbouring blocks different colours. Undefined for code points
  // in no block.
  const hues = new Map(textcodec.blocks.map((block, place) => [block, Math.round(place * 137.508 + 200) % 360]));
  textcodec.hue = (block) => hues.get(block);

  let names;
  textcodec.nameOf = (code) => {
    names ||= new Map(textcodec.names.split("\n").map((line) => [parseInt(line, 16), line.slice(line.indexOf(" ") + 1)]));
    if (names.has(code)) return names.get(code);
    if (code >= 0xac00 && code <= 0xd7a3) return "HANGUL SYLLABLE";
    if (textcodec.isPrivate(code)) return "private use";
    if (textcodec.isCompatibility(code)) return "CJK COMPATIBILITY IDEOGRAPH-" + textcodec.hex(code, 4);
    if ((code >= 0x3400 && code < 0xa000) || (code >= 0x20000 && code < 0x33500)) return "CJK UNIFIED IDEOGRAPH-" + textcodec.hex(code, 4);
    return code < 0x20 || (code >= 0x7f && code < 0xa0) ? "control character" : "";
  };
  textcodec.isPrivate = (code) => (code >= 0xe000 && code <= 0xf8ff) || code >= 0xf0000;
  // U+FA0E and eleven others are unified ideographs in a block of compatibility ideographs.
  const UNIFIED = new Set([0xfa0e, 0xfa0f, 0xfa11, 0xfa13, 0xfa14, 0xfa1f, 0xfa21, 0xfa23, 0xfa24, 0xfa27, 0xfa28, 0xfa29]);
  textcodec.isCompatibility = (code) =>
    ((code >= 0xf900 && code <= 0xfaff) || (code >= 0x2f800 && code <= 0x2fa1f)) && !UNIFIED.has(code);
  // A character that can be shown: a space or a control character has a name in its place.
  textcodec.visible = (text) => {
    const code = text.codePointAt(0);
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    if ((code > 0x7f && code < 0xa0) || /^\p{Cf}$/u.test(text)) return textcodec.hex(code, 2);
    if (/^\p{Zs}$/u.test(text)) return "\u2420";
    return /^\p{M}/u.test(text) ? "\u25CC" + text : text;
  };
}
