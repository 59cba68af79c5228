'use strict';
// Which encoding is it? The detector of the crate `textcodec-detect`.

const { Error, FinalizationRegistry, RangeError, defineProperty, iterator, jsonParse, stringIndexOf } = require('./primordials.cjs');
const { illegalInvocation, invalidArgument, markAsUncloneable, receiver, toDictionary, withCode } = require('./webidl.cjs');
const { ownBytes } = require('./own-bytes.cjs');
const { refusal } = require('./refusal.cjs');
const native = require('./native-detection.cjs');

// Detectors are not in the memory of JavaScript, so they are forgotten with the objects that they belong to.
const forgotten = new FinalizationRegistry(native.forget);

/** The options as the string that Rust reads: names and values, with U+0000 between them. */
function toText(options) {
  const dictionary = toDictionary(options, 'options');
  if (dictionary === undefined) return '';
  let text = '';
  const add = (name, value) => {
    const string = `${value}`;
    if (stringIndexOf(string, '\0') >= 0) throw withCode(new RangeError(`The option ${name} contains U+0000`), 'ERR_INVALID_ARG_VALUE');
    text += `${name}\0${string}\0`;
  };
  const addAll = (name, values) => {
    if (values === undefined || values === null) return;
    if (typeof values === 'string' || typeof values[iterator] !== 'function') {
      throw invalidArgument(`The option ${name} must be an iterable of strings`);
    }
    for (const value of values) add(name, value);
  };
  const addOne = (name, value) => {
    if (value !== undefined && value !== null) add(name, value);
  };
  const { among, exclude, languages, topLevelDomain, platform, declared, tiers, startsMidStream, endsMidStream } = dictionary;
  addAll('among', among);
  addAll('exclude', exclude);
  addAll('language', languages);
  addOne('topLevelDomain', topLevelDomain);
  addOne('platform', platform);
  addOne('declared', declared);
  addAll('tier', tiers);
  if (startsMidStream) add('startsMidStream', '');
  if (endsMidStream) add('endsMidStream', '');
  return text;
}

function start(options) {
  const detector = native.start(toText(options));
  if (typeof detector === 'string') throw refusal(detector);
  return detector;
}

/** The object of an answer in JSON, with the members of the best candidate. */
function toDetection(json) {
  const { kind, candidates, margin, modelVersion, ...others } = jsonParse(json);
  const best = candidates[0];
  return {
    encoding: best?.encoding ?? null,
    language: best?.language ?? null,
    probability: best?.probability ?? 0,
    kind,
    ...others,
    evidence: best?.evidence ?? [],
    candidates,
    margin,
    modelVersion,
  };
}

/** What a text is, and the encodings that it can be in. */
function detect(bytes, options = undefined) {
  const own = ownBytes(bytes, 'bytes');
  const detector = start(options);
  try {
    native.feed(detector, own);
  } catch (error) {
    native.forget(detector);
    throw error;
  }
  return toDetection(native.finish(detector));
}

class Detector {
  /** The number of the native detector, or undefined after the end. */
  #number;

  constructor(options = undefined) {
    this.#number = start(options);
    markAsUncloneable(this);
    forgotten.register(this, this.#number, this);
  }

  feed(bytes) {
    if (!(#number in receiver(this))) throw illegalInvocation();
    const own = ownBytes(bytes, 'bytes');
    native.feed(Detector.#open(this), own);
  }

  bestSoFar() {
    if (!(#number in receiver(this))) throw illegalInvocation();
    return toDetection(native.bestSoFar(Detector.#open(this)));
  }

  finish() {
    if (!(#number in receiver(this))) throw illegalInvocation();
    const number = Detector.#open(this);
    this.#number = undefined;
    forgotten.unregister(this);
    return toDetection(native.finish(number));
  }

  static #open(detector) {
    const number = detector.#number;
    if (number === undefined) throw withCode(new Error('The detector is finished'), 'ERR_INVALID_STATE');
    return number;
  }
}

defineProperty(Detector.prototype, Symbol.toStringTag, { __proto__: null, value: 'Detector', configurable: true });

module.exports = { __proto__: null, Detector, detect };
