//! The charsets of Chinese, Japanese and Korean that glibc has.

use textcodec_cjk_chinese::for_charsets as chinese;
use textcodec_cjk_japanese::for_charsets as japanese;
use textcodec_cjk_korean::for_charsets as korean;
use textcodec_core::CutRule;

#[cfg(feature = "encode")]
use crate::pair_codecs::iso_2022::{Iso2022CnEncoder, Iso2022JpEncoder};
use crate::pair_codecs::{
    codec_of_pairs,
    dicom::codec_of_dicom,
    escapes::{Hz, Iso2022Kr, codec_of_escapes},
    iso_2022::{Iso2022Cn, Iso2022CnExt, Iso2022Jp, Iso2022Jp1, Iso2022Jp2, Iso2022Jp3, codec_of_iso_2022},
};

codec_of_pairs!(
    /// Shift_JIS with a yen sign and an overline.
    SJIS, Sjis, SJIS_SCHEME, SJIS_BYTES, SJIS_SINGLES, japanese::SHIFT_JIS, SHIFT_JIS,
    CutRule::AfterByteBelow(0x40), [0x5C, 0x7E]
);
codec_of_pairs!(
    /// Shift_JIS with the extensions of Windows.
    CP932, Cp932, CP932_SCHEME, CP932_BYTES, CP932_SINGLES, japanese::SHIFT_JIS, SHIFT_JIS,
    CutRule::AfterByteBelow(0x40), []
);
codec_of_pairs!(
    /// IBM's Shift_JIS with the characters of 1978.
    IBM932, Ibm932, IBM932_SCHEME, IBM932_BYTES, IBM932_SINGLES, japanese::SHIFT_JIS, SHIFT_JIS,
    CutRule::AfterByteBelow(0x40), [0x1A, 0x1C, 0x7F]
);
codec_of_pairs!(
    /// IBM's Shift_JIS with the characters of 1990.
    IBM943, Ibm943, IBM943_SCHEME, IBM943_BYTES, IBM943_SINGLES, japanese::SHIFT_JIS, SHIFT_JIS,
    CutRule::AfterByteBelow(0x40), [0x1A, 0x1C, 0x7F]
);
codec_of_pairs!(
    /// JIS X 0208, JIS X 0212 and half-width katakana.
    EUC_JP, EucJp, EUC_JP_SCHEME, EUC_JP_BYTES, EUC_JP_SINGLES, japanese::EUC_JP, EUC_JP,
    CutRule::AfterByteBelow(0x80), []
);
codec_of_pairs!(
    /// EUC-JP with the extensions of Windows.
    EUC_JP_MS, EucJpMs, EUC_JP_MS_SCHEME, EUC_JP_MS_BYTES, EUC_JP_MS_SINGLES, japanese::EUC_JP, EUC_JP,
    CutRule::AfterByteBelow(0x80), []
);
codec_of_pairs!(
    /// KS X 1001.
    EUC_KR, EucKr, EUC_KR_SCHEME, EUC_KR_BYTES, EUC_KR_SINGLES, korean::EUC_KR, EUC,
    CutRule::AfterByteBelow(0x80), []
);
codec_of_pairs!(
    /// Hangul by its letters, and KS X 1001.
    JOHAB, Johab, JOHAB_SCHEME, JOHAB_BYTES, JOHAB_SINGLES, korean::EUC_KR, NOTHING,
    CutRule::AfterByteBelow(0x31), [0x5C]
);
codec_of_pairs!(
    /// GB 2312.
    EUC_CN, EucCn, EUC_CN_SCHEME, EUC_CN_BYTES, EUC_CN_SINGLES, chinese::GB18030, EUC,
    CutRule::AfterByteBelow(0x80), []
);
codec_of_pairs!(
    /// GBK.
    GBK, Gbk, GBK_SCHEME, GBK_BYTES, GBK_SINGLES, chinese::GB18030, SQUARE,
    CutRule::AfterByteBelow(0x40), []
);
codec_of_pairs!(
    /// GB 18030 in its edition of 2005.
    GB18030, Gb18030, GB18030_SCHEME, GB18030_BYTES, GB18030_SINGLES, chinese::GB18030, SQUARE,
    CutRule::AfterByteBelow(0x30), []
);
codec_of_pairs!(
    /// Big5 with the extensions of Windows.
    BIG5, Big5, BIG5_SCHEME, BIG5_BYTES, BIG5_SINGLES, chinese::BIG5, BIG5,
    CutRule::AfterByteBelow(0x40), []
);
codec_of_pairs!(
    /// Big5 with the characters of Hong Kong.
    BIG5_HKSCS, Big5Hkscs, BIG5_HKSCS_SCHEME, BIG5_HKSCS_BYTES, BIG5_HKSCS_SINGLES, chinese::BIG5, BIG5,
    CutRule::AfterByteBelow(0x40), []
);
codec_of_pairs!(
    /// CNS 11643 in eight planes.
    EUC_TW, EucTw, EUC_TW_SCHEME, EUC_TW_BYTES, EUC_TW_SINGLES, chinese::BIG5, NOTHING,
    CutRule::AfterByteBelow(0x80), []
);
codec_of_pairs!(
    /// JIS X 0213.
    EUC_JISX0213, EucJisx0213, EUC_JISX0213_SCHEME, EUC_JISX0213_BYTES, EUC_JISX0213_SINGLES, japanese::EUC_JP, EUC_JP,
    CutRule::AfterByteBelow(0x80), []
);
codec_of_pairs!(
    /// JIS X 0213, shifted.
    SHIFT_JISX0213, ShiftJisx0213, SHIFT_JISX0213_SCHEME, SHIFT_JISX0213_BYTES, SHIFT_JISX0213_SINGLES,
    japanese::SHIFT_JIS, SHIFT_JIS, CutRule::AfterByteBelow(0x40), [0x5C, 0x7E]
);
codec_of_escapes!(
    /// GB 2312 in seven bits, between escapes of two ASCII characters.
    HZ, Hz
);
codec_of_escapes!(
    /// KS X 1001 in seven bits, between shifts.
    ISO_2022_KR, Iso2022Kr
);
codec_of_iso_2022!(
    /// JIS X 0208 in seven bits, between escapes.
    ISO_2022_JP, Iso2022Jp, Iso2022JpEncoder<Iso2022Jp>
);
codec_of_iso_2022!(
    /// ISO-2022-JP with JIS X 0212.
    ISO_2022_JP_1, Iso2022Jp1, Iso2022JpEncoder<Iso2022Jp1>
);
codec_of_iso_2022!(
    /// ISO-2022-JP with JIS X 0212, GB 2312, KS X 1001, ISO 8859-1 and ISO 8859-7.
    ISO_2022_JP_2, Iso2022Jp2, Iso2022JpEncoder<Iso2022Jp2>
);
codec_of_iso_2022!(
    /// ISO-2022-JP with JIS X 0213.
    ISO_2022_JP_3, Iso2022Jp3, Iso2022JpEncoder<Iso2022Jp3>
);
codec_of_iso_2022!(
    /// GB 2312 and two planes of CNS 11643 in seven bits.
    ISO_2022_CN, Iso2022Cn, Iso2022CnEncoder
);
codec_of_iso_2022!(
    /// GB 2312 and seven planes of CNS 11643 in seven bits. Only a decoder.
    ISO_2022_CN_EXT, Iso2022CnExt
);

codec_of_dicom!(
    /// Texts of DICOM whose first set is ISO-IR 6, the default: ASCII.
    DICOM, Dicom, ASCII, NONE;
    /// Texts of DICOM whose first set is ISO-IR 13.
    DICOM_IR_13, DicomIr13, ROMAN, KATAKANA;
    /// Texts of DICOM whose first set is ISO-IR 100.
    DICOM_IR_100, DicomIr100, ASCII, ISO_8859_1;
    /// Texts of DICOM whose first set is ISO-IR 101.
    DICOM_IR_101, DicomIr101, ASCII, ISO_8859_2;
    /// Texts of DICOM whose first set is ISO-IR 109.
    DICOM_IR_109, DicomIr109, ASCII, ISO_8859_3;
    /// Texts of DICOM whose first set is ISO-IR 110.
    DICOM_IR_110, DicomIr110, ASCII, ISO_8859_4;
    /// Texts of DICOM whose first set is ISO-IR 144.
    DICOM_IR_144, DicomIr144, ASCII, ISO_8859_5;
    /// Texts of DICOM whose first set is ISO-IR 127.
    DICOM_IR_127, DicomIr127, ASCII, ISO_8859_6;
    /// Texts of DICOM whose first set is ISO-IR 126.
    DICOM_IR_126, DicomIr126, ASCII, ISO_8859_7;
    /// Texts of DICOM whose first set is ISO-IR 138.
    DICOM_IR_138, DicomIr138, ASCII, ISO_8859_8;
    /// Texts of DICOM whose first set is ISO-IR 148.
    DICOM_IR_148, DicomIr148, ASCII, ISO_8859_9;
    /// Texts of DICOM whose first set is ISO-IR 203.
    DICOM_IR_203, DicomIr203, ASCII, ISO_8859_15;
    /// Texts of DICOM whose first set is ISO-IR 166.
    DICOM_IR_166, DicomIr166, ASCII, ISO_8859_11;
);
