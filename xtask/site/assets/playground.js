// The page of the playground. All work is in a worker; see worker.js.
"use strict";
{
  const { element, hex, codePoint, spaced, grouped } = textcodec;
  const byId = (id) => document.getElementById(id);
  const PAGE = 512;
  // Why a rung of a ladder names no encoding.
  const NOTHING = {
    "byte order mark": "the bytes do not start with FE FF, FF FE or EF BB BF",
    user: "nobody chose an encoding",
    "HTML prescan": "no meta element in the first 1024 bytes names an encoding",
    "XML declaration": "no XML declaration at the start names an encoding",
    "@charset": "the bytes do not start with @charset and the label of an encoding",
    "charset attribute": "there is no reference with this attribute",
    "container document": "there is no document around this one",
    "earlier visit": "nothing is known from an earlier visit",
    locale: "no language is given",
    "referring document": "no document refers to these bytes",
  };
  const SNIFFED = ["HTML parser", "XML parser", "CSS style sheet from a document", "text document"];

  const call = textcodec.startWorker((message) => status(message));
  let length = 0;
  let from = 0;
  let encoding = "UTF-8";
  let scan = { malformed: 0, list: [] };
  const status = (text) => (byId("status").textContent = text);
  const progress = (share) => {
    byId("progress").hidden = share >= 1;
    byId("progress").value = share;
  };
  const guarded = (action) => async (...values) => {
    try {
      await action(...values);
    } catch (error) {
      progress(1);
      status(error.message);
    }
  };

  const dump = textcodec.makeDump(byId("dump"), ({ offset, length, codePoints, reason }) => {
    const list = element("dl");
    const fact = (name, value) => list.append(element("dt", {}, name), element("dd", {}, value));
    fact("Offset", `${offset} (${hex(offset, 2)})`);
    fact("Length", `${length} ${length === 1 ? "byte" : "bytes"}`);
    if (reason) fact("Malformed", reason);
    else if (!codePoints.length) fact("Text", "none: an escape sequence");
    for (const code of codePoints || []) {
      fact("Character", element("span", { class: "big" }, textcodec.visible(String.fromCodePoint(code))));
      fact("Code point", `${codePoint(code)} ${textcodec.nameOf(code)}`);
    }
    byId("detail").replaceChildren(list);
  });

  // In the mode fatal, the text ends before the first malformed sequence.
  const end = () => (byId("mode").value === "fatal" && scan.list.length ? scan.list[0].offset + scan.list[0].length : length);

  const show = async (offset, select) => {
    from = Math.max(0, Math.min(offset, Math.max(0, end() - 1)));
    from -= from % 16;
    const view = await call("view", { from, to: Math.min(from + PAGE, end()) });
    dump.show(from, view.bytes, view.sequences);
    byId("shown-text").textContent = view.sequences.map(({ codePoints, reason }) => (reason ? "\uFFFD" : String.fromCodePoint(...codePoints))).join("");
    byId("offset").value = from;
    byId("previous").disabled = from === 0;
    byId("next").disabled = from + PAGE >= end();
    byId("next-error").disabled = !scan.malformed;
    if (select !== undefined) dump.select(select);
  };

  // The encoding that is chosen or found, with the ladder.
  const choose = async () => {
    const [kind, name] = byId("encoding").value.split("\t");
    const sniffs = kind === "sniff";
    byId("hints").hidden = !sniffs;
    byId("ladder").hidden = !sniffs;
    if (!sniffs) return name;
    const contentType = byId("content-type").value;
    const found = await call("sniff", { context: name, hints: { contentType, guess: byId("guess").checked } });
    const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(contentType)?.[1];
    const transport = !contentType ? "no Content-Type is given" : charset ? `“${charset}” is not the label of an encoding` : "the Content-Type has no charset";
    const guess = byId("guess").checked ? "the bytes have no clear structure" : "guessing is off";
    const reason = ({ name, outcome }) => {
      if (outcome === "unasked") return "not asked, because a rung above has decided";
      if (outcome === "no") return { transport, "guess from the bytes": guess }[name] ?? NOTHING[name] ?? "names no encoding";
      const place = found.label ? `, at offset ${found.label.offset}` : "";
      return `${found.encoding}, ${found.confidence}: ${found.reason}${place}`;
    };
    byId("rungs").replaceChildren(...found.ladder.map((rung) =>
      element("li", { class: rung.outcome }, element("b", {}, rung.name), element("span", {}, reason(rung)))));
    return found.encoding;
  };

  const decode = guarded(async () => {
    if (byId("encoding").value === "") return;
    encoding = await choose();
    status(`Decoding as ${encoding} …`);
    progress(0);
    const start = performance.now();
    const result = await call("scan", { encoding }, progress);
    if (!result) return;
    progress(1);
    scan = result;
    const stops = byId("mode").value === "fatal" && scan.malformed;
    const first = scan.list[0];
    status(
      `${encoding}: ${grouped(length)} bytes in ${grouped(scan.sequences)} sequences, ${grouped(scan.codePoints)} code points, ` +
        (stops ? `stops at offset ${first.offset}: ${first.reason}` : `${grouped(scan.malformed)} malformed`) +
        ` (${((performance.now() - start) / 1000).toFixed(1)} s)`,
    );
    byId("error-count").textContent = grouped(scan.malformed) + (scan.malformed > scan.list.length ? `, the first ${scan.list.length} below` : "");
    byId("error-list").replaceChildren(...scan.list.slice(0, 200).map(({ offset, length, reason }) => {
      const button = element("button", { class: "quiet" }, `offset ${offset}`);
      button.addEventListener("click", () => show(offset - 64, offset));
      return element("li", {}, button, ` ${length} ${length === 1 ? "byte" : "bytes"}: ${reason}`);
    }));
    byId("encoded").replaceChildren();
    byId("compared").replaceChildren();
    await show(0);
  });

  const opened = async (result) => {
    length = result.length;
    dump.setEvidence([]);
    byId("detected").replaceChildren();
    byId("bom").textContent = result.bom ? `The bytes start with the byte order mark of ${result.bom}: the Standard's decode would use ${result.bom}, whatever the label.` : "";
    await decode();
  };
  const openBytes = guarded(async (buffer) => opened(await call("open", { buffer }, undefined, [buffer])));
  const openFile = guarded(async (file) => {
    setKind("file");
    status(`Reading ${file.name} …`);
    await openBytes(await file.arrayBuffer());
  });
  const openText = guarded(async () => opened(await call("type", { text: byId("text").value, encoding: byId("typed-encoding").value })));
  const openHex = guarded(async () => {
    const digits = byId("hex").value.replace(/0x|[\s,:]/gi, "");
    const wrong = /[^0-9a-f]/i.exec(digits);
    byId("hex-error").textContent = wrong ? `“${wrong[0]}” is not a hex digit.` : digits.length % 2 ? "The last byte has one digit." : "";
    if (byId("hex-error").textContent) return;
    await openBytes(Uint8Array.from(digits.match(/../g) || [], (pair) => parseInt(pair, 16)).buffer);
  });

  const setKind = (kind) => {
    document.querySelector(`[name=kind][value=${kind}]`).checked = true;
    for (const part of document.querySelectorAll("div[data-kind]")) part.hidden = part.dataset.kind !== kind;
  };

  // What the detector says about bytes that are no text in an encoding of the Standard.
  const KINDS = {
    empty: () => "There are no bytes.",
    ascii: () => "All bytes are ASCII, which is the same text in UTF-8 and in nearly every other encoding.",
    "utf-8": ({ hasBOM }) => `The bytes are UTF-8${hasBOM ? " with a byte order mark" : ""}.`,
    "damaged-utf-8": ({ malformed, offset }) => `The bytes are UTF-8 with ${grouped(malformed)} malformed ${malformed === 1 ? "sequence" : "sequences"}, the first at offset ${offset}.`,
    "utf-16": ({ hasBOM }) => `The bytes are UTF-16 ${hasBOM ? "with" : "without"} a byte order mark.`,
    "utf-32": () => "The bytes are UTF-32, which the Standard does not have.",
    "iso-2022": () => "The escape sequences of the bytes are those of ISO-2022.",
    hz: () => "The bytes are HZ: GB 2312 between ~{ and ~}.",
    "utf-7": () => "The bytes are UTF-7, which the Standard does not have.",
    legacy: () => "The bytes are text in a legacy encoding.",
    mixed: ({ offset }) => `A part of the bytes is UTF-16, and another part is not. The first change is at offset ${offset}.`,
    binary: ({ mimeType }) => `The bytes are no text${mimeType === "application/octet-stream" ? "" : `, but ${mimeType}`}.`,
    unknown: () => "The bytes are text in no encoding that the detector knows.",
  };
  const languageNames = new Intl.DisplayNames(["en"], { type: "language" });
  const SHOWN_GROUPS = 5;
  const SHOWN_EVIDENCE = 6;

  // The library of the detector is a script that is loaded when it is needed.
  let detector;
  const loadDetector = () =>
    (detector ??= textcodec.loadScript("data/detector.js").then(() => textcodec.detector));

  // The text around a byte, with the character that has the byte marked.
  const excerpt = async (name, offset) => {
    const sequences = await call("excerpt", { encoding: name, offset });
    const text = ({ codePoints, reason }) => (reason ? "\uFFFD" : Array.from(codePoints, (code) => (code === 0x20 ? " " : textcodec.visible(String.fromCodePoint(code)))).join(""));
    const at = sequences.findIndex((sequence) => sequence.offset <= offset && offset < sequence.offset + sequence.length);
    const part = (from, to) => sequences.slice(from, to).map(text).join("");
    return [part(0, at), element("mark", {}, part(at, at + 1)), part(at + 1)];
  };

  // One candidate and those with the same text.
  const candidateItem = async (group) => {
    const [{ encoding: name, language, probability, isStandard, evidence }, ...others] = group;
    // Never rounded up: only a certain answer has 100 %.
    const percent = `${Math.floor(1000 * probability) / 10} %`;
    const item = element("li", {},
      element("span", {}, element("span", { class: "percent" }, percent),
        element("span", { class: "likelihood", "aria-hidden": "true" }, element("i", { style: `width: ${100 * probability}%` }))),
      element("span", {}, element("b", {}, name), language ? `, ${languageNames.of(language)}` : "",
        element("span", { class: "same" }, others.length ? `the same text in ${others.map(({ encoding }) => encoding).join(", ")}` : "")));
    if (isStandard) {
      const button = element("button", { class: "quiet" }, `Decode as ${name}`);
      button.addEventListener("click", guarded(async () => {
        byId("encoding").value = `label\t${name}`;
        dump.setEvidence(evidence);
        await decode();
        if (evidence.length) await show(Math.min(...evidence) - 64);
      }));
      item.append(button);
      for (const offset of evidence.slice(0, SHOWN_EVIDENCE)) {
        const jump = element("button", { class: "quiet" }, `offset ${offset}`);
        jump.addEventListener("click", guarded(async () => {
          byId("encoding").value = `label\t${name}`;
          dump.setEvidence(evidence);
          await decode();
          await show(offset - 64, offset);
        }));
        item.append(element("span", { class: "excerpt" }, jump, " … ", ...(await excerpt(name, offset)), " …"));
      }
    }
    return item;
  };

  const detect = guarded(async () => {
    status("Asking the detector …");
    const found = await call("detect", { library: await loadDetector() }, progress);
    if (!found) return;
    progress(1);
    const groups = [];
    for (const candidate of found.candidates) (groups[candidate.group] ??= []).push(candidate);
    const items = [];
    for (const group of groups.filter(Boolean).slice(0, SHOWN_GROUPS)) items.push(await candidateItem(group));
    const hasEvidence = found.candidates[0]?.evidence.length > 0;
    byId("detected").replaceChildren(
      element("p", {}, KINDS[found.kind](found) + (hasEvidence ? " The marked characters speak most for the first answer, and against the next text." : "")),
      ...(items.length ? [element("ol", { class: "candidates" }, ...items)] : []),
      element("p", { class: "note" }, `Model ${found.modelVersion}. A bar is the probability that the encoding gives the right text.`));
    status(`The detector has looked at ${grouped(length)} bytes.`);
  });

  const encode = guarded(async () => {
    const to = byId("target").value;
    const result = await call("encode", { from: encoding, to, fatal: byId("encode-mode").value === "fatal" });
    if (result.stopped) {
      const { codePoint: code, index } = result.stopped;
      byId("encoded").replaceChildren(element("p", { class: "error" }, `${to} has no ${textcodec.visible(String.fromCodePoint(code))} ${codePoint(code)}, code unit ${index} of the text.`));
      return;
    }
    const start = Array.from(result.bytes.subarray(0, 256), (byte) => hex(byte, 2)).join(" ");
    const link = element("a", { class: "button quiet", download: `text.${to.toLowerCase()}.txt`, href: URL.createObjectURL(new Blob([result.bytes])) }, "Save the bytes");
    const list = element("ul", {}, ...result.unmappable.slice(0, 50).map(({ codePoint: code, index, offset }) =>
      element("li", {}, `${textcodec.visible(String.fromCodePoint(code))} ${codePoint(code)} ${textcodec.nameOf(code)}: code unit ${index}, byte ${offset}`)));
    byId("encoded").replaceChildren(
      element("p", {}, `${grouped(result.bytes.length)} bytes, ${grouped(result.count)} unmappable characters${result.count > 50 ? ", the first 50 below" : ""}.`),
      element("p", { class: "mono wrap" }, start + (result.bytes.length > 256 ? " …" : "")), list, link);
  });

  const compare = guarded(async () => {
    const result = await call("compare", { encoding }, progress);
    progress(1);
    const line = (text) => element("p", {}, text);
    if (result.missing) return byId("compared").replaceChildren(line(`This browser has no ${encoding}.`));
    const times = `textcodec ${result.ours.toFixed(0)} ms, this browser ${result.theirs.toFixed(0)} ms.`;
    const same = `The texts are the same: ${grouped(result.units)} code units. ${times}`;
    if (!result.difference) return byId("compared").replaceChildren(line(same));
    const points = (text) => `${text} (${Array.from(text, (character) => codePoint(character.codePointAt(0))).join(" ")})`;
    byId("compared").replaceChildren(
      line(`The texts differ, first at code unit ${grouped(result.difference.unit)}. ${times}`),
      line(`textcodec: … ${points(result.difference.ours)} …`), line(`this browser: … ${points(result.difference.theirs)} …`));
  });

  const repair = guarded(async () => {
    const results = await call("repair", { text: byId("broken").value });
    const groups = Map.groupBy ? Map.groupBy(results, ({ text }) => text) : new Map(results.map((result) => [result.text, [result]]));
    byId("repaired").replaceChildren(results.length
      ? element("ul", {}, ...[...groups].map(([text, found]) => element("li", {}, element("strong", {}, text), `, if it was decoded as ${found.map(({ name }) => name).join(", ")}`)))
      : element("p", {}, "The text cannot come from such a mistake: in no encoding do its bytes make well-formed UTF-8."));
  });

  const listen = (id, event, action) => byId(id).addEventListener(event, action);
  const nextError = guarded(async () => {
    const next = scan.list.find(({ offset }) => offset >= from + PAGE) ?? scan.list[0];
    if (next) await show(next.offset - 64, next.offset);
  });

  const start = guarded(async () => {
    const { encodings, contexts } = await call("start", { plain: textcodec.wasm.plain, simd: textcodec.wasm.simd });
    const names = encodings.filter(({ isLinked, name }) => isLinked && name !== "replacement").map(({ name }) => name);
    const options = () => names.map((name) => element("option", {}, name));
    byId("encoding").append(
      element("optgroup", { label: "Sniff as" }, ...SNIFFED.filter((name) => contexts.includes(name)).map((name) => element("option", { value: `sniff\t${name}` }, `sniff: ${name}`))),
      element("optgroup", { label: "Encodings" }, ...names.map((name) => element("option", { value: `label\t${name}` }, name))));
    byId("typed-encoding").append(...options());
    byId("target").append(...options());
    byId("target").value = "windows-1252";
    const hash = new URLSearchParams(location.hash.slice(1));
    const wanted = hash.get("encoding");
    const chosen = names.includes(wanted) ? wanted : "UTF-8";
    byId("encoding").value = `label\t${chosen}`;
    byId("typed-encoding").value = chosen;
    byId("text").value = hash.get("text") ?? "Grüße, Привет, こんにちは, 你好, 안녕하세요 ☃ 😀";
    document.body.dataset.ready = "";
    await openText();
  });

  for (const radio of document.querySelectorAll("[name=kind]")) radio.addEventListener("change", () => setKind(radio.value));
  listen("text", "input", openText);
  listen("typed-encoding", "change", openText);
  listen("hex", "input", openHex);
  listen("file", "change", () => byId("file").files[0] && openFile(byId("file").files[0]));
  for (const id of ["encoding", "mode", "content-type", "guess"]) listen(id, "change", decode);
  listen("previous", "click", () => show(from - PAGE));
  listen("next", "click", () => show(from + PAGE));
  listen("offset", "change", () => show(Number(byId("offset").value) || 0, Number(byId("offset").value) || 0));
  listen("next-error", "click", nextError);
  listen("detect", "click", detect);
  listen("encode", "click", encode);
  listen("compare", "click", compare);
  listen("repair", "click", repair);
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer.files[0]) openFile(event.dataTransfer.files[0]);
  });
  start();
}
