// The table of the playground: bytes on the left, characters on the right, in the colour of their sequence.
"use strict";

// Shows sequences in `node`. `tell` is called with the sequence that the reader points at.
textcodec.makeDump = (node, tell) => {
  const { element, hex } = textcodec;
  const ROW = 16;
  let sequences = [];
  let selected = -1;
  // The offsets of bytes that are marked as evidence.
  let evidence = new Set();

  const mark = (number) => {
    for (const old of node.querySelectorAll(".selected")) old.classList.remove("selected");
    selected = number;
    for (const part of node.querySelectorAll(`[data-s="${number}"]`)) part.classList.add("selected");
  };
  const select = (number) => {
    if (number < 0 || number >= sequences.length) return;
    mark(number);
    node.querySelector(".selected")?.scrollIntoView({ block: "nearest" });
    tell(sequences[number]);
  };

  const point = ({ target }) => target.dataset.s && Number(target.dataset.s) !== selected && select(Number(target.dataset.s));
  node.addEventListener("pointerover", point);
  node.addEventListener("click", point);
  node.addEventListener("focus", () => selected < 0 && select(0));
  node.addEventListener("keydown", (event) => {
    const last = sequences.length - 1;
    const below = (direction) => {
      const wanted = sequences[Math.max(selected, 0)].offset + direction * ROW;
      return sequences.findIndex(({ offset, length }) => offset <= wanted && wanted < offset + length);
    };
    const target = { ArrowRight: () => selected + 1, ArrowLeft: () => selected - 1, ArrowDown: () => below(1), ArrowUp: () => below(-1), Home: () => 0, End: () => last }[event.key];
    if (!target || !sequences.length) return;
    event.preventDefault();
    select(target());
  });

  const characters = ({ codePoints, reason }) => {
    if (reason) return "\uFFFD";
    return codePoints.map((code) => (code === 0x20 ? " " : textcodec.visible(String.fromCodePoint(code)))).join("") || "␛";
  };

  return {
    select: (offset) => select(sequences.findIndex((sequence) => sequence.offset <= offset && offset < sequence.offset + sequence.length)),
    // The next bytes that are shown have these marks.
    setEvidence: (offsets) => (evidence = new Set(offsets)),
    // Shows the bytes from the offset `from`, and the sequences that they belong to.
    show(from, bytes, shown) {
      sequences = shown;
      selected = -1;
      const rows = [];
      let at = 0;
      for (let start = 0; start < bytes.length; start += ROW) {
        const left = element("span", { class: "bytes" });
        const right = element("span", { class: "characters" });
        for (let i = start; i < Math.min(start + ROW, bytes.length); i++) {
          while (at < sequences.length - 1 && sequences[at].offset + sequences[at].length <= from + i) at++;
          const sequence = sequences[at];
          const colour = sequence?.reason ? "malformed" : `c${at % 6}`;
          const isEvidence = evidence.has(from + i);
          left.append(element("span", { class: isEvidence ? `${colour} evidence` : colour, "data-s": at }, hex(bytes[i], 2)));
          if (sequence && sequence.offset === from + i) {
            const decides = Array.from({ length: sequence.length }, (_, byte) => sequence.offset + byte).some((offset) => evidence.has(offset));
            right.append(element("span", { class: decides ? `${colour} evidence` : colour, "data-s": at }, characters(sequence)));
          }
        }
        rows.push(element("div", { class: "line" }, element("span", { class: "offset" }, hex(from + start, 6)), left, right));
      }
      node.replaceChildren(...rows);
    },
  };
};
