"""Arrow columns: the same results as the functions for one text, for every type of column, and the errors."""

import gc
import struct
import threading
import time

import pytest

import textcodec
import textcodec.arrow as columns
from forged import Chunked, array, schema

pyarrow = pytest.importorskip("pyarrow")

ROWS = [b"\x83\x65\x83\x4c", None, b"", b"plain text that is longer than a view", b"abc\x82\xff", b"\xef\xbb\xbfcaf\xc3\xa9", b"\x93\xfa" * 300]
TYPES = {
    pyarrow.binary(): pyarrow.string(),
    pyarrow.large_binary(): pyarrow.large_string(),
    pyarrow.binary_view(): pyarrow.string_view(),
    pyarrow.dictionary(pyarrow.int8(), pyarrow.binary()): pyarrow.dictionary(pyarrow.int8(), pyarrow.string()),
}


def column(rows, type):
    if pyarrow.types.is_dictionary(type):
        return pyarrow.array(rows, pyarrow.binary()).dictionary_encode().cast(type)
    return pyarrow.array(rows, type)


@pytest.mark.parametrize("type", TYPES, ids=str)
@pytest.mark.parametrize("label", ["shift_jis", "utf-8", "utf-16le", "windows-1252", "iso-2022-jp"])
def test_every_column_has_the_texts_of_its_rows(type, label):
    array = column(ROWS, type)
    for part in (array, array[2:], array[:0]):
        for bom in ("sniff", "remove", "keep"):
            result = pyarrow.array(columns.decode(part, label, bom=bom))
            result.validate(full=True)
            assert result.type == TYPES[type]
            expected = [None if row is None else textcodec.decode(row, label, bom=bom).text for row in part.to_pylist()]
            assert result.to_pylist() == expected


def test_a_chunked_array_keeps_its_chunks_on_any_number_of_threads():
    array = pyarrow.chunked_array([ROWS[:3], [], ROWS[3:]], pyarrow.binary())
    labels = pyarrow.chunked_array([["sjis"], ["gbk"] * 6], pyarrow.string())
    expected = [None if row is None else textcodec.decode(row, label.as_py()).text for row, label in zip(array.to_pylist(), labels)]
    for threads in (1, 2, 9):
        result = columns.decode(array, labels, threads=threads)
        assert isinstance(result, columns.ChunkedArray) and result.num_chunks == 3 and len(result) == 7
        assert pyarrow.chunked_array(result).to_pylist() == expected
    assert repr(result) == "<textcodec.arrow.ChunkedArray of Utf8, 7 rows in 3 chunks>"


def test_several_threads_cut_an_array_into_chunks():
    array = pyarrow.array([b"\xe4%d" % number for number in range(1001)])
    one = columns.decode(array, "latin1")
    several = columns.decode(array, "latin1", threads=3)
    assert isinstance(one, columns.Array) and isinstance(several, columns.ChunkedArray) and several.num_chunks == 12
    assert pyarrow.chunked_array(several).to_pylist() == pyarrow.array(one).to_pylist()
    assert repr(one) == "<textcodec.arrow.Array of Utf8, 1001 rows>" and len(one) == 1001
    with pytest.raises(UnicodeDecodeError) as caught:
        columns.decode(array, "utf-8", "strict", threads=3)
    assert "in row 0" in str(caught.value)


def test_no_chunks_have_the_type_all_the_same():
    empty = pyarrow.chunked_array([], pyarrow.large_binary())
    assert pyarrow.chunked_array(columns.decode(empty, "gbk")).type == pyarrow.large_string()
    empty = pyarrow.chunked_array([], pyarrow.dictionary(pyarrow.int8(), pyarrow.binary()))
    labels = pyarrow.chunked_array([], pyarrow.string())
    assert pyarrow.chunked_array(columns.decode(empty, labels)).type == pyarrow.string()
    assert pyarrow.chunked_array(columns.html(empty)).type.field("text").type == pyarrow.string()


def test_an_error_names_the_row_the_place_and_the_bytes():
    with pytest.raises(UnicodeDecodeError) as caught:
        columns.decode(pyarrow.chunked_array([[b"a", None], [b"bc\x82\xff"]]), "shift_jis", "strict")
    error = caught.value
    assert (error.encoding, error.object, error.start, error.end) == ("Shift_JIS", b"bc\x82\xff", 2, 4)
    assert error.reason == "malformed sequence, in row 2"
    with pytest.raises(UnicodeEncodeError) as caught:
        columns.encode(pyarrow.array(["a", "日本☃"]), "shift_jis")
    error = caught.value
    assert (error.encoding, error.object, error.start, error.end) == ("Shift_JIS", "日本☃", 2, 3)
    assert error.reason == "unmappable character, in row 1"


def test_wrong_arguments_say_what_is_needed():
    array = pyarrow.array([b"a", b"b"])
    for call, exception, message in [
        (lambda: columns.decode([b"a"], "gbk"), TypeError, "column must be an Arrow column.* not list"),
        (lambda: columns.decode(pyarrow.array([1]), "gbk"), TypeError, "the column has the type Int64; Binary"),
        (lambda: columns.html(pyarrow.array(["a"])), TypeError, "the column has the type Utf8; Binary"),
        (lambda: columns.encode(array, "gbk"), TypeError, "the column has the type Binary; Utf8"),
        (lambda: columns.decode(array, array), TypeError, "the column of labels has the type Binary; Utf8"),
        (lambda: columns.decode(array), TypeError, "labels or charset must say what the encodings are"),
        (lambda: columns.decode(array, "gbk", charset="gbk"), TypeError, "labels or charset, not both"),
        (lambda: columns.decode(array, charset=array), TypeError, "the column of charsets has the type Binary; Utf8"),
        (lambda: columns.decode(array, charset=3), TypeError, "charset must be a name, an Encoding or an Arrow column.* not int"),
        (lambda: columns.decode(array, charset=pyarrow.array(["gbk"])), ValueError, "2 rows .* has 1"),
        (lambda: columns.decode(array, charset="cp278"), LookupError, "iana:cp278 and java:cp278"),
        (lambda: columns.decode(array, charset=pyarrow.array(["gbk", "latin-1"])), LookupError, "row 1: .*did you mean 'latin1'"),
        (lambda: columns.encode(pyarrow.array(["a"]), charset="utf-7"), ValueError, "the encoding utf-7 has no encoder"),
        (lambda: columns.html(array, guess="chardet"), ValueError, "guess must be 'detect' or a function .*, not 'chardet'"),
        (lambda: columns.html(array, guess=3), TypeError, "guess must be 'detect' or a function .*, not int"),
        (lambda: columns.detect(pyarrow.array(["a"])), TypeError, "the column has the type Utf8; Binary"),
        (lambda: columns.detect(array, among=[]), ValueError, "among must name an encoding at least"),
        (lambda: columns.detect(array, exclude="latin-1"), LookupError, "did you mean 'latin1'"),
        (lambda: columns.decode(array, 3), TypeError, "labels must be a label, an Encoding or an Arrow column.* not int"),
        (lambda: columns.decode(array, pyarrow.array(["gbk"])), ValueError, "2 rows .* has 1"),
        (lambda: columns.html(array, pyarrow.array(["gbk"])), ValueError, "2 rows .* has 1"),
        (lambda: columns.decode(array, "latin-1"), LookupError, "did you mean 'latin1'"),
        (lambda: columns.decode(array, pyarrow.array(["gbk", "latin-1"])), LookupError, "row 1: .*did you mean 'latin1'"),
        (lambda: columns.decode(array, "gbk", "ignore"), LookupError, "'replace', 'strict' or 'null'"),
        (lambda: columns.decode(array, "gbk", bom="no"), ValueError, "'sniff', 'remove' or 'keep'"),
        (lambda: columns.decode(array, "gbk", threads=0), ValueError, "at least 1"),
        (lambda: columns.encode(pyarrow.array(["a"]), "replacement"), ValueError, "no encoder"),
        (lambda: columns.html(array, "gbk", content_type="a/b"), TypeError, "not both"),
    ]:
        with pytest.raises(exception, match=message):
            call()


def test_columns_that_break_the_rules_of_arrow_are_refused():
    def column(kind, values, *offsets):
        buffers = [None, pyarrow.py_buffer(struct.pack(f"<{len(offsets)}i", *offsets)), pyarrow.py_buffer(values)]
        return pyarrow.Array.from_buffers(kind, len(offsets) - 1, buffers)

    text, body = pyarrow.string(), pyarrow.binary()
    for broken in [column(text, b"ab\xc3\xff", 0, 2, 4), column(text, "é".encode(), 0, 1, 2), column(text, b"abcd", 2, 0, 4)]:
        with pytest.raises(ValueError):
            columns.encode(broken, "gbk")
        with pytest.raises(ValueError):
            columns.decode(pyarrow.array([b"a", b"b"]), broken)
        with pytest.raises(ValueError):
            columns.encode(pyarrow.chunked_array([broken]), "gbk")
    with pytest.raises(ValueError):
        columns.decode(column(body, b"abcd", 0, 4_000_000, 4), "gbk")


def test_encode_is_the_same_as_for_one_text():
    rows = ["", "abc", "テキスト", "é☃", None]
    for type in (pyarrow.string(), pyarrow.large_string(), pyarrow.string_view()):
        array = pyarrow.array(rows, type)
        for label in ("shift_jis", "windows-1252", "utf-8", "utf-16be"):
            for errors in ("replace", "xmlcharrefreplace"):
                expected = [None if row is None else textcodec.encode(row, label, errors) for row in rows]
                assert pyarrow.array(columns.encode(array, label, errors)).to_pylist() == expected
    assert pyarrow.array(columns.encode(array, "latin1", "null")).to_pylist() == [b"", b"abc", None, None, None]
    labels = pyarrow.array(["gbk", "gbk", "shift_jis", "utf-8", None])
    assert pyarrow.array(columns.encode(array, labels)).to_pylist()[2:4] == ["テキスト".encode("cp932"), "é☃".encode()]


def test_html_is_the_same_as_for_one_page():
    pages = [b"<meta charset=koi8-r>\xc4", b"\xef\xbb\xbf\xc3\xa9\xff", None, b"\xe4", b"<meta charset=utf-16>\xe4"]
    charsets = [None, "gbk", "gbk", "windows-1251", "no label"]
    headers = [charset and f"text/html; charset={charset}" for charset in charsets]
    fields = ["text", "encoding", "confidence", "reason", "had_errors"]
    expected = []
    for page, charset in zip(pages, charsets):
        if page is None:
            expected.append(None)
        else:
            found = textcodec.html(page, charset, locale="ru")
            expected.append(dict(zip(fields, [found.text, found.encoding.name, found.confidence, found.reason, found.had_errors])))
    for type in (pyarrow.binary(), pyarrow.binary_view()):
        array = pyarrow.array(pages, type)
        for arguments in ({"http_charset": pyarrow.array(charsets)}, {"content_type": pyarrow.array(headers)}):
            result = pyarrow.array(columns.html(array, locale="ru", **arguments))
            result.validate(full=True)
            assert result.to_pylist() == expected
    one = pyarrow.array(columns.html(array, "koi8-r")).field("text").to_pylist()
    assert one == [None if page is None else textcodec.html(page, "koi8-r").text for page in pages]
    one = pyarrow.array(columns.html(array, content_type="text/html;charset=koi8-r")).field("text").to_pylist()
    assert one[3] == "Д"
    assert pyarrow.array(columns.html(array, default="windows-1253")).field("text").to_pylist()[3] == "δ"


def test_a_guess_is_called_on_any_number_of_threads_and_its_exception_is_raised():
    array = pyarrow.array([b"\xe4"] * 100)
    for threads in (1, 3):
        result = columns.html(array, guess=lambda page: "windows-1253", threads=threads)
        assert pyarrow.table(result)["text"].to_pylist() == ["δ"] * 100
        with pytest.raises(ZeroDivisionError):
            columns.html(array, guess=lambda page: 1 / 0, threads=threads)


SENTENCES = {
    "koi8-r": ("ru", "Старые страницы писали в другой кодировке, и никто об этом не помнит."),
    "windows-1252": ("de", "Größere Straßen führen schöner durch das Gebirge – für 5 €."),
    "shift_jis": ("ja", "古いページは別の文字コードで書かれています。"),
    "euc-kr": ("ko", "오래된 문서는 다른 부호로 쓰여 있습니다."),
}


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("type", TYPES, ids=str)
def test_detect_finds_encodings_and_languages_in_every_column(type, threads):
    rows = [textcodec.encode(text, label) for label, (_, text) in SENTENCES.items()]
    rows += [None, b"\xff\xd8\xff\xe0\x00\x10JFIF\x00"]
    result = columns.detect(column(rows, type), threads=threads)
    found = pyarrow.chunked_array(result).combine_chunks() if threads > 1 else pyarrow.array(result)
    found.validate(full=True)
    assert [field.name for field in found.type] == ["encoding", "language", "probability"]
    answers = found.to_pylist()
    for answer, (label, (language, _)) in zip(answers, SENTENCES.items()):
        assert (answer["encoding"], answer["language"]) == (textcodec.lookup(label).name, language)
        assert 0.9 < answer["probability"] <= 1
    assert answers[4:] == [None, {"encoding": None, "language": None, "probability": None}]


def test_the_options_of_detect_choose_among_encodings():
    array = pyarrow.array([b"caf\xe9"])
    best = lambda **options: pyarrow.array(columns.detect(array, **options)).field("encoding").to_pylist()
    assert best() == best(among="windows-1252") == best(exclude=["koi8-r"]) == ["windows-1252"]
    assert best(among=["utf-8", textcodec.lookup("windows-1250")]) == ["windows-1250"]
    assert best(exclude="windows-1252") != ["windows-1252"]
    empty = pyarrow.chunked_array([], pyarrow.binary())
    assert pyarrow.chunked_array(columns.detect(empty)).type == pyarrow.array(columns.detect(array)).type


@pytest.mark.parametrize("threads", [1, 3])
def test_html_with_the_detector_reads_pages_that_declare_nothing(threads):
    pages = [textcodec.encode("<!doctype html><title>a</title>" + text, label) for label, (_, text) in SENTENCES.items()]
    pages += [b"<meta charset=koi8-r>\xc4", b"<p>plain"]
    array = pyarrow.array(pages)
    rows = pyarrow.table(columns.html(array, guess="detect", locale="el", threads=threads)).to_pylist()
    for row, (label, (_, text)) in zip(rows, SENTENCES.items()):
        assert row["text"].endswith(text)
        assert (row["encoding"], row["confidence"], row["reason"]) == (textcodec.lookup(label).name, "tentative", "heuristic")
    # A declaration decides, and ASCII fits the locale as well as anything else.
    assert [(row["text"][-1], row["reason"]) for row in rows[4:]] == [("д", "meta"), ("n", "locale")]
    by_header = pyarrow.array(columns.html(array, "koi8-r", guess="detect")).field("reason").to_pylist()
    assert by_header == ["transport"] * 6


def test_charsets_that_the_standard_does_not_have_have_an_argument_of_their_own():
    names = ["cp037", "IBM437", None, "latin1"]
    rows = [b"\xc8\x85", b"\x82", b"\x82", b"\xe9"]
    for type in (pyarrow.binary(), pyarrow.large_binary(), pyarrow.binary_view()):
        text = pyarrow.array(columns.decode(pyarrow.array(rows, type), charset=pyarrow.array(names)))
        assert text.to_pylist() == ["He", "é", None, "é"]
        assert pyarrow.array(columns.encode(text, charset=pyarrow.array(names))).to_pylist() == [b"\xc8\x85", b"\x82", None, b"\xe9"]
    text = columns.decode(pyarrow.array([b"\xc8\x85"] * 9).dictionary_encode(), charset="IBM1140", threads=2)
    assert pyarrow.chunked_array(text).to_pylist() == ["He"] * 9
    # No name of a charset is a label.
    for labels in ("cp037", pyarrow.array(names)):
        with pytest.raises(LookupError, match="unknown encoding label: 'cp037'"):
            columns.decode(pyarrow.array(rows), labels)
    encoded = columns.encode(pyarrow.array(["1☃"]), charset="cp037", errors="xmlcharrefreplace")
    assert pyarrow.array(columns.decode(encoded, charset="cp037")).to_pylist() == ["1&#9731;"]


def test_an_error_in_another_charset_names_the_row_the_place_and_the_bytes():
    with pytest.raises(UnicodeDecodeError) as caught:
        columns.decode(pyarrow.array([b"abc", b"ab\xff"]), charset="exact-us-ascii", errors="strict")
    error = caught.value
    assert (error.encoding, error.object, error.start, error.end) == ("exact-us-ascii", b"ab\xff", 2, 3)
    with pytest.raises(UnicodeEncodeError) as caught:
        columns.encode(pyarrow.array(["a", "é☃"]), charset="cp037")
    error = caught.value
    assert (error.encoding, error.object, error.start, error.end) == ("cp037", "é☃", 1, 2)


def test_a_result_lives_longer_than_everything_that_it_came_from():
    array = pyarrow.array(ROWS * 100, pyarrow.binary()).dictionary_encode()
    expected = [None if row is None else textcodec.decode(row, "shift_jis").text for row in ROWS] * 100
    result = columns.decode(array, "shift_jis")
    del array
    first, second = pyarrow.array(result), pyarrow.chunked_array(result)
    del result
    gc.collect()
    assert first.to_pylist() == expected and second.to_pylist() == expected


def test_a_result_is_not_copied_on_its_way_out():
    array = pyarrow.array([b"\xe4" * 100] * 10).dictionary_encode()
    result = columns.decode(array, "latin1")
    one, two = pyarrow.array(result), pyarrow.array(result)
    assert one.indices.buffers()[1].address == two.indices.buffers()[1].address
    assert one.dictionary.buffers()[2].address == two.dictionary.buffers()[2].address


def test_the_error_of_a_stream_is_raised():
    for error, message in [(None, "the error 5"), (b"no more rows", "no more rows"), (b"\xff", "\ufffd")]:
        with pytest.raises(ValueError, match=message):
            columns.decode(Chunked(schema(), array(), error=error), "gbk")


def test_a_column_of_another_type_is_refused_before_its_rows_are_read():
    table = pyarrow.RecordBatchReader.from_batches(pyarrow.schema([("a", pyarrow.binary())]), iter([]))
    with pytest.raises(TypeError, match="the column has the type Struct.*; Binary, .* is needed"):
        columns.decode(table, "gbk")
    for type in (pyarrow.list_(pyarrow.binary()), pyarrow.map_(pyarrow.string(), pyarrow.binary()), pyarrow.decimal128(3), pyarrow.null()):
        with pytest.raises(TypeError, match="the column of labels has the type"):
            columns.decode(pyarrow.array([b"a"]), pyarrow.array([None], type))


def test_a_stream_is_read_once():
    capsule = pyarrow.chunked_array([[b"a"]]).__arrow_c_stream__()

    class Once:
        def __arrow_c_stream__(self, requested_schema=None):
            return capsule

    assert len(columns.decode(Once(), "gbk")) == 1
    with pytest.raises(ValueError, match="has been read already"):
        columns.decode(Once(), "gbk")


def test_other_threads_run_meanwhile():
    array = pyarrow.array([b"\x93\xfa" * 50_000] * 200)
    steps, done = [], threading.Event()

    def count():
        while not done.is_set():
            steps.append(time.perf_counter())
            time.sleep(0)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        start = time.perf_counter()
        columns.decode(array, "shift_jis")
        end = time.perf_counter()
    finally:
        done.set()
        thread.join()
    assert len([step for step in steps if start < step < end]) > 3


def test_no_memory_is_lost():
    before = pyarrow.total_allocated_bytes()
    for _ in range(100):
        array = pyarrow.chunked_array([ROWS, ROWS])
        pyarrow.chunked_array(columns.decode(array, "shift_jis"))
        columns.html(array).__arrow_c_stream__()
        columns.decode(array.chunk(0), "shift_jis").__arrow_c_array__()
        with pytest.raises(UnicodeDecodeError):
            columns.decode(array, "shift_jis", "strict")
    del array
    gc.collect()
    assert pyarrow.total_allocated_bytes() == before


def test_the_place_of_an_unmappable_character_counts_characters():
    for text, start in [("😀\ue5e5", 1), ("a😀😀日\ue5e5b", 4), ("\ue5e5😀", 0)]:
        calls = [lambda: columns.encode(pyarrow.array([text]), "gb18030"), lambda: textcodec.encode(text, "gb18030")]
        for call in calls:
            with pytest.raises(UnicodeEncodeError) as caught:
                call()
            assert (caught.value.object, caught.value.start, caught.value.end) == (text, start, start + 1)


def test_threads_change_no_result_of_any_function():
    pages = [b"<meta charset=koi8-r>\xc4", b"\xef\xbb\xbf\xc3\xa9\xff", None, b"\xe4", b""] * 3
    texts = pyarrow.array(["a", "日本☃", None, "", "é"] * 3)
    calls = [
        lambda column, threads: columns.decode(column, "gbk", threads=threads),
        lambda column, threads: columns.html(column, locale="ru", default="gbk", threads=threads),
        lambda column, threads: columns.html(column, guess="detect", threads=threads),
        lambda column, threads: columns.detect(column, exclude="koi8-r", threads=threads),
    ]
    encode = lambda column, threads: columns.encode(column, "gbk", "replace", threads=threads)
    for call, array in [*((call, pyarrow.array(pages, pyarrow.binary())) for call in calls), (encode, texts)]:
        chunked, none = pyarrow.chunked_array([array, array]), pyarrow.chunked_array([], array.type)
        one = pyarrow.array(call(array, 1))
        several = call(array, 2)
        # An array is cut for several threads, so that all of them have work.
        assert isinstance(several, columns.ChunkedArray) and several.num_chunks == 8
        assert pyarrow.chunked_array(several).combine_chunks().to_pylist() == one.to_pylist()
        for threads in (1, 2, 9):
            assert pyarrow.chunked_array(call(chunked, threads)).to_pylist() == one.to_pylist() * 2
            empty = call(none, threads)
            assert (empty.num_chunks, pyarrow.chunked_array(empty).type) == (0, one.type)
        with pytest.raises(ValueError, match="at least 1"):
            call(array, 0)


def test_each_error_handler_and_each_label_of_all_rows_has_its_effect():
    rows = pyarrow.array([b"a", b"b\xff", None])
    for errors, text in [("replace", "b\ufffd"), ("null", None)]:
        assert pyarrow.array(columns.decode(rows, "gbk", errors)).to_pylist() == ["a", text, None]
        assert pyarrow.array(columns.decode(rows, charset="exact-us-ascii", errors=errors)).to_pylist() == ["a", text, None]
        pages = pyarrow.array(columns.html(rows, "gbk", errors=errors))
        assert pages.field("text").to_pylist() == ["a", text, None]
        assert pages.field("had_errors").to_pylist() == [False, True, None]
        assert pages.field("encoding").to_pylist() == ["GBK", "GBK", None]
    for call in (lambda: columns.decode(rows, "gbk", "strict"), lambda: columns.html(rows, "gbk", errors="strict")):
        with pytest.raises(UnicodeDecodeError, match="in row 1"):
            call()
    # A label that no encoding has, or a header without one, counts as none.
    expected = pyarrow.array(columns.html(rows, default="koi8-r")).to_pylist()
    for arguments in ({"http_charset": "no label"}, {"content_type": "text/html; charset=none"}, {"content_type": b"text/html"}):
        assert pyarrow.array(columns.html(rows, default="koi8-r", **arguments)).to_pylist() == expected
