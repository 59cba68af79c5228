import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

import textcodec
from samples import cuts, data, encoders, encodings, texts

BOMS = st.sampled_from(["sniff", "remove", "keep"])


def pieces(whole, places):
    places = [0, *places, len(whole)]
    return [whole[start:end] for start, end in zip(places, places[1:])]


@given(data, encodings, BOMS, st.sampled_from(["replace", "ignore", "backslashreplace"]), st.data())
def test_the_text_does_not_depend_on_how_the_stream_is_cut(data, encoding, bom, errors, choices):
    expected = textcodec.decode(data, encoding, errors, bom)
    decoder = textcodec.IncrementalDecoder(encoding, errors, bom)
    *first, last = pieces(data, cuts(choices, len(data)))
    text = "".join([decoder.decode(piece) for piece in first]) + decoder.decode(last, True)
    assert (text, decoder.encoding, decoder.had_errors) == expected


@given(data, encodings, BOMS, st.data())
def test_a_state_continues_the_stream_in_another_decoder(data, encoding, bom, choices):
    decoder = textcodec.IncrementalDecoder(encoding, "backslashreplace", bom)
    other = textcodec.IncrementalDecoder(encoding, "backslashreplace", bom)
    *first, last = pieces(data, cuts(choices, len(data)))
    for piece in first:
        decoder.decode(piece)
        state = decoder.getstate()
        assert state[1] < 1 << 31
        other = textcodec.IncrementalDecoder(encoding, "backslashreplace", bom)
        other.setstate(state)
        assert other.getstate() == state
        decoder, other = other, decoder
    assert decoder.decode(last, True) == other.decode(last, True)


@given(data, encodings, BOMS, st.data())
def test_a_strict_error_has_the_same_sequence_however_the_stream_is_cut(data, encoding, bom, choices):
    try:
        textcodec.decode(data, encoding, "strict", bom)
    except UnicodeDecodeError as error:
        expected = error.object[error.start : error.end], error.reason
        before = len(data) - error.start
    else:
        expected = before = None
    decoder = textcodec.IncrementalDecoder(encoding, "strict", bom)
    *first, last = pieces(data, cuts(choices, len(data)))
    rest, outcome = len(data), None
    for piece, final in [*((piece, False) for piece in first), (last, True)]:
        try:
            decoder.decode(piece, final)
        except UnicodeDecodeError as error:
            outcome = error.object[error.start : error.end], error.reason
            assert len(error.object) - error.start + (rest - len(piece)) == before
            break
        rest -= len(piece)
    if expected and bom != "keep" and any(mark.startswith(data) for mark in (b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe")):
        # A stream that ends in the middle of a byte order mark is incomplete, whatever its bytes mean.
        outcome, expected = outcome[0], expected[0]
    assert outcome == expected


@given(texts, encoders, st.data())
def test_the_bytes_do_not_depend_on_how_the_text_is_cut(text, encoding, choices):
    encoder = textcodec.IncrementalEncoder(encoding, "xmlcharrefreplace")
    written = b""
    *first, last = pieces(text, cuts(choices, len(text)))
    for piece in first:
        written += encoder.encode(piece)
        other = textcodec.IncrementalEncoder(encoding, "xmlcharrefreplace")
        other.setstate(encoder.getstate())
        encoder = other
    assert written + encoder.encode(last, True) == textcodec.encode(text, encoding, "xmlcharrefreplace")


def test_an_exception_leaves_the_decoder_where_it_was():
    decoder = textcodec.IncrementalDecoder("shift_jis", "strict")
    assert decoder.decode(b"a\x83") == "a"
    state = decoder.getstate()
    with pytest.raises(UnicodeDecodeError) as caught:
        decoder.decode(b"\x65b\xff")
    assert (caught.value.object, caught.value.start) == (b"\x83\x65b\xff", 3)
    assert decoder.getstate() == state
    assert decoder.decode(b"\x65") == "テ"


def test_the_first_states_are_zero():
    for encoding in textcodec.ENCODINGS:
        for bom in ("sniff", "remove", "keep"):
            decoder = textcodec.IncrementalDecoder(encoding, bom=bom)
            assert decoder.getstate() == (b"", 0)
            decoder.decode(b"abc\x1b$")
            decoder.reset()
            assert decoder.getstate() == (b"", 0) and not decoder.had_errors


def test_another_state_and_a_reset_forget_the_errors():
    decoder = textcodec.IncrementalDecoder("gbk")
    start = decoder.getstate()
    for forget in (lambda: decoder.setstate(start), decoder.reset):
        assert decoder.decode(b"a\xff") == "a\ufffd" and decoder.had_errors
        forget()
        assert not decoder.had_errors
    encoder = textcodec.IncrementalEncoder("iso-2022-jp")
    assert encoder.encode("日") and encoder.getstate() != 0
    encoder.reset()
    assert encoder.getstate() == 0 and encoder.encode("a") == b"a"


def test_the_error_handler_of_a_stream_can_change():
    decoder = textcodec.IncrementalDecoder("gbk")
    decoder.errors = "ignore"
    assert decoder.errors == "ignore" and decoder.decode(b"a\xffb") == "ab"
    encoder = textcodec.IncrementalEncoder("gbk")
    encoder.errors = "replace"
    assert encoder.errors == "replace" and encoder.encode("a☃") == b"a?"


def test_a_byte_order_mark_is_part_of_the_state():
    decoder = textcodec.IncrementalDecoder("gbk")
    assert decoder.decode(b"\xff") == ""
    assert decoder.getstate() == (b"\xff", 0)
    assert decoder.decode(b"\xfea\x00b") == "a"
    assert decoder.encoding.name == "UTF-16LE"
    other = textcodec.IncrementalDecoder("gbk")
    other.setstate(decoder.getstate())
    assert other.encoding.name == "UTF-16LE" and other.decode(b"\x00") == "b"


def test_no_state_brings_the_decoder_to_its_knees():
    for encoding in textcodec.ENCODINGS:
        decoder = textcodec.IncrementalDecoder(encoding)
        for flags in [*range(0, 1 << 19, 37), 1 << 19, 1 << 30, 1 << 62]:
            try:
                decoder.setstate((b"\x81", flags))
            except ValueError:
                continue
            decoder.decode(b"\x30$B\xffa\x00")
            decoder.decode(b"", True)
    with pytest.raises(ValueError, match="getstate"):
        textcodec.IncrementalDecoder("gbk").setstate((b"", 8))
    with pytest.raises(ValueError, match="getstate"):
        textcodec.IncrementalEncoder("gbk").setstate(1)
    encoder = textcodec.IncrementalEncoder("iso-2022-jp")
    for state in range(1 << 16):
        try:
            encoder.setstate(state)
        except ValueError:
            # ASCII, Roman and JIS X 0208.
            assert state > 2
            continue
        assert state <= 2
        encoder.encode("a日¥", True)


def test_a_refused_state_changes_nothing():
    decoder = textcodec.IncrementalDecoder("iso-2022-jp")
    assert decoder.decode(b"\x1b$B\x24") == ""
    state = decoder.getstate()
    for flags in (0x2800 << 3, 1 << 40, (1 << 64) - 1, 8 << 3 | 1):
        with pytest.raises(ValueError, match="getstate"):
            decoder.setstate((b"\x1b\x1b", flags))
        assert decoder.getstate() == state
    assert decoder.decode(b"\x22") == "あ"


def test_an_escape_that_the_next_piece_shows_to_be_malformed_is_no_part_of_the_state():
    for pieces in [(b"q\x1b", b"\x1b", b"$B$\x22"), (b"\x1b(J\x1b", b"\x1b", b"", b"\\"), (b"\x1b$B\x1b$", b"\x1b", b"(B~")]:
        whole = textcodec.IncrementalDecoder("iso-2022-jp").decode(b"".join(pieces), True)
        decoder, text = textcodec.IncrementalDecoder("iso-2022-jp"), ""
        for piece in pieces:
            text += decoder.decode(piece)
            state = decoder.getstate()
            decoder = textcodec.IncrementalDecoder("iso-2022-jp")
            decoder.setstate(state)
            assert decoder.getstate() == state
        assert text + decoder.decode(b"", True) == whole


def test_after_the_end_the_state_is_that_of_a_new_stream():
    for encoding, data in [("gbk", b"\xff\xfea\0"), ("iso-2022-jp", b"\x1b(Ja"), ("replacement", b"a")]:
        decoder = textcodec.IncrementalDecoder(encoding)
        decoder.decode(data, True)
        assert decoder.getstate() == (b"", 0)
        other = textcodec.IncrementalDecoder(encoding)
        other.setstate(decoder.getstate())
        assert other.decode(b"\\a", True) == decoder.decode(b"\\a", True)


def test_a_handler_that_calls_its_own_decoder_is_an_error():
    import codecs

    codecs.register_error("textcodec-again", lambda error: (decoder.decode(b"a"), error.end))
    decoder = textcodec.IncrementalDecoder("utf-8", "textcodec-again")
    with pytest.raises(RuntimeError, match="the IncrementalDecoder is in use"):
        decoder.decode(b"\xffab")
    codecs.register_error("textcodec-again", lambda error: (encoder.encode("a"), error.end))
    encoder = textcodec.IncrementalEncoder("gbk", "textcodec-again")
    with pytest.raises(RuntimeError, match="the IncrementalEncoder is in use"):
        encoder.encode("a☃")
    context = textcodec.ContextDecoder("html", guess=lambda data: context.decode(data) and "gbk")
    with pytest.raises(RuntimeError, match="the ContextDecoder is in use"):
        context.decode(b"a", True)


def test_a_handler_that_changes_the_input_changes_no_state():
    """The bytes that are pending are those that were decoded, not those that the handler has written."""
    data = bytearray(b"a\xff\x82")
    original = bytes(data)

    def change(error):
        data[:] = b"xyz"
        return "?", error.end

    def restore(error):
        data[:] = original
        return "!", error.end

    codecs.register_error("textcodec-change", change)
    codecs.register_error("textcodec-restore", restore)
    decoder = textcodec.IncrementalDecoder("shift_jis", "textcodec-change")
    assert decoder.decode(data) == "a?"
    assert decoder.getstate()[0] == b"\x82"
    assert decoder.decode(b"\xa0") == "あ"
    # A handler can also have the name of one of Python's own.
    data[:] = original
    own = codecs.lookup_error("xmlcharrefreplace")
    codecs.register_error("xmlcharrefreplace", change)
    try:
        decoder = textcodec.IncrementalDecoder("shift_jis", "xmlcharrefreplace")
        assert (decoder.decode(data), decoder.getstate()[0]) == ("a?", b"\x82")
    finally:
        codecs.register_error("xmlcharrefreplace", own)
    # The error of the next call has the bytes of this one.
    data[:] = original
    decoder = textcodec.ContextDecoder("html", "shift_jis", errors="textcodec-change")
    assert (decoder.decode(data), bytes(data)) == ("a?", b"xyz")
    with pytest.raises(UnicodeDecodeError) as caught:
        codecs.register_error("textcodec-change", codecs.strict_errors)
        decoder.decode(b"", final=True)
    assert (caught.value.object, caught.value.start) == (b"\x82", 0)
    # A handler that changes the input and goes back reads what was there before.
    data[:] = original
    assert textcodec.decode(data, "shift_jis", "textcodec-restore").text == "a!!"


def test_threads_that_share_a_decoder_get_an_error_or_text():
    import threading

    # So long that the interpreter's lock is released.
    piece, text = b"\x83\x65" * 200_000, "テ" * 200_000
    decoder = textcodec.IncrementalDecoder("shift_jis")
    wrong = []

    def work():
        for _ in range(20):
            try:
                if decoder.decode(piece) != text:
                    wrong.append("text")
            except RuntimeError as error:
                if "one thread at a time" not in str(error):
                    wrong.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_ascii_at_the_end_ends_a_stream_as_any_text_does():
    for label in ("utf-8", "gbk", "windows-1252", "utf-16le"):
        for bom in ("sniff", "remove"):
            mark = b"\xff\xfe" if label == "utf-16le" else b"\xef\xbb\xbf"
            decoder = textcodec.IncrementalDecoder(label, bom=bom)
            for text in (b"ab" * 40, b"a\0", b""):
                decoder.decode(text, True)
                assert decoder.getstate() == (b"", 0) and decoder.encoding.name == textcodec.lookup(label).name
                assert decoder.decode(mark + b"a\0") == textcodec.decode(mark + b"a\0", label, bom=bom).text
                decoder.decode(b"", True)


def test_the_error_handler_belongs_to_the_object_and_no_stream():
    decoder = textcodec.IncrementalDecoder("shift_jis", "ignore")
    assert decoder.decode(b"a\x83") == "a"
    # Another handler in the middle of a character.
    decoder.errors = "backslashreplace"
    assert decoder.decode(b"\x65\xff") == "テ\\xff"
    decoder.setstate((b"\x83", 1))
    assert decoder.errors == "backslashreplace" and decoder.decode(b"\xff", True) == "\\x83\\xff"
    decoder.reset()
    assert decoder.errors == "backslashreplace" and decoder.decode(b"\xff", True) == "\\xff"
    encoder = textcodec.IncrementalEncoder("iso-2022-jp", "ignore")
    assert encoder.encode("日☃") == b"\x1b$BF|"
    encoder.errors = "namereplace"
    assert encoder.encode("☃本", True) == b"\x1b(B\\N{SNOWMAN}\x1b$BK\\\x1b(B"
    encoder.reset()
    encoder.setstate(0)
    assert encoder.errors == "namereplace" and encoder.encode("☃", True) == b"\\N{SNOWMAN}"


def test_the_error_of_a_context_has_all_bytes_of_its_sequence():
    for pieces in [(b"a\x81", b"\x30", b"\x81", b"a"), (b"a\x81\x30", b"\x81", b"", b"a"), (b"a\x81\x30\x81a",)]:
        decoder = textcodec.ContextDecoder("html", "gb18030", errors="strict")
        with pytest.raises(UnicodeDecodeError) as caught:
            for piece in pieces:
                decoder.decode(piece)
        error = caught.value
        assert error.object[error.start : error.end] == b"\x81" and error.object.endswith(b"\x81\x30\x81a"), pieces
        assert error.encoding == "gb18030"


def test_an_error_names_the_encoding_of_the_byte_order_mark():
    for data, name in [(b"\xef\xbb\xbf\xff", "UTF-8"), (b"\xff\xfe\0\xdca\0", "UTF-16LE"), (b"\xfe\xff\xdc\0\0a", "UTF-16BE")]:
        for call in (
            lambda: textcodec.decode(data, "gbk", "strict"),
            lambda: textcodec.IncrementalDecoder("gbk", "strict").decode(data),
            lambda: [decoder.decode(bytes([byte])) for decoder in [textcodec.IncrementalDecoder("gbk", "strict")] for byte in data],
            lambda: textcodec.html(data, errors="strict"),
            lambda: textcodec.ContextDecoder("html", errors="strict").decode(data, True),
        ):
            with pytest.raises(UnicodeDecodeError) as caught:
                call()
            assert caught.value.encoding == name


def test_a_context_remembers_an_error():
    for label in ("utf-8", "gbk"):
        decoder = textcodec.ContextDecoder("css", label)
        assert not decoder.had_errors
        assert decoder.decode(b"a\xff") + decoder.decode(b"b") + decoder.decode(b"", True)
        assert decoder.had_errors


# Charsets whose encoders or decoders keep a state between characters, besides the encodings of the Standard.
STATES = "EUC-JISX0213 SHIFT_JISX0213 BIG5-HKSCS ISO-2022-KR ISO-2022-CN ISO-2022-JP-2 ISO-2022-JP-3 IBM930 IBM933 IBM937 IBM1388 IBM1399"
CODERS = [*map(textcodec.Charset, textcodec.ENCODINGS), *(textcodec.Charset(f"glibc:{name}") for name in STATES.split())]
CODERS += map(textcodec.Charset, ["utf-32le", "tcvn", "hz", "cp037", "glibc:utf-16"])
# Characters of each set that one of the encoders switches to, and letters that wait for a mark.
LETTERS = "a日か中가Ê¥ｱé😀aか"


@pytest.mark.parametrize("charset", CODERS, ids=str)
def test_a_new_stream_begins_after_reset_and_with_the_first_state(charset):
    """Whatever came before, and also if it was an error."""
    whole = textcodec.encode(LETTERS, charset, "ignore")
    for text in ("", *LETTERS, LETTERS, "日か", "Êか", "가か", "日\udc80"):
        for forget in (lambda encoder: encoder.reset(), lambda encoder: encoder.setstate(0), lambda encoder: encoder.encode("", True)):
            encoder = textcodec.IncrementalEncoder(charset, "ignore")
            encoder.encode(text)
            forget(encoder)
            assert encoder.getstate() == 0, text
            assert encoder.encode(LETTERS) + encoder.encode("", True) == whole, text
    starts = [textcodec.encode(letter, charset, "ignore") for letter in ("日", "か", "가", "Ê", "é")]
    for start in (b"", b"\x81", b"\xff\xfea", b"\xef\xbb", b"\x1b$B$", b"\x1b$)C\x0e0", b"\x0eEb\x40", b"a\xff", *starts, *(data[:-1] for data in starts)):
        for bom in ("sniff", "keep"):
            for forget in (lambda decoder: decoder.reset(), lambda decoder: decoder.setstate((b"", 0)), lambda decoder: decoder.decode(b"", True)):
                decoder = textcodec.IncrementalDecoder(charset, bom=bom)
                decoder.decode(start)
                forget(decoder)
                assert decoder.getstate() == (b"", 0), start
                expected = textcodec.decode(whole, charset, bom=bom)
                assert decoder.decode(whole) + decoder.decode(b"", True) == expected.text, start
                assert decoder.encoding == expected.encoding, start


@pytest.mark.parametrize("charset", CODERS, ids=str)
def test_every_state_of_a_stream_can_follow_every_other(charset):
    encoders, decoders = [], []
    whole = textcodec.encode(LETTERS, charset, "ignore")
    for cut in range(len(LETTERS) + 1):
        encoder = textcodec.IncrementalEncoder(charset, "ignore")
        start = encoder.encode(LETTERS[:cut])
        encoders.append((encoder.getstate(), start, LETTERS[cut:]))
    for cut in range(len(whole) + 1):
        decoder = textcodec.IncrementalDecoder(charset, "backslashreplace", "keep")
        start = decoder.decode(whole[:cut])
        decoders.append((decoder.getstate(), start, whole[cut:]))
    text = textcodec.decode(whole, charset, "backslashreplace", "keep").text
    for before, *_ in encoders:
        for state, start, rest in encoders:
            encoder = textcodec.IncrementalEncoder(charset, "ignore")
            encoder.setstate(before)
            encoder.setstate(state)
            assert encoder.getstate() == state
            assert start + encoder.encode(rest, True) == whole, (before, state)
    for before, *_ in decoders[::3]:
        for state, start, rest in decoders:
            decoder = textcodec.IncrementalDecoder(charset, "backslashreplace", "keep")
            decoder.setstate(before)
            decoder.setstate(state)
            assert decoder.getstate() == state
            assert start + decoder.decode(rest, True) == text, (before, state)


def test_an_encoder_without_states_has_only_the_first():
    for charset in CODERS:
        encoder = textcodec.IncrementalEncoder(charset, "ignore")
        states = set()
        for letter in LETTERS:
            encoder.encode(letter)
            states.add(encoder.getstate())
        if states == {0}:
            for state in (1, 2, 1 << 40):
                with pytest.raises(ValueError, match="^the state is not one that getstate\\(\\) returned$"):
                    encoder.setstate(state)
        assert (len(states) > 1) == (str(charset).removeprefix("glibc:") in [*STATES.split(), "ISO-2022-JP", "HZ"]), charset
    for wrong in (-1, 1 << 64, None, "0", b""):
        with pytest.raises((TypeError, OverflowError)):
            textcodec.IncrementalEncoder("iso-2022-jp").setstate(wrong)
        with pytest.raises((TypeError, OverflowError)):
            textcodec.IncrementalDecoder("iso-2022-jp").setstate((b"", wrong))


@pytest.mark.parametrize("charset", CODERS, ids=str)
def test_a_state_after_an_error_continues_the_stream(charset):
    """An error before the sequence that has begun, and shifts or escapes between both."""
    letters = [textcodec.encode(letter, charset, "ignore") for letter in "日가é"]
    for start in (b"\xff", b"\x80\xff", b"\x1b\xff", b"a\x81\xff"):
        data = b"".join(start + textcodec.encode(LETTERS, charset, "ignore")[at:] for at in (0, 1)) + start.join(letters)
        expected = textcodec.decode(data, charset, "backslashreplace", "keep").text
        for cut in range(len(data) + 1):
            decoder = textcodec.IncrementalDecoder(charset, "backslashreplace", "keep")
            text = decoder.decode(data[:cut])
            other = textcodec.IncrementalDecoder(charset, "backslashreplace", "keep")
            other.setstate(decoder.getstate())
            assert other.getstate() == decoder.getstate()
            assert text + other.decode(data[cut:], True) == text + decoder.decode(data[cut:], True) == expected, (start, cut)
