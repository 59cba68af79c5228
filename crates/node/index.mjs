// The Encoding Standard: https://encoding.spec.whatwg.org/
export {
  TextDecoder,
  TextEncoder,
  TextDecoderStream,
  TextEncoderStream,
  decode,
  encode,
  encodeOrFail,
  bomSniff,
  labelToName,
  percentEncodeAfterEncoding,
  install,
} from './index.js';
