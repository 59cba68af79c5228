// The Encoding Standard: https://encoding.spec.whatwg.org/
export {
  default,
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
  detect,
  Detector,
} from './index.js';
