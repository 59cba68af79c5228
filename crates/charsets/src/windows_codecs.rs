//! Code pages of Windows: as glibc decodes them, with letters and marks composed, and those of pairs.

use textcodec_cjk_chinese::for_charsets as chinese;
use textcodec_cjk_japanese::for_charsets as japanese;
use textcodec_cjk_korean::for_charsets as korean;
use textcodec_core::CutRule;

use crate::{composing::composing, generated::compositions, pair_codecs::codec_of_pairs};

composing!(
    /// Hebrew.
    CP1255, Cp1255, compositions::CP1255_UNITS, compositions::CP1255, compositions::CP1255_BY_COMPOSED, 2, Ascii, true
);
composing!(
    /// Vietnamese.
    CP1258, Cp1258, compositions::CP1258_UNITS, compositions::CP1258, compositions::CP1258_BY_COMPOSED, 1, Nothing, true
);
codec_of_pairs!(
    /// Japanese.
    WINDOWS_932, Windows932, WINDOWS_932_SCHEME, WINDOWS_932_BYTES, WINDOWS_932_SINGLES, japanese::SHIFT_JIS, SHIFT_JIS,
    CutRule::AfterByteBelow(0x40), []
);
codec_of_pairs!(
    /// Simplified Chinese.
    WINDOWS_936, Windows936, WINDOWS_936_SCHEME, WINDOWS_936_BYTES, WINDOWS_936_SINGLES, chinese::GB18030, SQUARE,
    CutRule::AfterByteBelow(0x40), []
);
codec_of_pairs!(
    /// Korean.
    WINDOWS_949, Windows949, WINDOWS_949_SCHEME, WINDOWS_949_BYTES, WINDOWS_949_SINGLES, korean::EUC_KR, SQUARE,
    CutRule::AfterByteBelow(0x41), []
);
codec_of_pairs!(
    /// Traditional Chinese.
    WINDOWS_950, Windows950, WINDOWS_950_SCHEME, WINDOWS_950_BYTES, WINDOWS_950_SINGLES, chinese::BIG5, BIG5,
    CutRule::AfterByteBelow(0x40), []
);
