// UTF-8 as the Standard defines it, one code unit or byte at a time. The tests compare with it, because Node.js has
// bugs in some versions.

/**
 * https://encoding.spec.whatwg.org/#dom-textencoder-encodeinto into an array of `capacity` bytes.
 * @returns {{ bytes: Uint8Array, read: number }} the bytes, and the number of code units that were read
 */
export function encodeInto(source, capacity) {
  const bytes = [];
  let read = 0;
  for (const character of source) {
    const item = character.codePointAt(0);
    const codePoint = item >= 0xd800 && item <= 0xdfff ? 0xfffd : item;
    // https://encoding.spec.whatwg.org/#utf-8-encoder
    const count = codePoint < 0x80 ? 0 : codePoint < 0x800 ? 1 : codePoint < 0x10000 ? 2 : 3;
    if (bytes.length + 1 + count > capacity) break;
    bytes.push(count === 0 ? codePoint : [0, 0xc0, 0xe0, 0xf0][count] + (codePoint >> (6 * count)));
    for (let at = count - 1; at >= 0; at--) bytes.push(0x80 | ((codePoint >> (6 * at)) & 0x3f));
    read += character.length;
  }
  return { bytes: Uint8Array.from(bytes), read };
}

/** https://encoding.spec.whatwg.org/#dom-textencoder-encode */
export function encode(source) {
  return encodeInto(source, Infinity).bytes;
}

/** The string with U+FFFD in place of surrogates without a partner. */
export function wellFormed(source) {
  return Array.from(source, (character) => (/^[\ud800-\udfff]$/.test(character) ? '\u{fffd}' : character)).join('');
}

/**
 * https://encoding.spec.whatwg.org/#utf-8-decoder. Malformed bytes become U+FFFD, and a byte order mark becomes U+FEFF.
 */
export function decode(bytes) {
  let text = '';
  let [codePoint, seen, needed, lower, upper] = [0, 0, 0, 0x80, 0xbf];
  for (let at = 0; at <= bytes.length; at++) {
    const byte = bytes[at];
    if (needed === 0) {
      if (byte === undefined) break;
      if (byte < 0x80) {
        text += String.fromCharCode(byte);
      } else if (byte >= 0xc2 && byte <= 0xdf) {
        [needed, codePoint] = [1, byte & 0x1f];
      } else if (byte >= 0xe0 && byte <= 0xef) {
        if (byte === 0xe0) lower = 0xa0;
        if (byte === 0xed) upper = 0x9f;
        [needed, codePoint] = [2, byte & 0xf];
      } else if (byte >= 0xf0 && byte <= 0xf4) {
        if (byte === 0xf0) lower = 0x90;
        if (byte === 0xf4) upper = 0x8f;
        [needed, codePoint] = [3, byte & 0x7];
      } else {
        text += '\u{fffd}';
      }
    } else if (byte === undefined || byte < lower || byte > upper) {
      [codePoint, seen, needed, lower, upper] = [0, 0, 0, 0x80, 0xbf];
      text += '\u{fffd}';
      if (byte !== undefined) at -= 1;
    } else {
      [lower, upper] = [0x80, 0xbf];
      codePoint = (codePoint << 6) | (byte & 0x3f);
      seen += 1;
      if (seen === needed) {
        text += String.fromCodePoint(codePoint);
        [codePoint, seen, needed] = [0, 0, 0];
      }
    }
  }
  return text;
}
