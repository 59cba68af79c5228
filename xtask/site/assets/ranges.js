// The table of the index gb18030-ranges.
"use strict";
{
  const { element, codePoint, spaced, grouped, fourBytes } = textcodec;
  const shown = (code) => (textcodec.isPrivate(code) ? "" : textcodec.visible(String.fromCodePoint(code)));
  document.querySelector("#ranges tbody").append(...textcodec.indexes["gb18030-ranges"].map(([pointer, code, length]) => {
    const both = (f) => (length === 1 ? f(0) : `${f(0)} – ${f(length - 1)}`);
    const cells = [
      both((i) => spaced(fourBytes(pointer + i))),
      both((i) => codePoint(code + i)),
      grouped(length),
      shown(code) && both((i) => shown(code + i)),
      [...new Set([textcodec.blockOf(code)[2], textcodec.blockOf(code + length - 1)[2]])].join(" – "),
    ];
    const row = element("tr", {}, element("th", { scope: "row" }, both((i) => String(pointer + i))));
    cells.forEach((text, i) => row.append(element("td", i === 2 ? { class: "number" } : {}, text)));
    return row;
  }));
}
