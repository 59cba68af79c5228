'use strict';
// What the interfaces of chardet and jschardet share.

// The languages of encodings that the detector finds without a look at the language.
const LANGUAGES = { __proto__: null, 'ISO-2022-JP': 'ja', 'ISO-2022-KR': 'ko', 'ISO-2022-CN': 'zh', HZ: 'zh' };

/** The language of a candidate as a code of ISO 639-1, as these packages have it. */
function toLanguage({ encoding, language }) {
  return language === 'nb' ? 'no' : language?.split('-')[0] ?? LANGUAGES[encoding];
}

module.exports = { __proto__: null, toLanguage };
