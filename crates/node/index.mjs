// The Encoding Standard: https://encoding.spec.whatwg.org/
export {
  default,
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
