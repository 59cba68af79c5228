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
    # An encoding that is named goes before that of a locale.
    both = pyarrow.array(columns.html(pyarrow.array([b"\xc4"]), locale="ru", default="koi8-r"))
    assert (both.field("encoding").to_pylist(), both.field("reason").to_pylist()) == (["KOI8-R"], ["default"])


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
    assert best(among=["windows-1252", "windows-1251"], exclude="windows-1252") == best(among="windows-1251") == ["windows-1251"]
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


PARTS = [
    (pyarrow.binary(), [b"a", None, b"\xe4"]), (pyarrow.binary(), [None, None]), (pyarrow.binary(), []), (pyarrow.large_binary(), [None, b"b"]),
    (pyarrow.binary_view(), [b"a", None, b"a text that is longer than a view"]), (pyarrow.binary(2), [b"ab", None]),
    (pyarrow.dictionary(pyarrow.int8(), pyarrow.binary()), [b"a", None, b"b", b"a"]),
]


@pytest.mark.parametrize(("type", "rows"), PARTS, ids=str)
def test_a_result_has_as_many_rows_as_the_column_with_nulls_and_in_slices(type, rows):
    array = column(rows, type)
    names = {"string": "Utf8", "large_string": "LargeUtf8", "string_view": "Utf8View", "dictionary<values=string, indices=int8, ordered=0>": "Dictionary(Int8, Utf8)"}
    for part in (array, *(array[start:end] for start in range(len(array)) for end in range(start, len(array) + 1)), array[1:][1:], array[1:][:1]):
        text = pyarrow.array(columns.decode(part, "latin1"))
        for result, name in [(columns.decode(part, "latin1"), names[str(text.type)]), (columns.html(part), "Struct"), (columns.detect(part), "Struct")]:
            assert isinstance(result, columns.Array) and len(result) == len(part)
            assert repr(result) == f"<textcodec.arrow.Array of {name}, {len(part)} rows>"
            out = pyarrow.array(result)
            out.validate(full=True)
            assert (len(out), out.null_count) == (len(part), part.null_count)
            assert [row is None for row in out.to_pylist()] == [row is None for row in part.to_pylist()]
            # A column of any type can have null rows, also if it has none.
            field = pyarrow.Field._import_from_c_capsule(result.__arrow_c_schema__())
            assert (field.nullable, field.name) == (True, "")
            # The other two ways out give the same.
            assert pyarrow.chunked_array(result).chunks == [out] and pyarrow.DataType._import_from_c_capsule(result.__arrow_c_schema__()) == out.type
            for ways in (result.__arrow_c_array__, result.__arrow_c_stream__):
                assert ways(None) and ways(requested_schema=None)
        for chunks in ([part], [part, array], [array[:0], part, part[:0]], []):
            for result in (columns.decode(pyarrow.chunked_array(chunks, array.type), "latin1"), columns.html(pyarrow.chunked_array(chunks, array.type)), columns.detect(pyarrow.chunked_array(chunks, array.type))):
                length = sum(map(len, chunks))
                assert isinstance(result, columns.ChunkedArray) and (len(result), result.num_chunks) == (length, len(chunks))
                assert repr(result).endswith(f", {length} rows in {len(chunks)} chunks>") and repr(result).startswith("<textcodec.arrow.ChunkedArray of ")
                out = pyarrow.chunked_array(result)
                assert (len(out), out.num_chunks) == (length, len(chunks)) and pyarrow.DataType._import_from_c_capsule(result.__arrow_c_schema__()) == out.type
                assert out.type == pyarrow.array(columns.html(array)).type or out.type == text.type or out.type == pyarrow.array(columns.detect(array)).type
        assert columns.decode(part, "latin1").__arrow_c_array__()
    with pytest.raises(AttributeError):
        columns.decode(array, "latin1").num_chunks


def test_labels_of_rows_follow_the_rows_through_chunks_slices_dictionaries_and_threads():
    """The columns are cut at different places, and the rows have different labels."""
    labels = ["koi8-r", "windows-1251", None, "utf-8", "shift_jis", "latin1", "koi8-r", "ibm866"]
    rows = [b"\xc4", b"\xc4", b"\xc4", b"\xc3\xa4", b"\xb1", b"\xe4", None, b"\xe4"]
    expected = [None if row is None or label is None else textcodec.decode(row, label).text for row, label in zip(rows, labels)]
    pages = [None if row is None else textcodec.html(row, label).text for row, label in zip(rows, labels)]
    headers = [label and f"text/html; charset={label}" for label in labels]
    array = pyarrow.array(rows, pyarrow.binary())
    label_array, header_array = pyarrow.array(labels), pyarrow.array(headers)

    def cut(array, *places):
        return pyarrow.chunked_array([array[start:end] for start, end in zip((0, *places), (*places, len(array)))], array.type)

    forms = {
        "whole": lambda array: array,
        "chunks": lambda array: cut(array, 1, 1, 4),
        "other chunks": lambda array: cut(array, 3, 7),
        "a slice": lambda array: pyarrow.concat_arrays([array, array, array])[len(array) : 2 * len(array)],
        "a slice of a slice": lambda array: pyarrow.concat_arrays([array[:3], array, array])[1:][2:][: len(array)],
        "a dictionary": lambda array: array.dictionary_encode(),
        "chunks of dictionaries": lambda array: pyarrow.chunked_array([array[:5].dictionary_encode(), array[5:].dictionary_encode()]),
        "a slice of a dictionary": lambda array: pyarrow.concat_arrays([array[5:], array]).dictionary_encode()[3:],
        "64 bits": lambda array: array.cast(pyarrow.large_string() if pyarrow.types.is_string(array.type) else pyarrow.large_binary()),
        "views": lambda array: array.cast(pyarrow.string_view() if pyarrow.types.is_string(array.type) else pyarrow.binary_view()),
    }

    def all_rows(result):
        return [row for chunk in pyarrow.chunked_array(result).chunks for row in chunk.to_pylist()]

    for name, form in forms.items():
        for other, of_labels in forms.items():
            for threads in (1, 3):
                made, beside = form(array), of_labels(label_array)
                assert all_rows(columns.decode(made, beside, threads=threads)) == expected, (name, other, threads)
                assert all_rows(columns.decode(made, charset=beside, threads=threads)) == expected, (name, other, threads)
                for arguments in ({"http_charset": beside}, {"content_type": of_labels(header_array)}):
                    found = all_rows(columns.html(made, threads=threads, **arguments))
                    assert [page and page["text"] for page in found] == pages, (name, other, threads)
                texts = form(pyarrow.array(expected))
                encoded = all_rows(columns.encode(texts, beside, threads=threads))
                assert encoded == [None if text is None else textcodec.encode(text, label) for text, label in zip(expected, labels)], (name, other, threads)


def test_an_error_has_its_row_in_the_whole_column_and_its_place_after_a_byte_order_mark():
    marks = [(b"\xef\xbb\xbf", "UTF-8", b"a\xffb", 1, 2), (b"\xff\xfe", "UTF-16LE", b"a\0\0\xdcb\0", 2, 4), (b"\xfe\xff", "UTF-16BE", b"\0a\xdc\0\0b", 2, 4)]
    for mark, name, cell, start, end in marks:
        for label, bom in [(name, "sniff"), (name, "remove"), ("gbk", "sniff")]:
            one = pytest.raises(UnicodeDecodeError, textcodec.decode, mark + cell, label, "strict", bom).value
            assert (one.encoding, one.start, one.end) == (name, len(mark) + start, len(mark) + end)
            for before in (0, 1, 7):
                rows = [b""] * before + [mark + cell, b"\xff"]
                for made in (pyarrow.array(rows), pyarrow.chunked_array([rows[:1], rows[1:]]), pyarrow.array(rows).dictionary_encode(), pyarrow.array(rows, pyarrow.binary_view())):
                    for threads in (1, 3):
                        calls = [lambda: columns.decode(made, label, "strict", bom=bom, threads=threads)]
                        if bom == "sniff":
                            calls.append(lambda: columns.html(made, label, errors="strict", threads=threads))
                        for call in calls:
                            error = pytest.raises(UnicodeDecodeError, call).value
                            assert error.args == (*one.args[:4], f"malformed sequence, in row {before}")
    texts = ["a"] * 5 + ["é☃", "☃"]
    for made in (pyarrow.array(texts), pyarrow.chunked_array([texts[:2], texts[2:]]), pyarrow.array(texts).dictionary_encode()):
        for threads in (1, 3):
            for arguments in ({"labels": "latin1"}, {"charset": "exact-iso-8859-1"}, {"labels": pyarrow.array(["latin1"] * 7)}):
                with pytest.raises(UnicodeEncodeError) as caught:
                    columns.encode(made, threads=threads, **arguments)
                error = caught.value
                assert (error.object, error.start, error.end, error.reason) == ("é☃", 1, 2, "unmappable character, in row 5")


def test_each_argument_takes_an_encoding_in_each_form():
    rows, texts = pyarrow.array([b"\xc4", None]), pyarrow.array(["Д", None])
    koi8 = textcodec.lookup("windows-1251")
    for label in ("windows-1251", " CP1251\n", koi8):
        for arguments in ({"labels": label}, {"charset": label}):
            assert pyarrow.array(columns.decode(rows, **arguments)).to_pylist() == ["Д", None]
            assert pyarrow.array(columns.encode(texts, **arguments)).to_pylist() == [b"\xc4", None]
        for arguments in ({"http_charset": label}, {"default": label}, {"guess": lambda data: label}, {"content_type": "text/html; charset=windows-1251"}, {"content_type": b"text/html; charset=windows-1251"}):
            assert pyarrow.array(columns.html(rows, **arguments)).field("text").to_pylist() == ["Д", None]
        for among in (label, [label], (label,), iter([label])):
            assert pyarrow.array(columns.detect(rows, among=among)).field("encoding").to_pylist() == ["windows-1251", None]
        for exclude in (label, [label], iter([label])):
            assert pyarrow.array(columns.detect(rows, exclude=exclude)).field("encoding").to_pylist() != ["windows-1251", None]
    # An unknown label of the caller is an error, and one of HTTP is none.
    for call in (
        lambda label: columns.decode(rows, label), lambda label: columns.decode(rows, charset=label), lambda label: columns.encode(texts, label),
        lambda label: columns.html(rows, default=label), lambda label: columns.detect(rows, among=label), lambda label: columns.detect(rows, exclude=[label]),
    ):
        with pytest.raises(LookupError, match="^unknown encoding label: 'latin-1'; did you mean 'latin1'"):
            call("latin-1")
        for wrong in (3.5, b"latin1"):
            with pytest.raises(TypeError):
                call(wrong)
    assert pyarrow.array(columns.html(rows, "latin-1")).field("reason").to_pylist() == ["default", None]
    assert pyarrow.array(columns.html(rows, guess=lambda data: "latin-1")).field("reason").to_pylist() == ["default", None]
    for wrong, error in [("1", TypeError), (None, TypeError), (-1, OverflowError), (1.5, TypeError)]:
        for call in (lambda: columns.decode(rows, "gbk", threads=wrong), lambda: columns.encode(texts, "gbk", threads=wrong), lambda: columns.html(rows, threads=wrong), lambda: columns.detect(rows, threads=wrong)):
            with pytest.raises(error):
                call()


def test_rows_of_every_charset_are_those_of_one_text():
    """Also charsets with states, and a text that is empty."""
    rows = ["", "a", "日か", "か", "가", "Êか", "é☃", None, "か゚"]
    for name in ("glibc:EUC-JISX0213", "glibc:BIG5-HKSCS", "glibc:ISO-2022-KR", "glibc:IBM939", "hz", "iso-2022-jp", "utf-16be", "utf-32le", "cp037", "tcvn", "utf-8"):
        for errors in ("replace", "xmlcharrefreplace"):
            expected = [None if row is None else textcodec.encode(row, charset=name, errors=errors) for row in rows]
            for made in (pyarrow.array(rows), pyarrow.array(rows, pyarrow.string_view()), pyarrow.array(rows).dictionary_encode()):
                for charset in (name, pyarrow.array([name] * len(rows))):
                    encoded = pyarrow.array(columns.encode(made, charset=charset, errors=errors))
                    assert encoded.to_pylist() == expected, (name, errors)
            decoded = pyarrow.array(columns.decode(encoded, charset=name)).to_pylist()
            assert decoded == [None if row is None else textcodec.decode(row, charset=name).text for row in expected]
    for name, mark in [("utf-16-bom", b"\xff\xfe"), ("utf-16be-bom", b"\xfe\xff"), ("utf-32", b"\xff\xfe\0\0")]:
        for rows in (["", "a", None], ["a"], [""]):
            encoded = pyarrow.array(columns.encode(pyarrow.array(rows), charset=name))
            assert [row and row[: len(mark)] for row in encoded.to_pylist()] == [None if row is None else mark for row in rows], name
            assert pyarrow.array(columns.decode(encoded, charset=name)).to_pylist() == rows
    for errors, expected in [("null", None), ("replace", "\ufffd")]:
        for charset in ("exact-us-ascii", pyarrow.array(["exact-us-ascii"])):
            assert pyarrow.array(columns.decode(pyarrow.array([b"\xe9"]), charset=charset, errors=errors)).to_pylist() == [expected]


def test_the_first_exception_of_a_guess_is_raised():
    rows = pyarrow.array([b"first", b"second", b"third"])

    def guess(page):
        raise ValueError(page)

    for made in (rows, pyarrow.chunked_array([rows[:1], rows[1:]])):
        with pytest.raises(ValueError) as caught:
            columns.html(made, guess=guess)
        assert caught.value.args == (b"first",)


def test_an_error_handler_that_a_function_does_not_have_is_named_beside_those_that_it_has():
    rows, texts = pyarrow.array([b"a"]), pyarrow.array(["a"])
    of_bytes, of_text = "'replace', 'strict' or 'null'", "'strict', 'replace', 'xmlcharrefreplace' or 'null'"
    for wrong in ("ignore", "", "STRICT", "backslashreplace", "html", "no handler"):
        for call, known in [
            (lambda: columns.decode(rows, "gbk", wrong), of_bytes), (lambda: columns.html(rows, errors=wrong), of_bytes), (lambda: columns.encode(texts, "gbk", wrong), of_text),
        ]:
            with pytest.raises(LookupError) as caught:
                call()
            assert str(caught.value) == f'errors must be {known}, not "{wrong}"'
    with pytest.raises(LookupError):
        columns.decode(rows, "gbk", "xmlcharrefreplace")


INTEGERS = [getattr(pyarrow, f"{sign}int{bits}")() for sign in ("", "u") for bits in (8, 16, 32, 64)]


@pytest.mark.parametrize("keys", INTEGERS, ids=str)
def test_a_dictionary_has_keys_of_every_type(keys):
    # As many values as the keys can name, or more than a byte can.
    number = {"int8": 128, "uint8": 256}.get(str(keys), 300)
    values = pyarrow.array([b"%d\xe4" % at for at in range(number)])
    order = [number - 1, None, 0, number // 2, number - 1]
    made = pyarrow.DictionaryArray.from_arrays(pyarrow.array(order, keys), values)
    expected = [None if at is None else f"{at}ä" for at in order]
    for part, rows in [(made, expected), (made[1:], expected[1:]), (made[2:4], expected[2:4])]:
        result = pyarrow.array(columns.decode(part, "latin1"))
        result.validate(full=True)
        assert (result.type, result.to_pylist()) == (pyarrow.dictionary(keys, pyarrow.string()), rows)
        assert pyarrow.array(columns.encode(result, "latin1")).to_pylist() == part.to_pylist()
        labels = pyarrow.DictionaryArray.from_arrays(pyarrow.array([1] * len(part), keys), ["gbk", "latin1"])
        assert pyarrow.array(columns.decode(part, labels)).to_pylist() == rows
        assert pyarrow.array(columns.html(part, "latin1")).field("text").to_pylist() == rows


def test_a_column_beside_another_one_has_as_many_rows():
    rows, texts = pyarrow.array([b"a", b"b"]), pyarrow.array(["a", "b"])
    for made in (rows, pyarrow.chunked_array([rows[:1], rows[1:]])):
        for beside in ([], ["gbk"], ["gbk"] * 3):
            beside = pyarrow.array(beside, pyarrow.string())
            for call in (
                lambda: columns.decode(made, beside), lambda: columns.decode(made, charset=beside), lambda: columns.html(made, beside),
                lambda: columns.html(made, content_type=beside), lambda: columns.encode(texts, beside), lambda: columns.encode(texts, charset=beside),
            ):
                with pytest.raises(ValueError, match=f"2 rows .* has {len(beside)}$"):
                    call()


def test_an_array_without_rows_has_the_form_of_the_others():
    for made in (pyarrow.array([], pyarrow.binary()), pyarrow.array([b"a"])[1:]):
        for call in (lambda **threads: columns.decode(made, "gbk", **threads), lambda **threads: columns.html(made, **threads), lambda **threads: columns.detect(made, **threads)):
            assert isinstance(call(), columns.Array) and len(call()) == 0
            several = call(threads=2)
            assert isinstance(several, columns.ChunkedArray) and pyarrow.chunked_array(several).type == pyarrow.array(call()).type


def test_every_element_of_a_list_of_encodings_counts_in_a_column():
    rows = pyarrow.array([textcodec.encode("Привет", "koi8-r"), b"caf\xe9", None])
    lists = [["koi8-r"], ["koi8-r", "koi8-u"], ["koi8-u", "koi8-r"], ["windows-1252", "koi8-r", "koi8-u"], ["gbk", "windows-1252", "iso-8859-15", "koi8-r"]]
    for names in lists:
        for form in (list, tuple, iter, lambda it: map(textcodec.lookup, it)):
            for argument in ("among", "exclude"):
                found = pyarrow.array(columns.detect(rows, **{argument: form(names)})).field("encoding").to_pylist()
                assert found == [None if row is None else textcodec.detect(row, **{argument: names}).name for row in rows.to_pylist()], (argument, names)
