// The interface of the npm package `jschardet`, over the detector.
import * as detection from './detect.mjs';
import { create } from 'textcodec:create/jschardet';

export const { detect, detectAll, enableDebug, VERSION, chardet, v3 } = create(detection);
export default { detect, detectAll, enableDebug, VERSION };
