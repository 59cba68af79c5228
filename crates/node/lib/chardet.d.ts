/** A name of chardet, or the Standard's name of an encoding that chardet does not know. */
export type EncodingName =
  | 'ASCII' | 'Big5' | 'EUC-JP' | 'EUC-KR' | 'GB18030' | 'ISO-2022-CN' | 'ISO-2022-JP' | 'ISO-2022-KR' | 'ISO-8859-1' | 'ISO-8859-2'
  | 'ISO-8859-5' | 'ISO-8859-6' | 'ISO-8859-7' | 'ISO-8859-8' | 'ISO-8859-9' | 'KOI8-R' | 'Shift_JIS' | 'UTF-16BE' | 'UTF-16LE' | 'UTF-32BE'
  | 'UTF-32LE' | 'UTF-8' | 'windows-1250' | 'windows-1251' | 'windows-1252' | 'windows-1253' | 'windows-1254' | 'windows-1255'
  | 'windows-1256' | 'windows-1257' | 'windows-1258' | 'windows-874' | (string & {});

export interface Match {
  /** From 0 to 100: the probability that this encoding gives the right text. */
  confidence: number;
  name: EncodingName;
  /** The code of the language. */
  lang?: string | undefined;
}

export type AnalyseResult = Match[];
export type DetectResult = string | null;

/** All encodings that the bytes can be in, the most probable first. */
export declare const analyse: (buffer: Uint8Array) => AnalyseResult;

/** The name of the most probable encoding, or null. */
export declare const detect: (buffer: Uint8Array) => DetectResult;
