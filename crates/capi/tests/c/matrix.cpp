// Every class and function of textcodec.hpp with every kind of argument, beside the functions of textcodec.h that it
// calls. Prints the checks that fail.
#include "check.h"

#include <textcodec.hpp>

#include <array>
#include <type_traits>
#include <vector>

int failures = 0;

using namespace std::literals;
namespace tc = textcodec;

// All types are values, and converting throws nothing.
static_assert(std::is_trivially_copyable_v<tc::decoder> && std::is_trivially_copyable_v<tc::encoder>);
static_assert(std::is_trivially_copyable_v<tc::encoding> && std::is_trivially_copyable_v<tc::result>);
static_assert(!std::is_convertible_v<tc::encoding, tc::decoder> && !std::is_convertible_v<tc::encoding, tc::encoder>);
static_assert(std::is_convertible_v<textcodec_encoding, tc::encoding>);
static_assert(noexcept(std::declval<tc::decoder &>().decode(""sv, tc::span<char>(), true)));
static_assert(noexcept(std::declval<tc::encoder &>().encode(u""sv, tc::span<char>(), true)));
static_assert(tc::encoding(7).number() == 7 && tc::encoding(7) == tc::encoding(7) && tc::encoding(7) != tc::encoding(8));
static_assert(tc::status::ok == tc::status(0) && tc::status::output_full == tc::status(1));
static_assert(tc::status::malformed == tc::status(2) && tc::status::unmappable == tc::status(3));
static_assert(tc::status::invalid == tc::status(4));
static_assert(static_cast<int>(tc::errors::replace) == 0 && static_cast<int>(tc::errors::fatal) == 2);
static_assert(static_cast<int>(tc::bom::sniff) == 0 && static_cast<int>(tc::bom::remove) == 1);
static_assert(static_cast<int>(tc::bom::keep) == 2);
static_assert(static_cast<int>(tc::registry::glibc) == 1 && static_cast<int>(tc::registry::iana) == 2);
static_assert(static_cast<int>(tc::registry::python) == 3 && static_cast<int>(tc::registry::java) == 4);

static bool same(const textcodec_result &a, const textcodec_result &b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

static bool same(std::string_view a, textcodec_string b) {
    return a.size() == b.length && a.data() == b.data;
}

static const std::uint16_t *units(std::u16string_view text) {
    return reinterpret_cast<const std::uint16_t *>(text.data());
}

static const std::vector<std::string_view> sources = {
    {}, "a"sv, "ab\xFF" "c"sv, "\xEF\xBB\xBF" "a"sv, "\xFF\xFE" "a\0\x3D"sv, "\x83\x65!\x82"sv, "\x1B$B%F\x1B(B\x80"sv,
    "\x81\x30\x81\x30\xF0\x9F\x98\x80"sv,
};
static const std::vector<std::pair<std::string_view, std::u16string_view>> texts = {
    {{}, {}}, {"a"sv, u"a"sv}, {"a\xC3\xA9\xE2\x98\x83"sv, u"a\u00E9\u2603"sv}, {"\xE3\x83\x86\xF0\x9F\x98\x80z"sv, u"\u30C6\U0001F600z"sv},
};

static void a_span_is_a_part_of_memory() {
    char array[3] = {};
    const std::string text = "abc";
    std::string mutable_text = text;
    std::vector<char16_t> wide(5);
    CHECK(tc::span<char>().data() == nullptr && tc::span<char>().size() == 0);
    CHECK(tc::span<char>(array, 2).data() == array && tc::span<char>(array, 2).size() == 2);
    CHECK(tc::span<char>(array).data() == array && tc::span<char>(array).size() == 3);
    CHECK(tc::span<const char>(text).data() == text.data() && tc::span<const char>(text).size() == 3);
    CHECK(tc::span<char>(mutable_text).data() == mutable_text.data());
    CHECK(tc::span<char16_t>(wide).data() == wide.data() && tc::span<char16_t>(wide).size() == 5);
    for (std::size_t count = 0; count < 8; count++) {
        const tc::span<char16_t> rest = tc::span<char16_t>(wide).after(count);
        CHECK(rest.size() == (count < 5 ? 5 - count : 0) && rest.data() == (count < 5 ? wide.data() + count : nullptr));
    }
}

static void facts_are_those_of_the_functions_of_c(tc::encoding of) {
    const textcodec_encoding number = of.number();
    CHECK(same(of.name(), textcodec_name(number)) && of.has_encoder() == textcodec_has_encoder(number));
    for (std::size_t place : {std::size_t(0), std::size_t(1), std::size_t(2), std::size_t(256), std::size_t(65536), SIZE_MAX}) {
        CHECK(same(of.label(place), textcodec_label(number, place)));
    }
    for (textcodec_encoding other : {number, number + 1, number ^ 0x100, number ^ 0x10000, ~number}) {
        CHECK((of == tc::encoding(other)) == (other == number) && (of != tc::encoding(other)) == (other != number));
    }
    CHECK(of.output_encoding().number() == textcodec_output_encoding(number));
    CHECK(of.is_single_byte() == textcodec_is_single_byte(number));
    CHECK(of.is_ascii_compatible() == textcodec_is_ascii_compatible(number));
    const std::string_view name = of.name();
    const auto equal = [](std::optional<tc::encoding> found, textcodec_encoding expected) {
        return found.has_value() == (expected != TEXTCODEC_NONE) && (!found || found->number() == expected);
    };
    for (std::string_view label : {name, of.label(0), of.label(1), std::string_view()}) {
        CHECK(equal(tc::encoding::for_label(label), textcodec_for_label(label.data(), label.size())));
        for (tc::registry registry : {tc::registry::glibc, tc::registry::iana, tc::registry::python, tc::registry::java}) {
            const auto code = static_cast<std::uint32_t>(registry);
            CHECK(equal(tc::encoding::for_charset(registry, label), textcodec_for_charset(code, label.data(), label.size())));
        }
        const std::string value = "text/html; charset=" + std::string(label);
        CHECK(equal(tc::encoding::for_content_type(value), textcodec_for_content_type(value.data(), value.size())));
    }
}

// A decoder beside that of C. `handling` is its number.
static void decoders_are_those_of_c(tc::encoding of, std::uint32_t handling, tc::errors mode) {
    tc::decoder stream(of, tc::bom(handling)), appending = stream, wide_appending = stream;
    textcodec_decoder model{}, whole{};
    textcodec_decoder_init(&model, of.number(), handling);
    whole = model;
    const auto fatal = static_cast<std::uint32_t>(mode);
    std::size_t round = 0;
    for (std::string_view source : sources) {
        for (std::size_t capacity : {std::size_t(0), std::size_t(3), std::size_t(16), std::size_t(64)}) {
            std::array<char, 64> own{}, expected{};
            std::array<char16_t, 64> own_units{};
            std::array<std::uint16_t, 64> expected_units{};
            const bool last = round++ % 3 != 0;
            const std::uint32_t flags = fatal | (last ? std::uint32_t(TEXTCODEC_LAST) : 0);
            tc::result step{};
            if (round % 2 == 0) {
                step = stream.decode(source, tc::span<char>(own.data(), capacity), last, mode);
                CHECK(same(step, textcodec_decoder_utf8(&model, source.data(), source.size(), expected.data(), capacity, flags)));
                CHECK(own == expected);
            } else {
                step = stream.decode(source, tc::span<char16_t>(own_units.data(), capacity), last, mode);
                CHECK(same(step, textcodec_decoder_utf16(&model, source.data(), source.size(), expected_units.data(), capacity, flags)));
                CHECK(memcmp(own_units.data(), expected_units.data(), sizeof own_units) == 0);
            }
            CHECK(step.why() == tc::status(step.status) && step.is_ok() == (step.status == TEXTCODEC_OK));
            CHECK(stream.position() == textcodec_decoder_position(&model));
            CHECK(stream.current_encoding().number() == textcodec_decoder_encoding(&model));
            for (std::size_t length : {std::size_t(0), std::size_t(9), SIZE_MAX}) {
                CHECK(stream.max_utf8_length(length) == textcodec_decoder_max_utf8_length(&model, length));
                CHECK(stream.max_utf16_length(length) == textcodec_decoder_max_utf16_length(&model, length));
            }
            // A copy and a moved decoder go on where the first one is.
            tc::decoder copy = stream;
            stream = std::move(copy);
            if (round % 7 == 0) {
                stream.reset();
                textcodec_decoder_reset(&model);
            }
            if (capacity == 64) {
                std::string text = "x";
                std::u16string wide = u"xy";
                textcodec_decoder also = whole;
                step = appending.append(source, text, last, mode);
                CHECK(same(step, textcodec_decoder_utf8(&whole, source.data(), source.size(), expected.data(), 64, flags)));
                CHECK(text == "x" + std::string(expected.data(), step.written));
                step = wide_appending.append(source, wide, last, mode);
                CHECK(same(step, textcodec_decoder_utf16(&also, source.data(), source.size(), expected_units.data(), 64, flags)));
                CHECK(wide.size() == 2 + step.written && wide[1] == u'y');
                CHECK(memcmp(wide.data() + 2, expected_units.data(), 2 * step.written) == 0);
                CHECK(appending.position() == textcodec_decoder_position(&whole) && wide_appending.position() == appending.position());
            }
        }
        const tc::decoded all = tc::decode(of, source, tc::bom(handling), mode);
        std::array<char, 256> expected{};
        textcodec_decoder once{};
        textcodec_decoder_init(&once, of.number(), handling);
        const textcodec_result result =
            textcodec_decoder_utf8(&once, source.data(), source.size(), expected.data(), 256, fatal | std::uint32_t(TEXTCODEC_LAST));
        CHECK(same(all.result, result) && all.had_errors == result.had_errors);
        CHECK(all.text == std::string_view(expected.data(), result.written));
        CHECK(all.encoding.number() == textcodec_decoder_encoding(&once));
    }
}

static void encoders_are_those_of_c(tc::encoding of, tc::errors mode, bool counts) {
    tc::encoder stream(of), appending(of);
    textcodec_encoder model{}, whole{};
    textcodec_encoder_init(&model, of.number());
    whole = model;
    const auto fatal = static_cast<std::uint32_t>(mode);
    std::size_t round = 0;
    for (const auto &[text, wide] : texts) {
        for (std::size_t capacity : {std::size_t(0), std::size_t(3), std::size_t(16), std::size_t(64)}) {
            std::array<char, 64> own{}, expected{};
            const bool last = round++ % 3 != 0;
            const std::uint32_t flags = fatal | (last ? std::uint32_t(TEXTCODEC_LAST) : 0) | (counts ? 0 : std::uint32_t(TEXTCODEC_UNCOUNTED));
            const tc::span<char> space(own.data(), capacity);
            if (round % 2 == 0) {
                CHECK(same(stream.encode(text, space, last, mode, counts),
                           textcodec_encoder_utf8(&model, text.data(), text.size(), expected.data(), capacity, flags)));
            } else {
                CHECK(same(stream.encode(wide, space, last, mode, counts),
                           textcodec_encoder_utf16(&model, units(wide), wide.size(), expected.data(), capacity, flags)));
            }
            CHECK(own == expected && stream.position() == textcodec_encoder_position(&model));
            CHECK(stream.current_encoding().number() == textcodec_encoder_encoding(&model));
            CHECK(stream.has_pending_state() == textcodec_encoder_has_pending_state(&model));
            tc::encoder copy = stream;
            stream = std::move(copy);
            if (round % 7 == 0) {
                stream.reset();
                textcodec_encoder_reset(&model);
            }
            if (capacity == 64) {
                std::string bytes = "x";
                tc::result step{};
                if (round % 8 == 0) {
                    step = appending.append(text, bytes, last, mode, counts);
                    CHECK(same(step, textcodec_encoder_utf8(&whole, text.data(), text.size(), expected.data(), 64, flags)));
                } else {
                    step = appending.append(wide, bytes, last, mode, counts);
                    CHECK(same(step, textcodec_encoder_utf16(&whole, units(wide), wide.size(), expected.data(), 64, flags)));
                }
                CHECK(bytes == "x" + std::string(expected.data(), step.written));
                CHECK(appending.position() == textcodec_encoder_position(&whole));
            }
        }
        std::array<char, 256> expected{};
        const std::uint32_t last = fatal | std::uint32_t(TEXTCODEC_LAST);
        tc::encoded all = tc::encode(of, text, mode);
        textcodec_result result = textcodec_encode_utf8(of.number(), text.data(), text.size(), expected.data(), 256, last);
        CHECK(same(all.result, result) && all.had_errors == result.had_errors && all.bytes == std::string_view(expected.data(), result.written));
        all = tc::encode(of, wide, mode);
        result = textcodec_encode_utf16(of.number(), units(wide), wide.size(), expected.data(), 256, last);
        CHECK(same(all.result, result) && all.had_errors == result.had_errors && all.bytes == std::string_view(expected.data(), result.written));
    }
}

// Texts that take several steps: the result is that of all of them, also if only one step has an error.
static void results_of_several_steps_are_added() {
    const std::string error = "\xFF", greek(500, '\xE1');
    for (const std::string &source : {error + greek, greek + error, greek + error + greek, greek}) {
        std::string text;
        std::u16string wide;
        tc::decoder one(TEXTCODEC_ISO_8859_7), other(TEXTCODEC_ISO_8859_7);
        tc::result step = one.append(source, text, true);
        CHECK(step.is_ok() && step.read == source.size() && step.written == text.size() && step.had_errors == (source != greek));
        CHECK(text == tc::decode(TEXTCODEC_ISO_8859_7, source).text && text.size() >= 1000);
        step = other.append(source, wide, true);
        CHECK(step.is_ok() && step.read == source.size() && step.written == wide.size() && step.had_errors == (source != greek));
        CHECK(tc::to_utf8(wide) == text && tc::to_utf16(text) == wide);
        one = tc::decoder(TEXTCODEC_ISO_8859_7);
        text.clear();
        step = one.append(source, text, true, tc::errors::fatal);
        const std::size_t at = source.find('\xFF');
        CHECK(step.is_ok() == (source == greek) && (step.is_ok() || (step.read == at + 1 && step.error_offset == at)));
        CHECK(step.written == text.size() && text.size() == 2 * (step.is_ok() ? source.size() : at));
        std::string bytes;
        tc::encoder back(TEXTCODEC_ISO_8859_7);
        step = back.append(wide, bytes, true);
        CHECK(step.had_errors == (source != greek) && step.written == bytes.size() && step.read == wide.size());
    }
}

static void functions_are_those_of_c() {
    for (std::uint32_t code_page = 0; code_page <= UINT16_MAX; code_page++) {
        const auto found = tc::encoding::for_code_page(static_cast<std::uint16_t>(code_page));
        const textcodec_encoding number = textcodec_for_code_page(static_cast<std::uint16_t>(code_page));
        CHECK(found.has_value() == (number != TEXTCODEC_NONE) && (!found || found->number() == number));
    }
    for (std::string_view source : sources) {
        const textcodec_bom bom = textcodec_bom_sniff(source.data(), source.size());
        const auto found = tc::sniff_bom(source);
        CHECK(found.has_value() == (bom.length > 0));
        CHECK(!found || (found->first.number() == bom.encoding && found->second == bom.length));
        CHECK(tc::is_utf8(source) == (textcodec_utf8_valid_up_to(source.data(), source.size()) == source.size()));
        CHECK(tc::is_ascii(source) == (textcodec_ascii_up_to(source.data(), source.size()) == source.size()));
        std::array<std::uint16_t, 64> wide{};
        const textcodec_counts counts = textcodec_utf8_to_utf16(source.data(), source.size(), wide.data(), 64);
        const std::u16string own = tc::to_utf16(source);
        CHECK(own.size() == counts.written && memcmp(own.data(), wide.data(), 2 * own.size()) == 0 && tc::is_utf16(own));
        std::array<char, 256> text{};
        const textcodec_counts back = textcodec_utf16_to_utf8(wide.data(), own.size(), text.data(), 256);
        CHECK(tc::to_utf8(own) == std::string_view(text.data(), back.written));
        textcodec_candidate one[2], other[2];
        const textcodec_detection model = textcodec_detect(nullptr, source.data(), source.size(), other, 2);
        for (const textcodec_detection &answer : {tc::detect(source), tc::detect(source, one), tc::detect(source, tc::span(one, 1))}) {
            CHECK(answer.encoding == model.encoding && answer.verdict == model.verdict && answer.candidates == model.candidates);
        }
        textcodec_candidate alone[2] = {};
        tc::detect(source, tc::span(alone, 1));
        CHECK(model.candidates < 1 || (alone[0].probability == other[0].probability && alone[1].probability == 0));
        CHECK(model.candidates < 2 || (one[1].encoding == other[1].encoding && one[1].probability == other[1].probability));
    }
    CHECK(!tc::is_utf16(u"a\xD83D"sv) && tc::is_utf16(u"\U0001F600"sv) && !tc::is_utf16(u"\xDE00" "a"sv));
    for (std::uint32_t context = 0; context < 43; context++) {
        for (const textcodec_encoding hint : {textcodec_encoding(TEXTCODEC_NONE), textcodec_encoding(TEXTCODEC_KOI8_U)}) {
            textcodec_hints hints{};
            hints.history = hint;
            hints.environment = hint;
            for (std::string_view page : {""sv, "a"sv, "<meta charset=gbk>"sv, "@charset"sv, "<?xml version='1.0' enc"sv}) {
                for (bool last : {false, true}) {
                    const textcodec_sniffed model = textcodec_sniff(context, &hints, page.data(), page.size(), last ? std::uint32_t(TEXTCODEC_LAST) : 0);
                    const textcodec_sniffed own = tc::sniff(context, hints, page, last);
                    CHECK(memcmp(&own, &model, sizeof own) == 0);
                }
                const textcodec_sniffed by_default = tc::sniff(context, hints, page), at_end = tc::sniff(context, hints, page, true);
                CHECK(memcmp(&by_default, &at_end, sizeof at_end) == 0);
            }
        }
    }
}

// An argument that is left out has the value that the header shows.
static void arguments_have_their_defaults() {
    const std::string_view source = "\xEF\xBB\xBF" "a\xFF"sv;
    const tc::decoded text = tc::decode(TEXTCODEC_KOI8_R, source);
    CHECK(text.text == "a\xEF\xBF\xBD" && text.encoding.number() == TEXTCODEC_UTF_8 && text.result.is_ok());
    tc::decoder one(TEXTCODEC_KOI8_R);
    std::array<char, 16> narrow{};
    std::array<char16_t, 16> wide{};
    std::string appended;
    std::u16string wide_appended;
    CHECK(one.decode(source, narrow, true).written == 4 && one.decode(source, wide, true).written == 2);
    CHECK(one.append(source, appended, true).is_ok() && one.append(source, wide_appended, true).is_ok());
    CHECK(appended.size() == 4 && wide_appended.size() == 2);
    tc::encoder other(TEXTCODEC_KOI8_R);
    for (int wide_text = 0; wide_text < 2; wide_text++) {
        other.reset();
        std::string bytes;
        const tc::result step = wide_text ? other.append(u"\u2603"sv, bytes, false) : other.append("\xE2\x98\x83"sv, bytes, false);
        CHECK(step.is_ok() && bytes == "&#9731;" && other.position() == (wide_text ? 1 : 3));
        const tc::result next = wide_text ? other.encode(u"\u2603"sv, narrow, true) : other.encode("\xE2\x98\x83"sv, narrow, true);
        CHECK(next.is_ok() && next.written == 7 && other.position() == (wide_text ? 2 : 6));
    }
    CHECK(tc::encode(TEXTCODEC_KOI8_R, "\xE2\x98\x83"sv).bytes == "&#9731;" && tc::encode(TEXTCODEC_KOI8_R, u"\u2603"sv).bytes == "&#9731;");
}

int main() {
    a_span_is_a_part_of_memory();
    results_of_several_steps_are_added();
    functions_are_those_of_c();
    arguments_have_their_defaults();
    // All encodings, some charsets, and numbers that are none.
    std::vector<textcodec_encoding> numbers = {TEXTCODEC_NONE, 41, UINT32_MAX};
    for (textcodec_encoding number = textcodec_next_encoding(TEXTCODEC_NONE); number != TEXTCODEC_NONE; number = textcodec_next_encoding(number)) {
        facts_are_those_of_the_functions_of_c(number);
        if (number <= 40 || number % 25 == 0) {
            numbers.push_back(number);
        }
    }
    for (textcodec_encoding number : numbers) {
        facts_are_those_of_the_functions_of_c(number);
        for (tc::errors mode : {tc::errors::replace, tc::errors::fatal}) {
            for (std::uint32_t handling = 0; handling < 3; handling++) {
                decoders_are_those_of_c(number, handling, mode);
            }
            encoders_are_those_of_c(number, mode, true);
            encoders_are_those_of_c(number, mode, false);
        }
    }
    return failures == 0 ? 0 : 1;
}
