// Maps of 256 × 256 code points.
"use strict";

// Makes a map that can be read with the mouse and with arrow keys. `node` has a canvas; `colour(row * 256 + column)`
// gives a CSS colour or undefined, and `show(number)` tells about one point.
textcodec.makeMap = (node, colour, show) => {
  const canvas = node.querySelector("canvas");
  const context = canvas.getContext("2d");
  const size = canvas.width / 256;
  const cursor = node.appendChild(textcodec.element("span", { class: "cursor", hidden: "" }));
  let at = 0;
  const draw = () => {
    context.clearRect(0, 0, canvas.width, canvas.height);
    let count = 0;
    // Points of one colour that follow each other in a row are one rectangle.
    for (let first = 0, next; first < 65536; first = next) {
      const fill = colour(first);
      for (next = first + 1; (next & 255) !== 0 && colour(next) === fill; ) next++;
      if (!fill) continue;
      count += next - first;
      context.fillStyle = fill;
      context.fillRect((first & 255) * size, (first >> 8) * size, (next - first) * size, size);
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
  const follow = (event) => {
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top].map((distance) => Math.floor((distance / box.width) * 256));
    if (x >= 0 && x < 256 && y >= 0 && y < 256) move(y * 256 + x);
  };
  node.addEventListener("pointermove", follow);
  // A finger that touches need not move.
  node.addEventListener("pointerdown", follow);
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
    // A byte for each code point that the index has.
    const has = new Uint8Array(0x110000);
    if (typeof index === "string") {
      for (const text of index) if (text !== "\uFFFD") has[text.codePointAt(0)] = 1;
    } else for (const [, first, length] of index) has.fill(1, first, first + length);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const colour = (code) => {
      const hue = textcodec.hue(textcodec.blockOf(code));
      // Code points in no block are grey.
      return `hsl(${hue ?? 0} ${hue === undefined ? 0 : 65}% ${dark.matches ? 62 : 42}%)`;
    };
    for (const map of coverage.querySelectorAll(".map")) {
      const plane = Number(map.dataset.plane) * 65536;
      const count = textcodec.makeMap(map, (i) => has[plane + i] && colour(plane + i), (i) => {
        const code = plane + i;
        const parts = [textcodec.codePoint(code), has[code] && textcodec.visible(String.fromCodePoint(code)), has[code] ? textcodec.nameOf(code) : "not in the index", textcodec.blockOf(code)[2]];
        document.getElementById("coverage-detail").textContent = parts.filter(Boolean).join(" · ");
      });
      coverage.querySelector(`[data-drawn="${map.dataset.plane}"]`).textContent = textcodec.grouped(count);
    }
  }
}
