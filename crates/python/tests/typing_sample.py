"""Uses of the package that mypy --strict and pyright check. It is not run."""

from typing import assert_type

import textcodec
import textcodec.cchardet
import textcodec.chardet
import textcodec.charset_normalizer
import textcodec.webencodings


def calls(data: bytes, view: memoryview, text: str) -> None:
    decoded = textcodec.decode(data, "shift_jis", errors="strict", bom="keep")
    assert_type(decoded, textcodec.Decoded)
    assert_type(decoded.text, str)
    result, encoding, had_errors = decoded
    assert_type(result, str)
    assert_type(encoding, textcodec.Encoding)
    assert_type(had_errors, bool)
    assert_type(textcodec.encode(text, encoding), bytes)
    assert_type(encoding.decode(view).encoding.labels, tuple[str, ...])
    page = textcodec.html(view, "utf-8", content_type=b"text/html", guess=lambda data: "gbk" if data else None)
    assert_type(page.encoding, textcodec.Encoding | None)
    assert_type(page[0], str)
    textcodec.decode_as(bytearray(data), textcodec.CONTEXTS[0], environment=encoding)
    decoder = textcodec.ContextDecoder("html", locale="ja")
    assert_type(decoder.decode(data) + decoder.decode(b"", True), str)
    incremental = textcodec.IncrementalDecoder("gbk")
    incremental.setstate(incremental.getstate())
    with textcodec.open("file", "w", encoding="euc-jp") as file:
        file.write(text)
    assert_type(textcodec.url.urlencode({"a": "b"}.items()), str)
    assert_type(textcodec.webencodings.decode(data, "gbk"), tuple[str, textcodec.webencodings.Encoding])
    textcodec.webencodings.install()


def checks(data: bytes, view: memoryview, text: str) -> None:
    problem = textcodec.check(view, "auto", to=textcodec.lookup("gbk"), kind="html")[0]
    assert_type(problem, textcodec.Problem)
    assert_type(problem.bytes, bytes | None)
    assert_type(problem.offset, int | None)
    repaired = textcodec.repair(text, encodings=["windows-1252", textcodec.lookup("koi8-r")], ambiguous=True)
    assert_type(repaired, textcodec.Repaired)
    assert_type(textcodec.repair(data, mixed=("utf-8", "gbk")).text, str)
    change = textcodec.repair(text, was="koi8-r", read_as=textcodec.lookup("gbk")).changes[0]
    assert_type(change.steps[0].was, str | None)
    assert_type(textcodec.fix(text, rules=["bom"]).rules, list[str])
    assert_type(textcodec.transliterate(text, "latin1"), str)


def detections(data: bytes, view: memoryview) -> None:
    detection = textcodec.detect(view, among=["utf-8", textcodec.lookup("gbk")], language="de", platform="mac")
    assert_type(detection, textcodec.Detection)
    assert_type(detection.encoding, textcodec.Encoding | None)
    assert_type(detection.candidates[0].probability, float)
    assert_type(detection.decode(data).text, str)
    detector = textcodec.Detector(top_level_domain=("de", "at"), declared="latin1")
    detector.feed(view)
    assert_type(detector.finish().evidence, tuple[int, ...])
    textcodec.html(data, guess="detect")


def charsets(data: bytes, text: str) -> None:
    charset = textcodec.Charset("cp037")
    decoded = textcodec.decode(data, charset="cp037", errors="strict")
    assert_type(decoded.encoding, textcodec.Encoding | textcodec.Charset)
    assert_type(decoded.text + decoded[0] + charset.decode(data).text, str)
    assert_type(textcodec.encode(text, charset=charset) + charset.encode(text), bytes)
    assert_type(textcodec.IncrementalDecoder(charset=charset).decode(data), str)
    assert_type(textcodec.IncrementalEncoder(charset="cp437", errors="replace").encode(text), bytes)
    with textcodec.open("file", charset="cp1047") as file:
        file.read()


def other_detectors(data: bytes) -> None:
    result = textcodec.chardet.detect(data, encoding_era=textcodec.chardet.EncodingEra.DOS)
    assert_type(result["encoding"], str | None)
    detector = textcodec.chardet.UniversalDetector(include_encodings=["koi8-r"])
    detector.feed(bytearray(data))
    assert_type(detector.close()["confidence"], float)
    best = textcodec.charset_normalizer.from_bytes(data).best()
    assert_type(best.encoding if best else None, str | None)
    with textcodec.cchardet.UniversalDetector() as other:
        other.feed(data)
    assert_type(other.result["confidence"], float | None)
    textcodec.chardet.install(version=5)


def mistakes() -> None:
    textcodec.detect("text")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    textcodec.html(b"", guess="utf-8")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    textcodec.decode("text", "gbk")  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
    textcodec.decode(b"", "gbk", bom="strip")  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
    textcodec.decode(b"", "gbk", charset="cp037")  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue]
    textcodec.check("text")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    textcodec.repair("text", "gbk")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    textcodec.url.percent_encode("", set="all")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


class Column:
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        raise NotImplementedError


def columns(column: Column) -> int:
    texts: textcodec.arrow.Array | textcodec.arrow.ChunkedArray = textcodec.arrow.decode(column, column, "null", threads=2)
    pages = textcodec.arrow.html(column, content_type="text/html", guess=lambda page: None)
    pages = textcodec.arrow.html(textcodec.arrow.decode(column, charset="cp037"), guess="detect")
    pages = textcodec.arrow.detect(column, among=["utf-8", textcodec.lookup("gbk")], threads=2)
    return len(texts) + len(pages) + len(textcodec.arrow.encode(pages, textcodec.lookup("gbk")))
