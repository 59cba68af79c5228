// Charsets that the Encoding Standard does not have, beside those that it has.
import { load } from './charsets-load.mjs';

export const { charsets, lookup, decode, decodeOrFail, encode, encodeOrFail, CharsetDecoder, CharsetEncoder } = await load();
