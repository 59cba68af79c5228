// The worker of the playground: textcodec and the bytes are here, so that the page never waits. The generator puts the
// engine of crates/wasm in front of this script. A block keeps the names apart.
{
  // How many bytes are looked at between two messages.
  const PIECE = 1 << 16;
  // How many malformed sequences and unmappable characters the page lists.
  const LISTED = 1000;

  let engine;
  let bytes = new Uint8Array();
  // The last scan: its encoding, and the state of the decoder at the start of each piece.
  let scanned = { encoding: 0, checkpoints: [] };
  let latest = 0;
  // The functions of the detector, after the first task that needs them.
  let detection;

  const pause = () => new Promise((resolve) => setTimeout(resolve));
  const fromBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

  // UTF-16 in bytes. The Standard's encode writes UTF-8 in its place, as forms do; here the reader asked for UTF-16.
  const utf16Bytes = (name, text) => {
    const view = new DataView(new ArrayBuffer(2 * text.length));
    for (let at = 0; at < text.length; at++) view.setUint16(2 * at, text.charCodeAt(at), name === "UTF-16LE");
    return new Uint8Array(view.buffer);
  };
  // A lone surrogate is no character.
  const wellFormed = (text) => text.replace(/\p{Surrogate}/gu, "\uFFFD");

  const tasks = {
    async start({ plain, simd }) {
      const vectors = Boolean(simd) && hasVectors();
      engine = open(await WebAssembly.compile(fromBase64(vectors ? simd : plain)));
      return { encodings: engine.encodings, contexts: engine.contexts, vectors };
    },

    open({ buffer }) {
      bytes = new Uint8Array(buffer);
      const bom = engine.bomSniff(bytes);
      return { length: bytes.length, bom: bom === undefined ? null : engine.names[bom] };
    },

    // The bytes of a text that was typed.
    type({ text, encoding }) {
      const typed = wellFormed(text);
      const bytes = encoding.startsWith("UTF-16") ? utf16Bytes(encoding, typed) : engine.encode(engine.encodingOf(encoding), typed, false);
      return tasks.open({ buffer: bytes.slice().buffer });
    },

    // The bytes of each character of a text in some encodings, as hex digits, or null where an encoding does not have
    // the character. An escape sequence belongs to the character after it, and `tail` is the one at the end.
    bytes({ text, encodings }) {
      const characters = Array.from(wellFormed(text));
      const digits = (bytes) => Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ");
      const results = encodings.map((name) => {
        if (name.startsWith("UTF-16")) return { cells: characters.map((character) => digits(utf16Bytes(name, character))), tail: "" };
        const number = engine.encodingOf(name);
        const encode = (text) => engine.encode(number, text, true)?.slice();
        const has = characters.map((character) => encode(character) !== undefined);
        const encoded = encode(characters.filter((_, at) => has[at]).join(""));
        const { sequences } = engine.detail(number | engine.IGNORE_BOM, encoded, { state: engine.newState(), stream: false });
        const cells = [];
        let start = 0;
        for (const { offset, length, codePoints } of sequences) {
          if (!codePoints.length) continue;
          cells.push(digits(encoded.subarray(start, offset + length)));
          start = offset + length;
        }
        return { cells: has.map((has) => (has ? cells.shift() : null)), tail: digits(encoded.subarray(start)) };
      });
      return { characters, results };
    },

    sniff({ context, hints }) {
      return engine.sniff(bytes, context, hints);
    },

    // Looks at every sequence, and counts. A newer scan ends this one.
    async scan({ encoding }, progress) {
      const mine = ++latest;
      const number = engine.encodingOf(encoding);
      const state = engine.newState();
      const checkpoints = [];
      const result = { sequences: 0, malformed: 0, codePoints: 0, list: [] };
      let tick = performance.now();
      let size = PIECE;
      for (let at = 0; at < bytes.length; ) {
        checkpoints.push({ at, state: state.slice() });
        const piece = bytes.subarray(at, at + size);
        const { sequences, read } = engine.detail(number, piece, { state, stream: at + piece.length < bytes.length });
        for (const { offset, length, codePoints, reason } of sequences) {
          if (codePoints) result.codePoints += codePoints.length;
          else if (++result.malformed <= LISTED) result.list.push({ offset: at + offset, length, reason });
        }
        result.sequences += sequences.length;
        at += read;
        // A sequence that goes on after the piece needs a larger one.
        size = read ? PIECE : 2 * size;
        if (performance.now() - tick > 40) {
          progress(at / bytes.length);
          await pause();
          if (mine !== latest) return null;
          tick = performance.now();
        }
      }
      scanned = { encoding: number, checkpoints };
      return result;
    },

    // The sequences that have bytes from `from` to `to`, after a scan.
    view({ from, to }) {
      const end = Math.min(to, bytes.length);
      const seen = [];
      let checkpoint = scanned.checkpoints.findLast(({ at }) => at <= from) ?? { at: 0, state: engine.newState() };
      const state = checkpoint.state.slice();
      for (let at = checkpoint.at; at < end; ) {
        const piece = bytes.subarray(at, at + PIECE);
        const { sequences, read } = engine.detail(scanned.encoding, piece, { state, stream: at + piece.length < bytes.length });
        for (const sequence of sequences) {
          const offset = at + sequence.offset;
          if (offset < end && offset + sequence.length > from) seen.push({ ...sequence, offset });
        }
        if (!read) break;
        at += read;
      }
      return { bytes: bytes.slice(from, end), sequences: seen };
    },

    // What the bytes are, and the encodings that they can be in. A newer task of this kind ends this one.
    async detect({ library }, progress) {
      detection ??= openDetection(await WebAssembly.compile(fromBase64(library)));
      const asked = bytes;
      const detector = detection.start("");
      for (let at = 0; at < asked.length; at += 16 * PIECE) {
        detection.feed(detector, asked.subarray(at, at + 16 * PIECE));
        progress(at / asked.length);
        await pause();
        if (asked !== bytes) {
          detection.forget(detector);
          return null;
        }
      }
      return JSON.parse(detection.finish(detector));
    },

    // The sequences around a byte. They begin after a space or a mark of punctuation, which is inside of no sequence,
    // or at an even offset.
    excerpt({ encoding, offset }) {
      const first = Math.max(0, offset - 24);
      let start = first + (first % 2);
      for (let at = offset - 1; at >= Math.max(1, first); at--) if (bytes[at - 1] <= 0x2f && bytes[at - 1] >= 0x20) start = at;
      const piece = bytes.subarray(start, offset + 16);
      const { sequences } = engine.detail(engine.encodingOf(encoding), piece, { state: engine.newState(), stream: start + piece.length < bytes.length });
      return sequences.map((sequence) => ({ ...sequence, offset: start + sequence.offset }));
    },

    // Decodes with textcodec and with the browser, in pieces, and finds the first difference.
    async compare({ encoding }, progress) {
      let theirs;
      try {
        theirs = new TextDecoder(encoding, { ignoreBOM: true });
      } catch {
        return { missing: true };
      }
      const number = engine.encodingOf(encoding) | engine.IGNORE_BOM;
      const state = engine.newState();
      const result = { units: 0, difference: null, pieces: 0, different: 0, ours: 0, theirs: 0 };
      for (let at = 0; at < bytes.length || at === 0; at += 16 * PIECE) {
        const piece = bytes.subarray(at, at + 16 * PIECE);
        const stream = at + piece.length < bytes.length;
        const start = performance.now();
        const a = engine.decodeNext(number, state, piece, stream);
        const middle = performance.now();
        const b = theirs.decode(piece, { stream });
        result.ours += middle - start;
        result.theirs += performance.now() - middle;
        result.pieces++;
        if (a !== b) {
          result.different++;
          let same = 0;
          while (a.charCodeAt(same) === b.charCodeAt(same)) same++;
          const around = (text) => text.slice(Math.max(0, same - 8), same + 8);
          result.difference ??= { unit: result.units + same, ours: around(a), theirs: around(b) };
        }
        result.units += a.length;
        progress(at / bytes.length);
        await pause();
      }
      return result;
    },

    // The text of all bytes, encoded again.
    encode({ from, to, fatal }) {
      const text = engine.decodeAll(engine.encodingOf(from) | engine.IGNORE_BOM, bytes);
      if (to.startsWith("UTF-16")) return { bytes: utf16Bytes(to, text), unmappable: [], count: 0 };
      const number = engine.encodingOf(to);
      if (fatal) {
        const encoded = engine.encode(number, text, true);
        if (!encoded) return { stopped: engine.lastUnmappable() };
        return { bytes: encoded, unmappable: [], count: 0 };
      }
      const { bytes: encoded, unmappable } = engine.encodeDetail(number, text);
      return { bytes: encoded, unmappable: unmappable.slice(0, LISTED), count: unmappable.length };
    },

    // Every encoding in which the text can have been decoded although it was UTF-8.
    repair({ text }) {
      const results = [];
      for (const { number, name } of engine.encodings) {
        if (name === "UTF-8" || name === "replacement" || name.startsWith("UTF-16")) continue;
        const repaired = engine.repair(number, text).text;
        if (repaired !== undefined && repaired !== text) results.push({ name, text: repaired });
      }
      return results;
    },
  };

  self.onmessage = async ({ data: { id, task, values } }) => {
    try {
      const result = await tasks[task](values, (share) => self.postMessage({ id, share }));
      self.postMessage({ id, result });
    } catch (error) {
      self.postMessage({ id, error: error.message });
    }
  };
}
