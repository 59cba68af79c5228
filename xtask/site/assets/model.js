// The encodings as maps in both directions, made from the data files.
"use strict";
{
  const NONE = "\uFFFD";
  const models = new Map();

  // The characters of an index by pointer; NONE where it has no entry.
  textcodec.indexCharacters = (name) => Array.from(textcodec.indexes[name]);

  // The cells of a section by pointer: { text, encodes, byRule }, or undefined for a malformed sequence.
  textcodec.cells = (section) => {
    const cells = [];
    const characters = section.index ? textcodec.indexCharacters(section.index) : Array.from(section.text);
    const length = section.rows.length * section.columns.length;
    for (let pointer = 0; pointer < length; pointer++) {
      const text = characters[pointer];
      if (text !== undefined && text !== NONE) cells[pointer] = { text, encodes: false, byRule: false };
    }
    for (const [first, count, text] of section.byRule) {
      for (let i = 0; i < count; i++) {
        const shifted = count === 1 ? text : String.fromCodePoint(text.codePointAt(0) + i);
        cells[first + i] = { text: shifted, encodes: false, byRule: true };
      }
    }
    let pointer = 0;
    section.encodes.forEach((run, i) => {
      for (const end = pointer + run; pointer < end; pointer++) if (i % 2 === 1) cells[pointer].encodes = true;
    });
    return cells;
  };

  textcodec.bytesOf = (section, pointer) =>
    section.rows[Math.floor(pointer / section.columns.length)] + section.columns[pointer % section.columns.length];

  const { utf8 } = textcodec;
  const swapped = (hex) => hex.replace(/(..)(..)/g, "$2$1");
  const utf16 = (code) => Array.from({ length: String.fromCodePoint(code).length }, (_, i) =>
    textcodec.hex(String.fromCodePoint(code).charCodeAt(i), 4)).join("");
  const bytes = (hex) => (hex.match(/../g) || []).map((pair) => parseInt(pair, 16));

  const utf8Decoded = (hex) => {
    const [lead, ...trails] = bytes(hex);
    const length = lead < 0x80 ? 1 : lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
    if (length !== trails.length + 1) return undefined;
    const code = trails.reduce((code, byte) => code * 64 + (byte & 0x3f), length === 1 ? lead : lead & (0x7f >> length));
    return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) && utf8(code) === hex ? String.fromCodePoint(code) : undefined;
  };
  const utf16Decoded = (hex) => {
    const units = (hex.match(/..../g) || []).map((unit) => parseInt(unit, 16));
    const text = String.fromCharCode(...units);
    return hex.length % 4 === 0 && Array.from(text).length === 1 && !/^[\uD800-\uDFFF]$/.test(text) ? text : undefined;
  };

  // The four-byte sequences of gb18030.
  const ranges = () => textcodec.indexes["gb18030-ranges"];
  const gb18030Decoded = (hex) => {
    const [first, second, third, fourth] = bytes(hex);
    if (hex.length !== 8 || first < 0x81 || first > 0xfe || third < 0x81 || third > 0xfe) return undefined;
    if (second < 0x30 || second > 0x39 || fourth < 0x30 || fourth > 0x39) return undefined;
    const pointer = ((first - 0x81) * 10 + second - 0x30) * 1260 + (third - 0x81) * 10 + fourth - 0x30;
    if (pointer === 7457) return "\uE7C7";
    const range = ranges().find(([start, , length]) => start <= pointer && pointer < start + length);
    return range && String.fromCodePoint(range[1] + pointer - range[0]);
  };
  textcodec.fourBytes = (pointer) => {
    const digits = [0x81 + Math.floor(pointer / 12600), 0x30 + Math.floor(pointer / 1260) % 10, 0x81 + Math.floor(pointer / 10) % 126, 0x30 + pointer % 10];
    return digits.map((byte) => textcodec.hex(byte, 2)).join("");
  };
  const gb18030Encoded = (code) => {
    if (code === 0xe7c7) return textcodec.fourBytes(7457);
    if (code === 0xe5e5 || (code >= 0xd800 && code < 0xe000)) return undefined;
    const range = ranges().find(([, start, length]) => start <= code && code < start + length);
    return range && textcodec.fourBytes(range[0] + code - range[1]);
  };

  const arithmetic = {
    "utf-8": { decode: utf8Decoded, encode: (code) => (code >= 0xd800 && code < 0xe000 ? undefined : utf8(code)) },
    "utf-16be": { decode: utf16Decoded, encode: (code) => (code >= 0xd800 && code < 0xe000 ? undefined : utf16(code)) },
    "utf-16le": { decode: (hex) => utf16Decoded(swapped(hex)), encode: (code) => (code >= 0xd800 && code < 0xe000 ? undefined : swapped(utf16(code))) },
    gbk: { decode: gb18030Decoded, encode: () => undefined },
    gb18030: { decode: gb18030Decoded, encode: gb18030Encoded },
  };

  // The encoding called `name` as functions from hex digits to text and from code points to hex digits. Both answer
  // undefined for what the encoding does not have. An escape sequence of ISO-2022-JP is a part of the digits, but the
  // decoding function also takes one byte (ASCII) or two bytes (jis0208) without it.
  textcodec.model = (name) => {
    if (models.has(name)) return models.get(name);
    const encoding = textcodec.encodings.find((encoding) => encoding.name === name);
    const decoded = new Map();
    const encoded = new Map();
    const decodeOnly = new Map();
    for (const section of encoding.sections) {
      textcodec.cells(section).forEach((cell, pointer) => {
        if (!cell) return;
        const hex = textcodec.bytesOf(section, pointer);
        if (!decoded.has(hex)) decoded.set(hex, cell.text);
        if (section.escape) decoded.set(section.escape + hex, cell.text);
        const code = cell.text.codePointAt(0);
        if (cell.encodes) encoded.set(code, section.escape + hex);
        else if (Array.from(cell.text).length === 1 && !decodeOnly.has(code)) decodeOnly.set(code, section.escape + hex);
      });
    }
    const encodeOnly = new Set();
    for (const [code, hex] of encoding.encodeOnly) {
      encoded.set(code, name === "ISO-2022-JP" && hex.length === 4 ? "1B2442" + hex : hex);
      encodeOnly.add(code);
    }
    const rule = arithmetic[encoding.algorithm];
    const model = {
      name,
      encoding,
      decode: (hex) => decoded.get(hex) ?? (rule && rule.decode(hex)),
      encode: (code) => encoded.get(code) ?? (rule && rule.encode(code)),
      decodeOnly: (code) => decodeOnly.get(code),
      isEncodeOnly: (code) => encodeOnly.has(code),
      // The text of a longer sequence; U+FFFD for each byte that no sequence begins with.
      decodeAll(hex) {
        let text = "";
        for (let at = 0; at < hex.length; ) {
          let length = 2;
          while (length <= 8 && model.decode(hex.slice(at, at + length)) === undefined) length += 2;
          const found = length <= 8 && at + length <= hex.length;
          text += found ? model.decode(hex.slice(at, at + length)) : NONE;
          at += found ? length : 2;
        }
        return text;
      },
    };
    models.set(name, model);
    return model;
  };
}
