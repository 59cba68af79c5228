// The types of the declarations are these, and no wider or narrower ones. The test compares the names of their members
// with the package.
import * as all from '@textcodec/node';
import * as chardet from '@textcodec/node/chardet';
import * as charsets from '@textcodec/node/charsets';
import * as jschardet from '@textcodec/node/jschardet';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
type Source = all.AllowSharedBufferSource;
type Flag = boolean | undefined;
type Names = Iterable<string> | null | undefined;

true satisfies Same<Source, ArrayBufferLike | ArrayBufferView>;
true satisfies Same<all.Bytes, Uint8Array<ArrayBuffer>>;
true satisfies Same<all.TextDecoderOptions, { fatal?: Flag; ignoreBOM?: Flag }>;
true satisfies Same<all.TextDecodeOptions, { stream?: Flag }>;
true satisfies Same<ConstructorParameters<typeof all.TextDecoder>, [label?: string, options?: all.TextDecoderOptions | null]>;
true satisfies Same<ConstructorParameters<typeof all.TextDecoderStream>, [label?: string, options?: all.TextDecoderOptions | null]>;
true satisfies Same<ConstructorParameters<typeof all.TextEncoder | typeof all.TextEncoderStream>, []>;
true satisfies Same<all.TextDecoder['encoding'] | all.TextDecoderStream['encoding'], string>;
true satisfies Same<[all.TextDecoder['fatal'], all.TextDecoder['ignoreBOM']], [boolean, boolean]>;
true satisfies Same<[all.TextDecoderStream['fatal'], all.TextDecoderStream['ignoreBOM']], [boolean, boolean]>;
true satisfies Same<all.TextEncoder['encoding'] | all.TextEncoderStream['encoding'], 'utf-8'>;
true satisfies Same<all.TextDecoder['decode'], {
  (input?: Source, options?: all.TextDecodeOptions | null): string;
  (input?: Uint8Array, options?: all.TextDecodeOptions | null): string;
}>;
true satisfies Same<all.TextEncoder['encode'], (input?: string) => all.Bytes>;
true satisfies Same<all.TextEncoder['encodeInto'], (source: string, destination: Uint8Array) => all.TextEncoderEncodeIntoResult>;
true satisfies Same<all.TextEncoderEncodeIntoResult, { read: number; written: number }>;
true satisfies Same<all.TextDecoderStream['readable'], ReadableStream<string>>;
true satisfies Same<all.TextDecoderStream['writable'], WritableStream<Source>>;
true satisfies Same<all.TextEncoderStream['readable'], ReadableStream<all.Bytes>>;
true satisfies Same<all.TextEncoderStream['writable'], WritableStream<string>>;
true satisfies Same<[typeof all.decode, typeof all.decodeOrFail], [(bytes: Source, label?: string) => string, (bytes: Source, label?: string) => string]>;
true satisfies Same<[typeof all.encode, typeof all.encodeOrFail], [(string: string, label?: string) => all.Bytes, (string: string, label?: string) => all.Bytes]>;
true satisfies Same<typeof all.bomSniff, (bytes: Source) => 'UTF-8' | 'UTF-16BE' | 'UTF-16LE' | null>;
true satisfies Same<typeof all.labelToName, (label: string) => string | null>;
true satisfies Same<typeof all.percentEncodeAfterEncoding, (label: string, string: string, percentEncodeSet: all.PercentEncodeSet, spaceAsPlus?: boolean) => string>;
true satisfies Same<typeof all.install, (target?: object) => void>;
true satisfies Same<[all.MalformedError['offset'], all.MalformedError['bytes']], [number, all.Bytes]>;
true satisfies Same<all.MalformedError['code'], 'ERR_ENCODING_INVALID_ENCODED_DATA'>;
true satisfies Same<[all.UnmappableError['codePoint'], all.UnmappableError['index']], [number, number]>;
true satisfies Same<all.UnmappableError['code'], 'ERR_ENCODING_UNMAPPABLE'>;
type SetName = 'C0 control' | 'fragment' | 'query' | 'special-query' | 'path' | 'userinfo' | 'component' | 'application/x-www-form-urlencoded';
true satisfies Same<all.PercentEncodeSetName, SetName>;
true satisfies Same<all.PercentEncodeSet, SetName | `${SetName} percent-encode set` | (Iterable<string | number> & object) | ((codePoint: number) => boolean)>;

true satisfies Same<all.DetectOptions, {
  among?: Names; exclude?: Names; languages?: Names; topLevelDomain?: string | null | undefined; declared?: string | null | undefined;
  platform?: 'windows' | 'mac' | 'unix' | 'dos' | null | undefined;
  tiers?: Iterable<'dos' | 'mac' | 'ebcdic' | 'johab' | 'vietnamese'> | null | undefined;
  startsMidStream?: Flag; endsMidStream?: Flag;
}>;
true satisfies Same<all.DetectionCandidate, { encoding: string; isStandard: boolean; language: string | null; probability: number; group: number; evidence: number[] }>;
true satisfies Same<all.DetectionKind, 'empty' | 'ascii' | 'utf-8' | 'damaged-utf-8' | 'utf-16' | 'utf-32' | 'iso-2022' | 'hz' | 'utf-7' | 'legacy' | 'mixed' | 'binary' | 'unknown'>;
true satisfies Same<[all.Detection['encoding'], all.Detection['language'], all.Detection['margin']], [string | null, string | null, number | null]>;
true satisfies Same<[all.Detection['probability'], all.Detection['modelVersion'], all.Detection['kind']], [number, number, all.DetectionKind]>;
true satisfies Same<Pick<all.Detection, 'hasBOM' | 'malformed' | 'offset' | 'mimeType'>, { hasBOM?: boolean; malformed?: number; offset?: number; mimeType?: string }>;
true satisfies Same<[all.Detection['evidence'], all.Detection['candidates']], [number[], all.DetectionCandidate[]]>;
true satisfies Same<typeof all.detect, (bytes: Source, options?: all.DetectOptions | null) => all.Detection>;
true satisfies Same<ConstructorParameters<typeof all.Detector>, [options?: all.DetectOptions | null]>;
true satisfies Same<all.Detector['feed'], (bytes: Source) => void>;
true satisfies Same<[all.Detector['bestSoFar'], all.Detector['finish']], [() => all.Detection, () => all.Detection]>;

true satisfies Same<charsets.CharsetName, { name: string; family: string | null }>;
true satisfies Same<[charsets.Charset['labels'], charsets.Charset['canEncode'], charsets.Charset['isSingleByte']], [string[], boolean, boolean]>;
true satisfies Same<[charsets.Charset['name'], charsets.Charset['family']], [string, string | null]>;
true satisfies Same<typeof charsets.charsets, () => charsets.CharsetName[]>;
true satisfies Same<typeof charsets.lookup, (name: string) => charsets.Charset>;
true satisfies Same<[typeof charsets.decode, typeof charsets.decodeOrFail], [(bytes: Source, charset: string) => string, (bytes: Source, charset: string) => string]>;
true satisfies Same<[typeof charsets.encode, typeof charsets.encodeOrFail], [(string: string, charset: string) => all.Bytes, (string: string, charset: string) => all.Bytes]>;
true satisfies Same<charsets.CharsetOptions, { fatal?: Flag }>;
true satisfies Same<charsets.CharsetStreamOptions, { stream?: Flag }>;
true satisfies Same<[ConstructorParameters<typeof charsets.CharsetDecoder>, ConstructorParameters<typeof charsets.CharsetEncoder>], [[charset: string, options?: charsets.CharsetOptions | null], [charset: string, options?: charsets.CharsetOptions | null]]>;
true satisfies Same<[charsets.CharsetDecoder['charset'], charsets.CharsetDecoder['fatal']], [string, boolean]>;
true satisfies Same<[charsets.CharsetEncoder['charset'], charsets.CharsetEncoder['fatal']], [string, boolean]>;
true satisfies Same<charsets.CharsetDecoder['decode'], (input?: Source, options?: charsets.CharsetStreamOptions | null) => string>;
true satisfies Same<charsets.CharsetEncoder['encode'], (input?: string, options?: charsets.CharsetStreamOptions | null) => all.Bytes>;

true satisfies Same<chardet.EncodingName,
  | 'ASCII' | 'Big5' | 'EUC-JP' | 'EUC-KR' | 'GB18030' | 'ISO-2022-CN' | 'ISO-2022-JP' | 'ISO-2022-KR' | 'ISO-8859-1' | 'ISO-8859-2'
  | 'ISO-8859-5' | 'ISO-8859-6' | 'ISO-8859-7' | 'ISO-8859-8' | 'ISO-8859-9' | 'KOI8-R' | 'Shift_JIS' | 'UTF-16BE' | 'UTF-16LE'
  | 'UTF-32BE' | 'UTF-32LE' | 'UTF-8' | 'windows-1250' | 'windows-1251' | 'windows-1252' | 'windows-1253' | 'windows-1254' | 'windows-1255'
  | 'windows-1256' | 'windows-1257' | 'windows-1258' | 'windows-874' | (string & {})
>;
true satisfies Same<typeof chardet.analyse, (buffer: Uint8Array) => chardet.Match[]>;
true satisfies Same<typeof chardet.detect, (buffer: Uint8Array) => string | null>;
true satisfies Same<chardet.Options, { sampleSize?: number; offset?: number }>;
true satisfies Same<typeof chardet.detectFile, (filepath: string, options?: chardet.Options) => Promise<string | null>>;
true satisfies Same<typeof chardet.detectFileSync, (filepath: string, options?: chardet.Options) => string | null>;
true satisfies Same<chardet.Match, { confidence: number; name: chardet.EncodingName; lang?: string | undefined }>;

type Input = string | Uint8Array | ArrayBuffer | ArrayBufferView;
type Found = { encoding: string | null; confidence: number };
true satisfies Same<jschardet.IDetectedMap, { encoding: string | null; confidence: number; language: string | null; mimeType: string | null }>;
true satisfies Same<jschardet.IOptionsMap, { minimumThreshold?: number; detectEncodings?: string[]; excludeEncodings?: string[] }>;
true satisfies Same<typeof jschardet.detect, (buffer: Input, options?: jschardet.IOptionsMap) => jschardet.IDetectedMap>;
true satisfies Same<typeof jschardet.detectAll, (buffer: Input, options?: jschardet.IOptionsMap) => jschardet.IDetectedMap[]>;
true satisfies Same<[typeof jschardet.enableDebug, typeof jschardet.v3.enableDebug, typeof jschardet.VERSION], [() => void, () => void, string]>;
true satisfies Same<jschardet.ChardetOptions, {
  encodingEra?: number; maxBytes?: number; preferSuperset?: boolean; shouldRenameLegacy?: boolean; compatNames?: boolean;
  includeEncodings?: Iterable<string> | null; excludeEncodings?: Iterable<string> | null; noMatchEncoding?: string; emptyInputEncoding?: string;
}>;
true satisfies Same<typeof jschardet.chardet.detect, (bytes: Uint8Array, options?: jschardet.ChardetOptions) => jschardet.IDetectedMap>;
true satisfies Same<typeof jschardet.chardet.detectAll, (bytes: Uint8Array, options?: jschardet.ChardetOptions & { ignoreThreshold?: boolean }) => jschardet.IDetectedMap[]>;
type Methods<T> = Pick<T, 'feed' & keyof T | 'close' & keyof T | 'reset' & keyof T>;
true satisfies Same<ConstructorParameters<typeof jschardet.chardet.UniversalDetector>, [options?: jschardet.ChardetOptions]>;
true satisfies Same<Methods<jschardet.chardet.UniversalDetector>, { feed(bytes: Uint8Array): void; close(): jschardet.IDetectedMap; reset(): void }>;
type Numbers = 'DEFAULT_MAX_BYTES' | 'DETERMINISTIC_CONFIDENCE' | 'EVIDENCE_CAP_BYTES' | 'MINIMUM_THRESHOLD';
true satisfies Same<{ [name in Numbers]: (typeof jschardet.chardet)[name] }, Record<Numbers, number>>;
true satisfies Same<typeof jschardet.chardet.UniversalDetector.MINIMUM_THRESHOLD, number>;
true satisfies Same<(typeof jschardet.chardet.EncodingEra)['ALL'], number>;
true satisfies Same<(typeof jschardet.chardet.LanguageFilter)['ALL'], number>;
true satisfies Same<[jschardet.chardet.UniversalDetector['done'], jschardet.chardet.UniversalDetector['result']], [boolean, jschardet.IDetectedMap]>;
true satisfies Same<jschardet.v3.Result, Found>;
true satisfies Same<jschardet.v3.Options, { minimumThreshold?: number; detectEncodings?: string[] }>;
true satisfies Same<typeof jschardet.v3.detect, (buffer: Input, options?: jschardet.v3.Options) => jschardet.v3.Result>;
true satisfies Same<typeof jschardet.v3.detectAll, (buffer: Input, options?: jschardet.v3.Options) => jschardet.v3.Result[]>;
true satisfies Same<[jschardet.v3.UniversalDetector['result'], jschardet.v3.UniversalDetector['results'], jschardet.v3.UniversalDetector['done']], [jschardet.v3.Result, jschardet.v3.Result[], boolean]>;
true satisfies Same<ConstructorParameters<typeof jschardet.v3.UniversalDetector>, [options?: jschardet.v3.Options]>;
true satisfies Same<Methods<jschardet.v3.UniversalDetector>, { feed(buffer: Input): void; close(): void; reset(): void }>;

// A member can be undefined explicitly.
({ fatal: undefined, ignoreBOM: undefined }) satisfies all.TextDecoderOptions;
({ stream: undefined }) satisfies all.TextDecodeOptions & charsets.CharsetStreamOptions;
({ fatal: undefined }) satisfies charsets.CharsetOptions;
({
  among: undefined, exclude: undefined, languages: undefined, topLevelDomain: undefined, platform: undefined, declared: undefined, tiers: undefined,
  startsMidStream: undefined, endsMidStream: undefined,
}) satisfies all.DetectOptions;
