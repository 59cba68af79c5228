/* libtextcodec for C++17: the functions of textcodec.h as classes. It needs no exceptions; memory that cannot be
 * allocated for a std::string is the one exception that can occur.
 *
 *     auto encoding = textcodec::encoding::for_label("sjis");
 *     if (encoding) {
 *         textcodec::decoded text = textcodec::decode(*encoding, "\x83\x65");
 *         std::cout << text.text << '\n';
 *     }
 *
 * All types are values: a copy of a decoder is a snapshot of its stream. A decoder or an encoder for an encoding that
 * it cannot have converts nothing, and its results have the status `status::invalid`.
 */
#ifndef TEXTCODEC_HPP
#define TEXTCODEC_HPP

#include "textcodec.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace textcodec {

/* A part of memory, as std::span of C++20: made of a pointer and a length, an array, or anything with `data` and
 * `size`.
 */
template <typename T>
class span {
public:
    constexpr span() noexcept = default;
    constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
    template <std::size_t length>
    constexpr span(T (&array)[length]) noexcept : data_(array), size_(length) {}
    template <typename Range, typename = std::enable_if_t<std::is_convertible_v<
                                  decltype(std::declval<Range &>().data()), T *>>>
    constexpr span(Range &&range) noexcept : data_(range.data()), size_(range.size()) {}

    constexpr T *data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; }

    /* The units after the first `count` ones. */
    constexpr span after(std::size_t count) const noexcept {
        return count < size_ ? span(data_ + count, size_ - count) : span();
    }

private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

/* The code units of a u16string_view, for the functions of C. Both types have the same size and values. */
namespace detail {
inline const std::uint16_t *units(const char16_t *text) noexcept {
    return reinterpret_cast<const std::uint16_t *>(text);
}
inline std::uint16_t *units(char16_t *text) noexcept {
    return reinterpret_cast<std::uint16_t *>(text);
}
inline std::string_view view(textcodec_string string) noexcept {
    return {string.data, string.length};
}
} // namespace detail

static_assert(sizeof(char16_t) == sizeof(std::uint16_t));

enum class status : std::uint8_t {
    ok = TEXTCODEC_OK,
    output_full = TEXTCODEC_OUTPUT_FULL,
    malformed = TEXTCODEC_MALFORMED,
    unmappable = TEXTCODEC_UNMAPPABLE,
    invalid = TEXTCODEC_INVALID
};

/* The reaction to an error: U+FFFD or a character reference in its place, or the end of the call. */
enum class errors : std::uint32_t { replace = 0, fatal = TEXTCODEC_FATAL };

enum class bom : std::uint32_t {
    sniff = TEXTCODEC_BOM_SNIFF,
    remove = TEXTCODEC_BOM_REMOVE,
    keep = TEXTCODEC_BOM_KEEP
};

enum class registry : std::uint32_t {
    glibc = TEXTCODEC_GLIBC,
    iana = TEXTCODEC_IANA,
    python = TEXTCODEC_PYTHON,
    java = TEXTCODEC_JAVA
};

/* The result of a call, with the fields of textcodec_result. */
struct result : textcodec_result {
    textcodec::status why() const noexcept { return static_cast<textcodec::status>(status); }
    bool is_ok() const noexcept { return status == TEXTCODEC_OK; }
};

/* An encoding or a charset of the library. */
class encoding {
public:
    /* One of the numbers of textcodec.h, such as TEXTCODEC_UTF_8. */
    constexpr encoding(textcodec_encoding number) noexcept : number_(number) {}

    static std::optional<encoding> for_label(std::string_view label) noexcept {
        return some(textcodec_for_label(label.data(), label.size()));
    }
    static std::optional<encoding> for_content_type(std::string_view value) noexcept {
        return some(textcodec_for_content_type(value.data(), value.size()));
    }
    static std::optional<encoding> for_charset(registry of, std::string_view name) noexcept {
        return some(textcodec_for_charset(static_cast<std::uint32_t>(of), name.data(), name.size()));
    }
    static std::optional<encoding> for_code_page(std::uint16_t code_page) noexcept {
        return some(textcodec_for_code_page(code_page));
    }

    constexpr textcodec_encoding number() const noexcept { return number_; }
    std::string_view name() const noexcept { return detail::view(textcodec_name(number_)); }
    /* A label by its place, from 0 on; empty after the last one. */
    std::string_view label(std::size_t place) const noexcept { return detail::view(textcodec_label(number_, place)); }
    encoding output_encoding() const noexcept { return encoding(textcodec_output_encoding(number_)); }
    bool has_encoder() const noexcept { return textcodec_has_encoder(number_); }
    bool is_single_byte() const noexcept { return textcodec_is_single_byte(number_); }
    bool is_ascii_compatible() const noexcept { return textcodec_is_ascii_compatible(number_); }

    friend constexpr bool operator==(encoding a, encoding b) noexcept { return a.number_ == b.number_; }
    friend constexpr bool operator!=(encoding a, encoding b) noexcept { return a.number_ != b.number_; }

private:
    static std::optional<encoding> some(textcodec_encoding number) noexcept {
        return number == TEXTCODEC_NONE ? std::nullopt : std::optional<encoding>(encoding(number));
    }

    textcodec_encoding number_;
};

/* A decoder for a stream of bytes that arrives in pieces. */
class decoder {
public:
    explicit decoder(encoding of, bom handling = bom::sniff) noexcept {
        textcodec_decoder_init(&decoder_, of.number(), static_cast<std::uint32_t>(handling));
    }

    /* Decodes the next bytes to UTF-8 or UTF-16, as far as they fit into `text`. */
    result decode(std::string_view bytes, span<char> text, bool last, errors mode = errors::replace) noexcept {
        return {textcodec_decoder_utf8(&decoder_, bytes.data(), bytes.size(), text.data(), text.size(),
                                       flags(last, mode))};
    }
    result decode(std::string_view bytes, span<char16_t> text, bool last, errors mode = errors::replace) noexcept {
        return {textcodec_decoder_utf16(&decoder_, bytes.data(), bytes.size(), detail::units(text.data()), text.size(),
                                        flags(last, mode))};
    }

    /* Decodes the next bytes and appends all of their text. The status is never `output_full`. */
    result append(std::string_view bytes, std::string &text, bool last, errors mode = errors::replace) {
        return append_to(bytes, text, last, mode);
    }
    result append(std::string_view bytes, std::u16string &text, bool last, errors mode = errors::replace) {
        return append_to(bytes, text, last, mode);
    }

    /* The encoding of the byte order mark, or else the decoder's own. */
    textcodec::encoding current_encoding() const noexcept {
        return textcodec::encoding(textcodec_decoder_encoding(&decoder_));
    }
    std::uint64_t position() const noexcept { return textcodec_decoder_position(&decoder_); }
    std::size_t max_utf8_length(std::size_t length) const noexcept {
        return textcodec_decoder_max_utf8_length(&decoder_, length);
    }
    std::size_t max_utf16_length(std::size_t length) const noexcept {
        return textcodec_decoder_max_utf16_length(&decoder_, length);
    }
    void reset() noexcept { textcodec_decoder_reset(&decoder_); }

private:
    static std::uint32_t flags(bool last, errors mode) noexcept {
        return (last ? static_cast<std::uint32_t>(TEXTCODEC_LAST) : 0) | static_cast<std::uint32_t>(mode);
    }

    template <typename String>
    result append_to(std::string_view bytes, String &text, bool last, errors mode) {
        result total{};
        for (;;) {
            const std::size_t begin = text.size(), rest = bytes.size() - total.read;
            text.resize(begin + rest + rest / 2 + 16);
            result step = decode(bytes.substr(total.read), span(text.data() + begin, text.size() - begin), last, mode);
            text.resize(begin + step.written);
            step.read += total.read;
            step.written += total.written;
            step.had_errors = step.had_errors || total.had_errors;
            total = step;
            if (total.why() != status::output_full) {
                return total;
            }
        }
    }

    textcodec_decoder decoder_{};
};

/* An encoder for a stream of text that arrives in pieces. */
class encoder {
public:
    /* UTF-16BE, UTF-16LE and replacement have no encoder: see encoding::output_encoding. */
    explicit encoder(encoding of) noexcept { textcodec_encoder_init(&encoder_, of.number()); }

    /* Encodes the next text of UTF-8 or UTF-16, as far as the bytes fit. `counts` is false for the program's own
     * replacement of a character. */
    result encode(std::string_view text, span<char> bytes, bool last, errors mode = errors::replace,
                  bool counts = true) noexcept {
        return {textcodec_encoder_utf8(&encoder_, text.data(), text.size(), bytes.data(), bytes.size(),
                                       flags(last, mode, counts))};
    }
    result encode(std::u16string_view text, span<char> bytes, bool last, errors mode = errors::replace,
                  bool counts = true) noexcept {
        return {textcodec_encoder_utf16(&encoder_, detail::units(text.data()), text.size(), bytes.data(), bytes.size(),
                                        flags(last, mode, counts))};
    }

    /* Encodes the next text and appends all of its bytes. The status is never `output_full`. */
    result append(std::string_view text, std::string &bytes, bool last, errors mode = errors::replace,
                  bool counts = true) {
        return append_from(text, bytes, last, mode, counts);
    }
    result append(std::u16string_view text, std::string &bytes, bool last, errors mode = errors::replace,
                  bool counts = true) {
        return append_from(text, bytes, last, mode, counts);
    }

    textcodec::encoding current_encoding() const noexcept {
        return textcodec::encoding(textcodec_encoder_encoding(&encoder_));
    }
    std::uint64_t position() const noexcept { return textcodec_encoder_position(&encoder_); }
    bool has_pending_state() const noexcept { return textcodec_encoder_has_pending_state(&encoder_); }
    void reset() noexcept { textcodec_encoder_reset(&encoder_); }

private:
    static std::uint32_t flags(bool last, errors mode, bool counts) noexcept {
        return (last ? static_cast<std::uint32_t>(TEXTCODEC_LAST) : 0) | static_cast<std::uint32_t>(mode)
             | (counts ? 0 : static_cast<std::uint32_t>(TEXTCODEC_UNCOUNTED));
    }

    template <typename View>
    result append_from(View text, std::string &bytes, bool last, errors mode, bool counts) {
        result total{};
        for (;;) {
            const std::size_t begin = bytes.size(), rest = text.size() - total.read;
            bytes.resize(begin + rest + rest / 2 + 16);
            result step =
                encode(text.substr(total.read), span(bytes.data() + begin, bytes.size() - begin), last, mode, counts);
            bytes.resize(begin + step.written);
            step.read += total.read;
            step.written += total.written;
            step.had_errors = step.had_errors || total.had_errors;
            total = step;
            if (total.why() != status::output_full) {
                return total;
            }
        }
    }

    textcodec_encoder encoder_{};
};

/* A decoded text. */
struct decoded {
    std::string text;
    /* The encoding of the byte order mark, or else the given one. */
    textcodec::encoding encoding;
    bool had_errors;
    /* The result of the decoder: with errors::fatal, the place of the first error. */
    textcodec::result result;
};

/* An encoded text. */
struct encoded {
    std::string bytes;
    bool had_errors;
    textcodec::result result;
};

/* Decodes a whole text to UTF-8. */
inline decoded decode(encoding of, std::string_view bytes, bom handling = bom::sniff, errors mode = errors::replace) {
    decoder stream(of, handling);
    std::string text;
    const result all = stream.append(bytes, text, true, mode);
    return {std::move(text), stream.current_encoding(), all.had_errors, all};
}

/* Encodes a whole text of UTF-8 or UTF-16. */
inline encoded encode(encoding of, std::string_view text, errors mode = errors::replace) {
    encoder stream(of);
    std::string bytes;
    const result all = stream.append(text, bytes, true, mode);
    return {std::move(bytes), all.had_errors, all};
}
inline encoded encode(encoding of, std::u16string_view text, errors mode = errors::replace) {
    encoder stream(of);
    std::string bytes;
    const result all = stream.append(text, bytes, true, mode);
    return {std::move(bytes), all.had_errors, all};
}

/* The encoding of the byte order mark at the start of `bytes`, and its length. */
inline std::optional<std::pair<encoding, std::size_t>> sniff_bom(std::string_view bytes) noexcept {
    const textcodec_bom found = textcodec_bom_sniff(bytes.data(), bytes.size());
    if (found.length == 0) {
        return std::nullopt;
    }
    return std::pair(encoding(found.encoding), static_cast<std::size_t>(found.length));
}

/* Whether a text is UTF-8. */
inline bool is_utf8(std::string_view text) noexcept {
    return textcodec_utf8_valid_up_to(text.data(), text.size()) == text.size();
}

/* Whether a text is ASCII. */
inline bool is_ascii(std::string_view text) noexcept {
    return textcodec_ascii_up_to(text.data(), text.size()) == text.size();
}

/* Whether a text of UTF-16 has no unpaired surrogate. */
inline bool is_utf16(std::u16string_view text) noexcept {
    return textcodec_utf16_valid_up_to(detail::units(text.data()), text.size()) == text.size();
}

/* UTF-8 to UTF-16. U+FFFD stands for malformed sequences. */
inline std::u16string to_utf16(std::string_view text) {
    std::u16string units(text.size(), u'\0');
    units.resize(textcodec_utf8_to_utf16(text.data(), text.size(), detail::units(units.data()), units.size()).written);
    return units;
}

/* UTF-16 to UTF-8. U+FFFD stands for unpaired surrogates. */
inline std::string to_utf8(std::u16string_view units) {
    std::string text(units.size() * 3, '\0');
    text.resize(textcodec_utf16_to_utf8(detail::units(units.data()), units.size(), text.data(), text.size()).written);
    return text;
}

/* The encoding of a resource; `hints` may be zeros. `context` is a number such as TEXTCODEC_CONTEXT_HTML_PARSER. */
inline textcodec_sniffed sniff(std::uint32_t context, const textcodec_hints &hints, std::string_view bytes,
                               bool last = true) noexcept {
    return textcodec_sniff(context, &hints, bytes.data(), bytes.size(),
                           last ? static_cast<std::uint32_t>(TEXTCODEC_LAST) : 0);
}

/* The encoding of a text that declares nothing. */
inline textcodec_detection detect(std::string_view bytes, span<textcodec_candidate> candidates = {}) {
    return textcodec_detect(nullptr, bytes.data(), bytes.size(), candidates.data(), candidates.size());
}

} // namespace textcodec

#endif
