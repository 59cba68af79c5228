// The chart of an index: a grid with one cell for each pointer.
"use strict";
{
  const { element, hex, codePoint, spaced, grouped } = textcodec;
  const byId = (id) => document.getElementById(id);
  const grid = byId("chart");
  const index = grid.dataset.index;
  const KATAKANA = index === "iso-2022-jp-katakana";
  const users = textcodec.encodings.filter((encoding) => encoding.sections.some((section) => section.index === index));
  let section, cells, encodeOnly, current;

  const MARKS = [
    ["none", "no entry"],
    ["decode-only", "decodes, but does not encode to these bytes"],
    ["encode-only", "another character encodes to these bytes, too"],
    ["private", "private use"],
    ["compatibility", "compatibility ideograph"],
    ["rule", "by a rule of the decoder, not in the index"],
  ];

  // The marks of a cell, as classes.
  const marksOf = (cell, pointer) => {
    if (!cell) return ["none"];
    const code = cell.text.codePointAt(0);
    return [
      !cell.encodes && !KATAKANA && "decode-only",
      encodeOnly.has(textcodec.bytesOf(section, pointer)) && "encode-only",
      textcodec.isPrivate(code) && "private",
      textcodec.isCompatibility(code) && "compatibility",
      cell.byRule && "rule",
    ].filter(Boolean);
  };

  const choose = (encoding) => {
    if (KATAKANA) {
      // Row and column are the code point that the encoder replaces. Pointer 0 is U+FF61, the second cell.
      section = { rows: ["FF6", "FF7", "FF8", "FF9"], columns: Array.from("0123456789ABCDEF"), index };
      cells = [undefined, ...textcodec.indexCharacters(index).map((text) => ({ text, encodes: true }))];
      encodeOnly = new Map();
      return;
    }
    section = encoding.sections.find((section) => section.index === index);
    cells = textcodec.cells(section);
    encodeOnly = new Map();
    const inSection = new Set();
    for (let pointer = 0; pointer < cells.length; pointer++) inSection.add(textcodec.bytesOf(section, pointer));
    for (const [code, bytes] of encoding.encodeOnly) {
      if (inSection.has(bytes)) encodeOnly.set(bytes, [...(encodeOnly.get(bytes) || []), code]);
    }
  };

  const draw = () => {
    const width = section.columns.length;
    const counts = Object.fromEntries(MARKS.map(([mark]) => [mark, 0]));
    const blocks = new Map();
    const lengths = [0, 0, 0, 0, 0];
    const escaped = (text) => text.replace(/[&<]/g, (character) => (character === "&" ? "&amp;" : "&lt;"));
    let html = `<div role="row" class="head"><span role="columnheader" class="corner"><span class="visually-hidden">first digits</span></span>`;
    html += section.columns.map((column) => `<span role="columnheader">${column}</span>`).join("") + "</div>";
    section.rows.forEach((row, r) => {
      html += `<div role="row"><span role="rowheader">${row}</span>`;
      for (let c = 0; c < width; c++) {
        const pointer = r * width + c;
        const cell = cells[pointer];
        const marks = marksOf(cell, pointer);
        for (const mark of marks) counts[mark]++;
        let classes = marks.join(" ");
        if (cell) {
          const code = cell.text.codePointAt(0);
          const block = textcodec.blockOf(code);
          blocks.set(block, (blocks.get(block) || 0) + 1);
          const length = textcodec.utf8(code).length / 2;
          lengths[length]++;
          classes += ` b${block[0]} u${length}`;
        }
        html += `<span role="gridcell" data-p="${pointer}" class="${classes}">${cell ? escaped(textcodec.visible(cell.text)) : ""}</span>`;
      }
      html += "</div>";
    });
    grid.innerHTML = html;
    grid.style.setProperty("--columns", width);
    grid.classList.toggle("narrow", width <= 16);
    grid.setAttribute("aria-rowcount", section.rows.length + 1);
    grid.setAttribute("aria-colcount", width + 1);
    const sheet = byId("hues") || document.head.appendChild(element("style", { id: "hues" }));
    sheet.textContent = [...blocks.keys()].map((block) => `.by-block .b${block[0]}{--hue:${textcodec.hue(block)}}`).join("");
    drawLegend(blocks, lengths);
    byId("marks").replaceChildren(...MARKS.filter(([mark]) => counts[mark]).map(([mark, text]) =>
      element("li", {}, element("span", { class: `swatch ${mark}`, "aria-hidden": "true" }), `${text}: `, element("b", { "data-mark": mark }, grouped(counts[mark])))));
    current = grid.querySelector("[role=gridcell]:not(.none)");
    current.tabIndex = 0;
  };

  const drawLegend = (blocks, lengths) => {
    const byBlock = byId("colours").value === "block";
    grid.classList.toggle("by-block", byBlock);
    grid.classList.toggle("by-utf8", !byBlock);
    const item = (style, name, count) => element("li", {}, element("span", { class: "swatch", style, "aria-hidden": "true" }), `${name}: ${grouped(count)}`);
    const items = byBlock
      ? [...blocks].sort((a, b) => a[0][0] - b[0][0]).map(([block, count]) => item(`--hue:${textcodec.hue(block)}`, block[2], count))
      : lengths.map((count, length) => count && item(`--hue:var(--u${length})`, `${length} ${length === 1 ? "byte" : "bytes"}`, count)).filter(Boolean);
    byId("legend").replaceChildren(...items);
    redrawLegend = () => drawLegend(blocks, lengths);
  };
  let redrawLegend;

  const show = (node) => {
    const pointer = Number(node.dataset.p);
    const cell = cells[pointer];
    const bytes = textcodec.bytesOf(section, pointer);
    const list = element("dl");
    const fact = (name, ...values) => list.append(element("dt", {}, name), element("dd", {}, ...values));
    const number = KATAKANA ? pointer - 1 : pointer;
    if (cell) {
      const codes = Array.from(cell.text, (character) => character.codePointAt(0));
      fact("Character", element("span", { class: "big" }, textcodec.visible(cell.text)));
      fact("Code point", codes.map(codePoint).join(" "));
      fact("Name", codes.map(textcodec.nameOf).filter(Boolean).join(", ") || "–");
      fact("Block", textcodec.blockOf(codes[0])[2]);
      fact("UTF-8", spaced(codes.map(textcodec.utf8).join("")));
    } else {
      fact("Character", "no entry");
    }
    fact("Pointer", String(number));
    if (KATAKANA) fact("Replaces", `${String.fromCodePoint(0xff60 + pointer)} U+${bytes}`);
    else fact("Bytes", spaced(bytes), section.escape ? ", after ESC " + section.escape.slice(2).match(/../g).map((pair) => String.fromCharCode(parseInt(pair, 16))).join(" ") : "");
    if (cell && !cell.encodes) {
      const other = textcodec.model(byId("encoding").value).encode(cell.text.codePointAt(0));
      fact("Encodes to", other && Array.from(cell.text).length === 1 ? spaced(other) : "nothing");
    }
    for (const code of encodeOnly.get(bytes) || []) fact("Also encoded here", `${textcodec.visible(String.fromCodePoint(code))} ${codePoint(code)}`);
    const marks = marksOf(cell, pointer).filter((mark) => mark !== "none").map((mark) => MARKS.find(([name]) => name === mark)[1]);
    if (marks.length) fact("Marks", marks.join("; "));
    byId("detail").replaceChildren(list);
  };

  const focus = (pointer) => {
    const node = grid.querySelector(`[data-p="${Math.max(0, Math.min(pointer, section.rows.length * section.columns.length - 1))}"]`);
    current.tabIndex = -1;
    current = node;
    node.tabIndex = 0;
    node.focus({ preventScroll: true });
    node.scrollIntoView({ block: "center", inline: "center" });
    show(node);
  };

  grid.addEventListener("pointerover", (event) => event.target.dataset.p && show(event.target));
  grid.addEventListener("click", (event) => event.target.dataset.p && focus(Number(event.target.dataset.p)));
  grid.addEventListener("focusin", (event) => event.target.dataset.p && show(event.target));
  grid.addEventListener("keydown", (event) => {
    if (!event.target.dataset.p || event.altKey || event.metaKey) return;
    const pointer = Number(event.target.dataset.p);
    const width = section.columns.length;
    const start = pointer - (pointer % width);
    const steps = {
      ArrowLeft: pointer - 1, ArrowRight: pointer + 1, ArrowUp: pointer - width, ArrowDown: pointer + width,
      PageUp: pointer - 10 * width, PageDown: pointer + 10 * width,
      Home: event.ctrlKey ? 0 : start, End: event.ctrlKey ? section.rows.length * width - 1 : start + width - 1,
    };
    if (!(event.key in steps)) return;
    event.preventDefault();
    const target = steps[event.key];
    if (target >= 0 && target < section.rows.length * width) focus(target);
  });

  const go = (query) => {
    const text = query.trim();
    const upper = text.toUpperCase().replace(/\s/g, "");
    let wanted = text;
    if (/^U\+[0-9A-F]{1,6}$/.test(upper) && parseInt(upper.slice(2), 16) <= 0x10ffff) wanted = String.fromCodePoint(parseInt(upper.slice(2), 16));
    let pointer = cells.findIndex((cell) => cell && cell.text === wanted);
    for (let i = 0; pointer < 0 && i < section.rows.length * section.columns.length; i++) if (textcodec.bytesOf(section, i) === upper) pointer = i;
    byId("goto-result").textContent = text && pointer < 0 ? "The index does not have it." : "";
    return pointer;
  };
  byId("goto").addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    const pointer = go(event.target.value);
    if (pointer >= 0) focus(pointer);
  });
  byId("goto").addEventListener("input", (event) => {
    const pointer = go(event.target.value);
    if (pointer < 0) return;
    const node = grid.querySelector(`[data-p="${pointer}"]`);
    node.scrollIntoView({ block: "nearest", inline: "center" });
    show(node);
  });
  byId("encoding").addEventListener("change", () => {
    choose(users[byId("encoding").selectedIndex]);
    draw();
  });
  byId("colours").addEventListener("change", () => redrawLegend());

  const [name, bytes] = decodeURIComponent(location.hash.slice(1)).split("/");
  if (users.some((encoding) => encoding.name === name)) byId("encoding").value = name;
  choose(users[Math.max(0, byId("encoding").selectedIndex)]);
  draw();
  // An example of each kind of query, from the index itself.
  const example = cells.findIndex((cell, pointer) => cell && pointer > cells.length / 2 && /^\p{L}$/u.test(cell.text));
  byId("goto").placeholder = `${cells[example].text}, ${codePoint(cells[example].text.codePointAt(0))}, ${textcodec.bytesOf(section, example)}`;
  if (bytes && go(bytes) >= 0) focus(go(bytes));
}
