// The first page: the line in ten encodings, and the buttons that copy a command. The library is loaded when somebody
// goes to the line.
"use strict";
{
  const { element } = textcodec;
  const byId = (id) => document.getElementById(id);
  const input = byId("live-text");
  const rows = [...document.querySelectorAll("#live [data-encoding]")];
  const status = (text) => (byId("live-status").textContent = text);

  const colour = (number) => ({ class: `c${number % 6}` });
  const visible = (character) => (character === " " ? "␣" : character);
  const show = (characters, results) => {
    document.querySelector("#live .characters .bytes").replaceChildren(
      ...characters.map((character, number) => element("span", colour(number), visible(character))));
    rows.forEach((row, number) => {
      const { cells, tail } = results[number];
      const parts = cells.map((cell, at) => (cell === null ? element("span", { class: "missing" }, characters[at]) : element("span", colour(at), cell)));
      if (tail) parts.push(element("span", { class: "tail" }, tail));
      row.querySelector(".bytes").replaceChildren(...parts);
      const missing = cells.filter((cell) => cell === null).length;
      const bytes = [...cells, tail].filter(Boolean).join(" ").split(" ").filter(Boolean).length;
      row.querySelector(".count").replaceChildren(`${bytes} ${bytes === 1 ? "byte" : "bytes"}`,
        ...(missing ? [element("span", { class: "lacks" }, `, lacks ${missing}`)] : []));
    });
  };

  let started;
  const start = () =>
    (started ??= textcodec.loadScript("data/wasm.js").then(async () => {
      const call = textcodec.startWorker(status);
      await call("start", { plain: textcodec.wasm.plain, simd: textcodec.wasm.simd });
      return call;
    }));

  // Results of an older text must not follow those of a newer one.
  let latest = 0;
  const update = async () => {
    const mine = ++latest;
    const text = input.value;
    byId("live-more").href = `${textcodec.root}playground.html#text=${encodeURIComponent(text)}`;
    try {
      const call = await start();
      const { characters, results } = await call("bytes", { text, encodings: rows.map((row) => row.dataset.encoding) });
      if (mine === latest) show(characters, results);
    } catch (error) {
      status(error.message);
    }
  };
  if ("wasm" in input.dataset) {
    input.readOnly = false;
    const prepare = () => start().catch((error) => status(error.message));
    input.addEventListener("focus", prepare);
    input.addEventListener("pointerenter", prepare);
    input.addEventListener("input", update);
    // A browser can keep what somebody typed before.
    if (input.value !== input.defaultValue) update();
  }

  for (const button of document.querySelectorAll(".copy")) {
    if (!navigator.clipboard) break;
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.previousElementSibling.textContent);
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 1500);
    });
  }
}
