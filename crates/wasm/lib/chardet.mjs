// The interface of the npm package `chardet`, over the detector.
import * as detection from './detect.mjs';
import { create } from 'textcodec:create/chardet';

export const { analyse, detect } = create(detection);
export default { analyse, detect };
