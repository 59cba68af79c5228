// This compiles with the declarations of Node.js: streams of its modules, and its types for bytes.
import { ReadableStream as NodeReadableStream, type WritableStream as NodeWritableStream } from 'node:stream/web';
import { TextDecoder as NodeTextDecoder } from 'node:util';
import { TextDecoder, TextDecoderStream, TextEncoder, TextEncoderStream, decode } from '@textcodec/node';

const texts: NodeReadableStream<string> = new NodeReadableStream<Uint8Array>().pipeThrough(new TextDecoderStream('sjis'));
const bytes: NodeReadableStream<Uint8Array> = texts.pipeThrough(new TextEncoderStream());
const sink: NodeWritableStream<string> = new TextEncoderStream().writable;
const decoder: NodeTextDecoder = new TextDecoder();
new TextDecoder().decode(Buffer.from('a')) + decode(Buffer.from('a'));
Buffer.from(new TextEncoder().encode('a').buffer);
