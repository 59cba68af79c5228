// Measures the functions of the Node package on adversarial inputs of four lengths: `linear.mjs BYTES [PACKAGE]`.
//
// `cargo xtask linear --faces` runs it and judges the lines: the name of a case, the length of its input, and
// nanoseconds.
import { createRequire } from 'node:module';

const [length, packagePath = '../../crates/node'] = [Number(process.argv[2]), process.argv[3]];
const require = createRequire(import.meta.url);
const node = require(packagePath);
const charsets = require(`${packagePath}/charsets.js`);
const detect = require(`${packagePath}/detect.js`);

const bytes = ['\xff', 'a\xff', '\x81\x30', '\x1b$B', '\xc3\x83', '<a ', '\x00\xd8\x00'];
const texts = ['\u{10ffff}', 'a\ud800', '☃', 'a☃', '%&\r\n', '\u0301'];

/** Feeds a coder of a stream with pieces of this size, and ends the stream. */
function inPieces(whole, size, put, end) {
  for (let at = 0; at < whole.length; at += size) put(whole.slice(at, at + size));
  end();
}

function decodeStream(data, label) {
  const decoder = new node.TextDecoder(label);
  inPieces(data, 16, (piece) => decoder.decode(piece, { stream: true }), () => decoder.decode());
}

const ofBytes = {
  'decode windows-1252': (data) => node.decode(data, 'windows-1252'),
  'decode gb18030': (data) => node.decode(data, 'gb18030'),
  'decode iso-2022-jp': (data) => node.decode(data, 'iso-2022-jp'),
  'decode utf-16le': (data) => node.decode(data, 'utf-16le'),
  'decodeOrFail utf-8': (data) => node.decodeOrFail(data, 'utf-8'),
  'TextDecoder in pieces': (data) => decodeStream(data, 'euc-jp'),
  'charsets.decode': (data) => charsets.decode(data, 'cp037'),
  'detect': (data) => detect.detect(data),
};

const ofText = {
  'encode windows-1252': (text) => node.encode(text, 'windows-1252'),
  'encode gb18030': (text) => node.encode(text, 'gb18030'),
  'encode iso-2022-jp': (text) => node.encode(text, 'iso-2022-jp'),
  'encodeOrFail utf-8': (text) => node.encodeOrFail(text, 'utf-8'),
  'TextEncoder': (text) => new node.TextEncoder().encode(text),
  'charsets.encode': (text) => charsets.encode(text, 'cp037'),
  'percentEncodeAfterEncoding': (text) => node.percentEncodeAfterEncoding('koi8-r', text, 'query'),
  'labelToName': (text) => node.labelToName(text),
};

/** The least time of three runs, as processors count it, so that other programs matter little. */
function nanoseconds(call, input) {
  let least = Infinity;
  for (let run = 0; run < 3; run++) {
    const start = process.cpuUsage();
    try {
      call(input);
    } catch {
      // An error is a result, too.
    }
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, 1000 * (user + system));
  }
  return least;
}

for (const [cases, patterns] of [[ofBytes, bytes], [ofText, texts]]) {
  for (const [name, call] of Object.entries(cases)) {
    for (const pattern of patterns) {
      for (const times of [1, 2, 4, 8]) {
        const text = pattern.repeat(Math.floor((length * times) / pattern.length));
        const input = cases === ofBytes ? Uint8Array.from(Buffer.from(text, 'latin1')) : text;
        console.log(`Node ${name} ${JSON.stringify(pattern)}\t${input.length}\t${nanoseconds(call, input)}`);
      }
    }
  }
}
