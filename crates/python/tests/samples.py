"""Inputs that several tests share."""

from hypothesis import strategies as st

import textcodec

ENCODERS = [encoding for encoding in textcodec.ENCODINGS if encoding.name != "replacement"]

# Bytes of every range that some encoding treats in its own way.
PIECES = [b"a", b"ab\r\n", b"\x1b$B", b"\x1b(J", b"\x1b(B", b"\x30", b"\x81\x30", b"\x88\x62", b"\x8f\xa2", b"\xa4\xe9"]
PIECES += [b"\xc3\xa9", b"\xe2\x82\xac", b"\xf0\x9f\x98\x80", b"\xd8\x3d", b"\xde\x00", b"\xef\xbb\xbf", b"\xff\xfe"]

encodings = st.sampled_from(textcodec.ENCODINGS)
encoders = st.sampled_from(ENCODERS)
data = st.lists(st.one_of(st.sampled_from(PIECES), st.binary(max_size=3)), max_size=40).map(b"".join)
characters = st.one_of(st.characters(codec="utf-8"), st.sampled_from("aé€☃я日本語中文한국ｱ\\~¥‾😀"))
texts = st.text(characters, max_size=60)
texts_with_surrogates = st.text(st.one_of(characters, st.characters(categories=["Cs"])), max_size=40)


def cuts(draw_from: st.DataObject, length: int) -> list[int]:
    """Places at which a stream of this length is cut."""
    return sorted(draw_from.draw(st.lists(st.integers(0, length), max_size=6)))


def once(answer, position):
    """An error handler that goes to a position for its first error, and goes on after all others."""
    calls = []

    def handle(error):
        calls.append(error)
        return answer, position if len(calls) == 1 else error.end

    return handle
