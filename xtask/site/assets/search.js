// Finds a character, a code point, bytes or a label in all encodings.
"use strict";
{
  const { element, codePoint, spaced } = textcodec;
  const byId = (id) => document.getElementById(id);
  const link = (encoding) => element("a", { href: `encoding/${encoding.slug}.html` }, encoding.name);
  const table = (heads, rows) => element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Results" },
    element("table", {}, element("thead", {}, element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)))),
      element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((cell, i) => element(i ? "td" : "th", i ? {} : { scope: "row" }, cell)))))));

  // The section with the chart of the sequence, if there is one.
  const chartLink = (model, hex) => {
    for (const section of model.encoding.sections) {
      if (!section.index || !hex.startsWith(section.escape)) continue;
      const bytes = hex.slice(section.escape.length);
      const inside = section.rows.some((row) => bytes.startsWith(row) && section.columns.includes(bytes.slice(row.length)));
      if (inside) return element("a", { href: `index/${textcodec.slug(section.index)}.html#${model.name}/${bytes}` }, section.index);
    }
    return "";
  };

  const ofCharacter = (code) => {
    const title = element("h2", {}, `${textcodec.visible(String.fromCodePoint(code))} ${codePoint(code)} ${textcodec.nameOf(code)}`);
    const rows = [];
    const without = [];
    for (const encoding of textcodec.encodings) {
      if (encoding.name === "replacement") continue;
      const model = textcodec.model(encoding.name);
      const encoded = model.encode(code);
      const decoded = model.decodeOnly(code);
      const hex = encoded ?? decoded;
      if (!hex) without.push(encoding);
      else {
        const note = encoded === undefined ? "only decodes" : model.isEncodeOnly(code) ? `only encodes; decodes to ${model.decode(encoded) ?? "an error"}` : decoded ? `also decoded from ${spaced(decoded)}` : "";
        rows.push([link(encoding), spaced(hex), note, chartLink(model, hex)]);
      }
    }
    const rest = element("p", {}, without.length ? "Not in: " : "");
    without.forEach((encoding, i) => rest.append(i ? ", " : "", link(encoding)));
    return [title, element("p", {}, `Block ${textcodec.blockOf(code)[2]}. In ${rows.length} encodings.`), table(["Encoding", "Bytes", "Note", "Chart"], rows), rest];
  };

  const ofBytes = (hex) => {
    const rows = [];
    for (const encoding of textcodec.encodings) {
      if (encoding.name === "replacement") continue;
      const text = textcodec.model(encoding.name).decodeAll(hex);
      const codes = Array.from(text, (character) => codePoint(character.codePointAt(0))).join(" ");
      if (text && !text.includes("\uFFFD")) rows.push([link(encoding), Array.from(text, textcodec.visible).join(""), codes, chartLink(textcodec.model(encoding.name), hex)]);
    }
    return [element("h2", {}, `Bytes ${spaced(hex)}`), element("p", {}, `Well-formed in ${rows.length} encodings.`), table(["Encoding", "Text", "Code points", "Chart"], rows)];
  };

  const ofLabel = (query) => {
    const label = query.trim().toLowerCase();
    const rows = textcodec.encodings
      .map((encoding) => [encoding, encoding.labels.filter((candidate) => candidate.includes(label))])
      .filter(([, labels]) => labels.length)
      .sort(([, a], [, b]) => b.includes(label) - a.includes(label));
    if (!rows.length) return [];
    const exact = rows[0][1].includes(label);
    return [
      element("h2", {}, exact ? `Label ${label}` : `Labels with “${label}”`),
      table(["Encoding", "Labels"], rows.map(([encoding, labels]) => [link(encoding), labels.join(", ")])),
    ];
  };

  const search = (query) => {
    const text = query.trim();
    const results = [];
    const point = /^(?:u\+|0x|\\u|&#x)\{?([0-9a-f]{1,6})\}?;?$/i.exec(text);
    const code = point && parseInt(point[1], 16);
    if (code !== null && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)) results.push(...ofCharacter(code));
    else {
      const characters = Array.from(text || (query ? " " : ""));
      const bytes = text.replace(/[\s,]|0x/gi, "").toUpperCase();
      if (characters.length > 1) results.push(...ofLabel(text));
      if (/^(?:[0-9A-F]{2}){1,16}$/.test(bytes)) results.push(...ofBytes(bytes));
      if (characters.length === 1 || !results.length) for (const character of [...new Set(characters)].slice(0, 8)) results.push(...ofCharacter(character.codePointAt(0)));
    }
    byId("results").replaceChildren(...results);
  };

  byId("form").addEventListener("submit", (event) => {
    event.preventDefault();
    search(byId("query").value);
    history.replaceState(null, "", `?q=${encodeURIComponent(byId("query").value)}`);
  });
  const wanted = new URLSearchParams(location.search).get("q");
  if (wanted) {
    byId("query").value = wanted;
    search(wanted);
  }
}
