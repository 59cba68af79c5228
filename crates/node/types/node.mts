// With the declarations of Node.js alone: its modules' streams, too, and what it has instead of arrays of bytes.
import { ReadableStream as NodeReadableStream, type WritableStream as NodeWritableStream } from 'node:stream/web';
import { TextDecoder as NodeTextDecoder } from 'node:util';
import { TextDecoder, TextDecoderStream, TextEncoder, TextEncoderStream, decode } from 'textcodec';

const texts: NodeReadableStream<string> = new NodeReadableStream<Uint8Array>().pipeThrough(new TextDecoderStream('sjis'));
const bytes: NodeReadableStream<Uint8Array> = texts.pipeThrough(new TextEncoderStream());
const sink: NodeWritableStream<string> = new TextEncoderStream().writable;
const decoder: NodeTextDecoder = new TextDecoder();
new TextDecoder().decode(Buffer.from('a')) + decode(Buffer.from('a'));
Buffer.from(new TextEncoder().encode('a').buffer);
