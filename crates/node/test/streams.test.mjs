// https://encoding.spec.whatwg.org/#interface-textdecoderstream and #interface-textencoderstream
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReadableStream, WritableStream } from 'node:stream/web';
import { setTimeout } from 'node:timers/promises';
import { TextDecoderStream, TextEncoderStream } from '@textcodec/node';

const bytes = (...values) => Uint8Array.from(values);

/** A stream of chunks: `ReadableStream.from` is newer than Node.js 20.0. */
function from(chunks) {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

/** The chunks that come out of a stream. */
async function through(stream, chunks) {
  const out = [];
  for await (const chunk of from(chunks).pipeThrough(stream)) out.push(chunk);
  return out;
}

test('the sides are real streams', () => {
  for (const stream of [new TextDecoderStream(), new TextEncoderStream()]) {
    assert.ok(stream.readable instanceof ReadableStream && stream.writable instanceof WritableStream);
    assert.equal(stream.readable, stream.readable);
    assert.equal(stream.writable, stream.writable);
  }
});

test('the attributes are those of the constructor', () => {
  const stream = new TextDecoderStream('sjis', { fatal: true, ignoreBOM: true });
  assert.deepEqual([stream.encoding, stream.fatal, stream.ignoreBOM], ['shift_jis', true, true]);
  assert.equal(new TextEncoderStream().encoding, 'utf-8');
});

test('characters are joined over chunks, and nothing empty is enqueued', async () => {
  const chunks = [bytes(), bytes(0x61, 0xe2), bytes(0x82), bytes(0xac), bytes()];
  assert.deepEqual(await through(new TextDecoderStream(), chunks), ['a', '€']);
  assert.deepEqual(await through(new TextDecoderStream('euc-jp'), [bytes(0xa4), bytes(0xa2, 0xa4)]), ['あ', '\u{fffd}']);
  assert.deepEqual(await through(new TextDecoderStream(), []), []);
});

test('every kind of buffer source is a chunk', async () => {
  const buffer = bytes(0x61, 0x62).buffer;
  const shared = new SharedArrayBuffer(2);
  new Uint8Array(shared).fill(0x63);
  const detached = new Uint8Array(1);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  const chunks = [buffer, new DataView(buffer, 1), new Int16Array(buffer), shared, new Uint8Array(shared, 1), detached];
  assert.deepEqual(await through(new TextDecoderStream(), chunks), ['ab', 'b', 'ab', 'cc', 'c']);
});

test('the byte order mark', async () => {
  const chunks = [bytes(0xef), bytes(0xbb), bytes(0xbf), bytes(0xef, 0xbb, 0xbf)];
  assert.deepEqual(await through(new TextDecoderStream(), chunks), ['\u{feff}']);
  const ignoring = new TextDecoderStream('utf-8', { ignoreBOM: true });
  assert.deepEqual(await through(ignoring, chunks), ['\u{feff}', '\u{feff}']);
});

/** Writes a chunk, and expects that both sides are errored with an error that `check` accepts. */
async function assertErrored(stream, chunk, check) {
  const writer = stream.writable.getWriter();
  const reader = stream.readable.getReader();
  const all = [writer.write(chunk), reader.read(), writer.closed, reader.closed];
  for (const promise of all) await assert.rejects(promise, check);
}

test('a chunk that is no buffer source errors both sides', async () => {
  const error = { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE', message: 'The chunk must be an ArrayBuffer, a SharedArrayBuffer or a view of one' };
  for (const chunk of [undefined, null, 1, 'a', {}, [1]]) await assertErrored(new TextDecoderStream(), chunk, error);
});

test('a malformed chunk errors both sides of a fatal stream', async () => {
  const fatal = new TextDecoderStream('utf-8', { fatal: true });
  await assertErrored(fatal, bytes(0xff), { name: 'TypeError', code: 'ERR_ENCODING_INVALID_ENCODED_DATA' });
});

test('an incomplete end errors both sides of a fatal stream', async () => {
  const stream = new TextDecoderStream('utf-8', { fatal: true });
  const writer = stream.writable.getWriter();
  const reader = stream.readable.getReader();
  const read = reader.read();
  const all = [writer.write(bytes(0xe2)), writer.close()];
  await all[0];
  for (const promise of [all[1], read, reader.closed, writer.closed]) await assert.rejects(promise, TypeError);
});

test('chunks of an encoder stream are converted to strings', async () => {
  const chunks = [undefined, null, 1.5, ['a'], { toString: () => 'b' }, ''];
  const out = await through(new TextEncoderStream(), chunks);
  assert.deepEqual(out.map((chunk) => String.fromCharCode(...chunk)), ['undefined', 'null', '1.5', 'a', 'b']);
  assert.ok(out.every((chunk) => chunk.constructor === Uint8Array));
});

test('a chunk that cannot be converted errors both sides', async () => {
  const error = new Error('toString');
  await assertErrored(new TextEncoderStream(), { toString() { throw error; } }, error);
  await assertErrored(new TextEncoderStream(), Symbol('a'), TypeError);
  await assertErrored(new TextEncoderStream(), { toString: () => ({}) }, TypeError);
});

test('surrogates are joined over chunks', async () => {
  const encoder = new globalThis.TextEncoder();
  for (const [chunks, expected] of [
    [['\u{d83d}', '\u{dca9}'], ['💩']],
    [['a\u{d83d}', '', '\u{dca9}b'], ['a', '💩b']],
    [['\u{d83d}', 'a'], ['\u{fffd}a']],
    [['\u{d83d}', '\u{d83d}', '\u{dca9}'], ['\u{fffd}', '💩']],
    [['\u{d83d}'], ['\u{fffd}']],
    [['\u{dca9}', '\u{dca9}'], ['\u{fffd}', '\u{fffd}']],
    [['\u{d83d}\u{d83d}'], ['\u{fffd}', '\u{fffd}']],
    [['a'.repeat(5000) + '\u{d83d}', '\u{dca9}'], ['a'.repeat(5000), '💩']],
    // The first and the last surrogates of both kinds, and the code units beside them.
    [['\u{d800}', '\u{dc00}', '\u{dbff}', '\u{dfff}'], ['\u{10000}', '\u{10ffff}']],
    [['\u{d7ff}', '\u{e000}'], ['\u{d7ff}', '\u{e000}']],
  ]) {
    assert.deepEqual(await through(new TextEncoderStream(), chunks), expected.map((text) => encoder.encode(text)));
  }
});

test('a write waits for a read', async () => {
  for (const [stream, chunk] of [[new TextDecoderStream(), bytes(0x61)], [new TextEncoderStream(), 'a']]) {
    const writer = stream.writable.getWriter();
    const reader = stream.readable.getReader();
    assert.equal(writer.desiredSize, 1);
    let done = false;
    const write = writer.write(chunk).then(() => { done = true; });
    await setTimeout(1);
    assert.equal(done, false);
    await reader.read();
    await write;
    assert.equal(done, true);
  }
});

test('both streams in a row return the text', async () => {
  const text = 'aé€💩'.repeat(3000);
  const chunks = Array.from({ length: Math.ceil(text.length / 7) }, (_, at) => text.slice(7 * at, 7 * at + 7));
  const out = [];
  const piped = from(chunks).pipeThrough(new TextEncoderStream()).pipeThrough(new TextDecoderStream());
  for await (const chunk of piped) out.push(chunk);
  assert.equal(out.join(''), text);
});

test('two streams at once do not affect each other', async () => {
  const [first, second] = [new TextDecoderStream(), new TextDecoderStream('shift_jis')];
  const results = Promise.all([
    through(first, [bytes(0xe2), bytes(0x82), bytes(0xac)]),
    through(second, [bytes(0x83), bytes(0x65), bytes(0x83)]),
  ]);
  assert.deepEqual(await results, [['€'], ['テ', '\u{fffd}']]);
});
