// Maps of 256 × 256 code points.
"use strict";

// Makes a map that can be read with the mouse and with arrow keys. `node` has a canvas; `colour(row * 256 + column)` gives a CSS
// colour or undefined, and `show(number)` tells about one point.
textcodec.makeMap = (node, colour, show) => {
  const canvas = node.querySelector("canvas");
  const context = canvas.getContext("2d");
  const size = canvas.width / 256;
  const cursor = node.appendChild(textcodec.element("span", { class: "cursor", hidden: "" }));
  let at = 0;
  const draw = () => {
    context.clearRect(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 0; i < 65536; i++) {
      const fill = colour(i);
      if (!fill) continue;
      count++;
      context.fillStyle = fill;
      context.fillRect((i & 255) * size, (i >> 8) * size, size, size);
    }
    return count;
  };
  const move = (to) => {
    at = (to + 65536) % 65536;
    cursor.hidden = false;
    cursor.style.left = `${((at & 255) / 256) * 100}%`;
    cursor.style.top = `${((at >> 8) / 256) * 100}%`;
    show(at);
  };
  node.addEventListener("pointermove", (event) => {
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top].map((distance) => Math.floor((distance / box.width) * 256));
    if (x >= 0 && x < 256 && y >= 0 && y < 256) move(y * 256 + x);
  });
  node.addEventListener("focus", () => move(at));
  node.addEventListener("blur", () => (cursor.hidden = true));
  node.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -256, ArrowDown: 256, PageUp: -4096, PageDown: 4096 }[event.key];
    if (!step) return;
    event.preventDefault();
    move(at + step);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  return draw();
};

{
  const coverage = document.getElementById("coverage");
  if (coverage) {
    const index = textcodec.indexes[coverage.dataset.index];
    const characters = new Set();
    if (typeof index === "string") {
      for (const text of index) if (text !== "\uFFFD") characters.add(text.codePointAt(0));
    } else for (const [, first, length] of index) for (let i = 0; i < Math.min(length, 65536); i++) characters.add(first + i);
    const hues = new Map();
    const colour = (code) => {
      const block = textcodec.blockOf(code);
      if (!hues.has(block)) hues.set(block, textcodec.hue(block));
      return `hsl(${hues.get(block)} 65% ${matchMedia("(prefers-color-scheme: dark)").matches ? 62 : 42}%)`;
    };
    for (const map of coverage.querySelectorAll(".map")) {
      const plane = Number(map.dataset.plane) * 65536;
      const count = textcodec.makeMap(map, (i) => characters.has(plane + i) && colour(plane + i), (i) => {
        const code = plane + i;
        const has = characters.has(code);
        const parts = [textcodec.codePoint(code), has && textcodec.visible(String.fromCodePoint(code)), has ? textcodec.nameOf(code) : "not in the index", textcodec.blockOf(code)[2]];
        document.getElementById("coverage-detail").textContent = parts.filter(Boolean).join(" · ");
      });
      coverage.querySelector(`[data-drawn="${map.dataset.plane}"]`).textContent = textcodec.grouped(count);
    }
  }
}
