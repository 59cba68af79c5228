// The Encoding Standard: https://encoding.spec.whatwg.org/
import { load } from './load.mjs';

export const {
  TextDecoder,
  TextEncoder,
  TextDecoderStream,
  TextEncoderStream,
  decode,
  decodeOrFail,
  encode,
  encodeOrFail,
  bomSniff,
  labelToName,
  percentEncodeAfterEncoding,
  install,
  sniff,
  contexts,
  encodings,
} = await load();
