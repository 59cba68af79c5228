// Which encoding is it?
import { load } from './detect-load.mjs';

export const { detect, Detector } = await load();
