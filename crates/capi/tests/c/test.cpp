// Calls the classes and functions of textcodec.hpp. Prints the checks that fail.
#include "check.h"

#include <textcodec.hpp>

#include <vector>

int failures = 0;

using namespace std::literals;
namespace tc = textcodec;

static void encodings_are_values() {
    const auto sjis = tc::encoding::for_label("sjis");
    CHECK(sjis && sjis->name() == "Shift_JIS"sv && *sjis == tc::encoding(TEXTCODEC_SHIFT_JIS));
    CHECK(!tc::encoding::for_label("nonsense") && !tc::encoding::for_label(std::string_view()));
    CHECK(tc::encoding::for_content_type("text/html; charset=gbk"sv)->number() == TEXTCODEC_GBK);
    CHECK(tc::encoding::for_charset(tc::registry::glibc, "cp037") == tc::encoding::for_code_page(37));
    CHECK(sjis->label(0) == "csshiftjis"sv && sjis->label(99).empty() && sjis->has_encoder());
    CHECK(tc::encoding(TEXTCODEC_UTF_16LE).output_encoding() == tc::encoding(TEXTCODEC_UTF_8));
    CHECK(*sjis != tc::encoding(TEXTCODEC_GBK) && !sjis->is_single_byte() && sjis->is_ascii_compatible());
}

static void whole_texts_are_strings() {
    const tc::encoding sjis(TEXTCODEC_SHIFT_JIS);
    tc::decoded text = tc::decode(sjis, "\x83\x65");
    CHECK(text.text == "\xE3\x83\x86"sv && text.encoding == sjis && !text.had_errors && text.result.is_ok());
    text = tc::decode(sjis, "\xEF\xBB\xBFz");
    CHECK(text.text == "z" && text.encoding == tc::encoding(TEXTCODEC_UTF_8));
    text = tc::decode(sjis, "a\xFFz", tc::bom::keep, tc::errors::fatal);
    CHECK(text.result.why() == tc::status::malformed && text.result.error_offset == 1 && text.text == "a");
    tc::encoded bytes = tc::encode(sjis, "\xE3\x83\x86\xE2\x98\x83"sv);
    CHECK(bytes.bytes == "\x83\x65&#9731;" && bytes.had_errors);
    bytes = tc::encode(sjis, u"\u30C6\u2603"sv, tc::errors::fatal);
    CHECK(bytes.result.why() == tc::status::unmappable && bytes.result.code_point == 0x2603);
    bytes = tc::encode(tc::encoding(TEXTCODEC_UTF_16BE), "a"sv);
    CHECK(bytes.result.why() == tc::status::invalid && bytes.bytes.empty());
    // A result that is longer than the first destination.
    std::string greek(5000, '\xE1');
    CHECK(tc::decode(tc::encoding(TEXTCODEC_ISO_8859_7), greek).text.size() == 10000);
    std::string snowmen;
    for (int count = 0; count < 1000; count++) {
        snowmen += "\xE2\x98\x83";
    }
    CHECK(tc::encode(sjis, snowmen).bytes.size() == 7000);
}

static void streams_are_values() {
    tc::decoder decoder(TEXTCODEC_SHIFT_JIS);
    char text[8];
    tc::result step = decoder.decode("\x83", text, false);
    CHECK(step.is_ok() && step.written == 0 && decoder.position() == 1);
    tc::decoder copy = decoder;
    step = decoder.decode("\x65", text, true);
    CHECK(step.written == 3);
    std::u16string units = u"x";
    step = copy.append("\x65", units, true);
    CHECK(step.is_ok() && units == u"x\u30C6" && copy.max_utf8_length(1) >= 3 && copy.max_utf16_length(1) >= 1);
    std::vector<char16_t> space(4);
    copy.reset();
    step = copy.decode("ab", tc::span<char16_t>(space).after(1), true);
    CHECK(step.written == 2 && space[2] == u'b' && copy.current_encoding() == tc::encoding(TEXTCODEC_SHIFT_JIS));

    tc::encoder encoder(TEXTCODEC_ISO_2022_JP);
    std::string bytes;
    step = encoder.append("\xE3\x83\x86\xE2\x98\x83"sv, bytes, false, tc::errors::fatal);
    CHECK(step.why() == tc::status::unmappable && step.error_offset == 3 && !encoder.has_pending_state());
    step = encoder.append("?"sv, bytes, false, tc::errors::fatal, false);
    CHECK(step.is_ok() && encoder.position() == 6);
    step = encoder.append(u"\u30C6"sv, bytes, true);
    CHECK(bytes == "\x1B$B%F\x1B(B?\x1B$B%F\x1B(B");
    CHECK(encoder.current_encoding() == tc::encoding(TEXTCODEC_ISO_2022_JP));
    step = encoder.encode("a"sv, text, true);
    CHECK(step.written == 1);
    step = encoder.encode(u"a"sv, text, true);
    CHECK(step.written == 1);
    encoder.reset();
    CHECK(encoder.position() == 0);
}

// Arguments that have a default, and results of more than one step.
static void arguments_and_results_reach_the_library() {
    const tc::encoding koi8(TEXTCODEC_KOI8_R), utf8(TEXTCODEC_UTF_8), sjis(TEXTCODEC_SHIFT_JIS);
    CHECK(tc::decode(koi8, "\xEF\xBB\xBFz", tc::bom::keep).encoding == koi8);
    CHECK(tc::decode(koi8, "\xEF\xBB\xBFz", tc::bom::remove).encoding == koi8);
    CHECK(tc::decode(utf8, "\xEF\xBB\xBFz", tc::bom::remove).text == "z");
    CHECK(tc::decode(utf8, "\xEF\xBB\xBFz", tc::bom::keep).text == "\xEF\xBB\xBFz");
    // One error at the start of a text that takes several steps.
    const std::string greek = "\xFF" + std::string(5000, '\xE1');
    const tc::decoded text = tc::decode(tc::encoding(TEXTCODEC_ISO_8859_7), greek);
    CHECK(text.had_errors && text.result.had_errors && text.result.read == 5001 && text.result.written == 10003);
    std::u16string units;
    tc::decoder stream(TEXTCODEC_ISO_8859_7, tc::bom::keep);
    tc::result step = stream.append(greek, units, true);
    CHECK(step.had_errors && step.read == 5001 && step.written == 5001 && units.size() == 5001 && units[0] == 0xFFFD);
    step = stream.append("\xE1\xFF", units, true, tc::errors::fatal);
    CHECK(step.why() == tc::status::malformed && step.error_offset == 1 && units.size() == 5002);
    char16_t space[4];
    step = stream.decode("\xFF", space, true, tc::errors::fatal);
    CHECK(step.why() == tc::status::malformed && step.written == 0);
    char narrow[8];
    step = stream.decode("\xFF", narrow, true, tc::errors::fatal);
    CHECK(step.why() == tc::status::malformed && step.written == 0);
    std::string thousand;
    for (int count = 0; count < 1000; count++) {
        thousand += "\xE3\x83\x86";
    }
    tc::encoded bytes = tc::encode(sjis, "\xE2\x98\x83" + thousand);
    CHECK(bytes.had_errors && bytes.result.read == 3003 && bytes.bytes.size() == 2007);
    bytes = tc::encode(sjis, tc::to_utf16("\xE2\x98\x83" + thousand));
    CHECK(bytes.had_errors && bytes.result.read == 1001 && bytes.bytes.size() == 2007);
    bytes = tc::encode(sjis, tc::to_utf16(thousand), tc::errors::fatal);
    CHECK(bytes.result.is_ok() && !bytes.had_errors && bytes.bytes.size() == 2000);
    // Replacements of a program do not count, in both forms of text.
    tc::encoder encoder(TEXTCODEC_GBK);
    std::string out;
    CHECK(encoder.append(u"ab"sv, out, false, tc::errors::fatal, false).is_ok() && encoder.position() == 0);
    CHECK(encoder.encode(u"ab"sv, narrow, false, tc::errors::fatal, false).is_ok() && encoder.position() == 0);
    CHECK(encoder.encode("ab"sv, narrow, false, tc::errors::fatal, false).is_ok() && encoder.position() == 0);
    CHECK(encoder.append(u"ab"sv, out, false).is_ok() && encoder.encode("ab"sv, narrow, true).is_ok());
    CHECK(encoder.position() == 4 && out == "abab");
    CHECK(tc::encoding::for_charset(tc::registry::iana, "csVISCII") && !tc::encoding::for_charset(tc::registry::glibc, "csVISCII"));
    CHECK(tc::encoding::for_charset(tc::registry::python, "mac_greek") && tc::encoding::for_charset(tc::registry::java, "x-MacGreek"));
    CHECK(!tc::encoding(TEXTCODEC_UTF_16LE).has_encoder() && tc::encoding(TEXTCODEC_KOI8_R).is_single_byte());
    CHECK(!tc::encoding(TEXTCODEC_ISO_2022_JP).is_ascii_compatible() && !(koi8 == utf8) && !(koi8 != koi8));
    // A character of UTF-16 is up to three bytes of UTF-8.
    CHECK(tc::to_utf8(std::u16string(100, u'\u20AC')).size() == 300 && tc::to_utf8(u"\U0001F600"sv).size() == 4);
    textcodec_hints hints{};
    hints.environment = TEXTCODEC_KOI8_R;
    CHECK(tc::sniff(TEXTCODEC_CONTEXT_CSS_FROM_DOCUMENT, hints, "a").encoding == TEXTCODEC_KOI8_R);
    CHECK(tc::sniff(TEXTCODEC_CONTEXT_HTML_PARSER, {}, "<meta", false).encoding == TEXTCODEC_NONE);
    CHECK(tc::sniff_bom("\xEF\xBB\xBF")->first == utf8 && tc::sniff_bom("\xFE\xFF")->first.number() == TEXTCODEC_UTF_16BE);
}

static void text_in_memory_is_checked() {
    CHECK(tc::is_utf8("\xC3\xA9") && !tc::is_utf8("\xC3") && tc::is_ascii("a") && !tc::is_ascii("\xC3\xA9"));
    const char16_t alone[] = {0xD83D};
    CHECK(tc::is_utf16(u"\u00E9"sv) && !tc::is_utf16(std::u16string_view(alone, 1)) && tc::is_utf16({}));
    CHECK(tc::to_utf16("\xC3\xA9") == u"\u00E9" && tc::to_utf8(u"\u00E9") == "\xC3\xA9" && tc::to_utf8({}).empty());
    CHECK(tc::sniff_bom("\xFF\xFE" "a")->second == 2 && !tc::sniff_bom("a"));
    CHECK(tc::sniff(TEXTCODEC_CONTEXT_HTML_PARSER, {}, "<meta charset=gbk>").encoding == TEXTCODEC_GBK);
    textcodec_candidate candidates[1];
    const auto text = "\xF0\xD2\xC9\xD7\xC5\xD4, \xCB\xC1\xCB \xC4\xC5\xCC\xC1?"sv;
    const textcodec_detection detection = tc::detect(text, candidates);
    CHECK(detection.encoding == TEXTCODEC_KOI8_R && candidates[0].encoding == TEXTCODEC_KOI8_R);
}

int main() {
    encodings_are_values();
    whole_texts_are_strings();
    streams_are_values();
    arguments_and_results_reach_the_library();
    text_in_memory_is_checked();
    return failures == 0 ? 0 : 1;
}
