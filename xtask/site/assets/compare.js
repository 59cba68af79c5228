// Lays two encodings over each other.
"use strict";
{
  const { element, codePoint, spaced, grouped } = textcodec;
  const byId = (id) => document.getElementById(id);
  const KINDS = [
    ["a", "only in A"],
    ["b", "only in B"],
    ["same", "the same in both"],
    ["different", "in both, but different"],
  ];
  let result;

  // The kind of a pair of answers.
  const kind = (a, b) => (a === undefined ? (b === undefined ? undefined : "b") : b === undefined ? "a" : a === b ? "same" : "different");

  const byCode = (a, b) => {
    const kinds = new Map();
    const bytes = (model) => (code) => model.encode(code) ?? model.decodeOnly(code);
    const [inA, inB] = [bytes(a), bytes(b)];
    for (let code = 0; code <= 0x10ffff; code++) {
      const found = kind(inA(code), inB(code));
      if (found) kinds.set(code, found);
    }
    const show = (code) => [codePoint(code), code < 0xd800 || code > 0xdfff ? textcodec.visible(String.fromCodePoint(code)) : "", inA(code), inB(code)];
    return { kinds, show, maps: Array.from({ length: 17 }, (_, plane) => [plane, plane ? `Plane ${plane}` : "Basic Multilingual Plane", 256]), heads: ["Code point", "Character"], bytes: true };
  };

  // The numbers of sequences of one byte are those of the bytes plus 65536, so that they have a map of their own.
  const byBytes = (a, b) => {
    const kinds = new Map();
    const digits = (number) => (number >= 65536 ? textcodec.hex(number - 65536, 2) : textcodec.hex(number, 4));
    for (let number = 0; number < 65536 + 256; number++) {
      const found = kind(a.decode(digits(number)), b.decode(digits(number)));
      if (found) kinds.set(number, found);
    }
    const text = (model, number) => {
      const decoded = model.decode(digits(number));
      return decoded === undefined ? undefined : `${textcodec.visible(decoded)} ${Array.from(decoded, (character) => codePoint(character.codePointAt(0))).join(" ")}`;
    };
    const show = (number) => [spaced(digits(number)), "", text(a, number), text(b, number)];
    return { kinds, show, maps: [[1, "One byte, 00 to FF", 16], [0, "Two bytes: lead byte by row, trail byte by column", 256]], heads: ["Bytes"], bytes: false };
  };

  const colours = () => {
    const style = getComputedStyle(document.documentElement);
    return Object.fromEntries(KINDS.map(([name]) => [name, style.getPropertyValue(`--kind-${name}`).trim()]));
  };

  const describe = (number) => {
    const [first, character, inA, inB] = result.show(number);
    const value = (text) => (text === undefined ? "–" : result.bytes ? spaced(text) : text);
    const found = result.kinds.get(number);
    const list = element("dl");
    const fact = (name, text) => list.append(element("dt", {}, name), element("dd", {}, text));
    fact(result.heads[0], `${first} ${character}`);
    fact(byId("a").value, value(inA));
    fact(byId("b").value, value(inB));
    fact("Result", found ? KINDS.find(([name]) => name === found)[1] : "in neither");
    byId("detail").replaceChildren(list);
  };

  const drawMaps = () => {
    const fills = colours();
    const figures = [];
    const totals = new Array(17).fill(0);
    for (const number of result.kinds.keys()) totals[number >> 16]++;
    for (const [plane, title, side] of result.maps) {
      const total = totals[plane];
      if (!total) continue;
      const isLarge = side === 256 && (plane === 0 || !result.bytes);
      const size = isLarge ? 512 : 256;
      const node = element("div", { class: isLarge ? "map" : "map small", tabindex: "0", role: "application", "aria-label": `Map, ${title}; arrow keys move` },
        element("canvas", { width: String(size), height: String(size), "aria-hidden": "true" }));
      figures.push(element("figure", {}, node, element("figcaption", {}, `${title}: ${grouped(total)}`)));
      // A map of 16 × 16 is drawn on the map of 256 × 256 in squares of 16 points.
      const number = (i) => plane * 65536 + (side === 256 ? i : (i >> 12) * 16 + ((i & 255) >> 4));
      textcodec.makeMap(node, (i) => fills[result.kinds.get(number(i))], (i) => describe(number(i)));
    }
    byId("maps").replaceChildren(...figures);
  };

  const drawList = () => {
    const wanted = byId("list-of").value;
    const numbers = [...result.kinds].filter(([, name]) => name === wanted).map(([number]) => number);
    byId("list-count").textContent = `${grouped(numbers.length)}${numbers.length > 500 ? ", the first 500 of them below" : ""}`;
    byId("list-head").replaceChildren(...[...result.heads, byId("a").value, byId("b").value].map((text) => element("th", { scope: "col" }, text)));
    byId("list").replaceChildren(...numbers.slice(0, 500).map((number) => {
      const [first, character, ...answers] = result.show(number);
      const row = element("tr", {}, element("td", {}, first));
      if (result.heads.length > 1) row.append(element("td", {}, character));
      for (const answer of answers) row.append(element("td", {}, answer === undefined ? "–" : result.bytes ? spaced(answer) : answer));
      return row;
    }));
  };

  const compare = () => {
    const [a, b] = [byId("a"), byId("b")].map((select) => textcodec.model(select.value));
    result = (byId("by").value === "code" ? byCode : byBytes)(a, b);
    const counts = Object.fromEntries(KINDS.map(([name]) => [name, 0]));
    for (const name of result.kinds.values()) counts[name]++;
    byId("counts").replaceChildren(...KINDS.map(([name, text]) =>
      element("li", {}, element("span", { class: `swatch kind-${name}`, "aria-hidden": "true" }), `${text}: `, element("b", { "data-kind": name }, grouped(counts[name])))));
    byId("list-of").replaceChildren(...KINDS.map(([name, text]) => element("option", { value: name }, text)));
    byId("list-of").value = ["different", "a", "b", "same"].find((name) => counts[name] > 0 && counts[name] < 5000) || "different";
    drawMaps();
    drawList();
    history.replaceState(null, "", `#a=${encodeURIComponent(a.name)}&b=${encodeURIComponent(b.name)}&by=${byId("by").value}`);
  };

  for (const id of ["a", "b"]) {
    byId(id).append(...textcodec.encodings.filter((encoding) => encoding.name !== "replacement").map((encoding) => element("option", {}, encoding.name)));
    byId(id).addEventListener("change", compare);
  }
  byId("by").addEventListener("change", compare);
  byId("list-of").addEventListener("change", drawList);
  const wanted = new URLSearchParams(location.hash.slice(1));
  const has = (name) => textcodec.encodings.some((encoding) => encoding.name === name && name !== "replacement");
  byId("a").value = has(wanted.get("a")) ? wanted.get("a") : "GBK";
  byId("b").value = has(wanted.get("b")) ? wanted.get("b") : byId("a").value === "Big5" ? "GBK" : "Big5";
  if (wanted.get("by") === "bytes") byId("by").value = "bytes";
  compare();
}
