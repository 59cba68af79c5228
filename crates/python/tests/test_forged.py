"""Arrow columns that break the rules of the C data interface: each is an ordinary exception, and nothing else
happens."""

import collections
import struct
import sys
import threading

import pytest

import textcodec.arrow as columns
from forged import Chunked, Column, array, offsets, released, releases, schema

pyarrow = pytest.importorskip("pyarrow")

LARGEST = 2**63 - 1


def large(*numbers):
    return struct.pack(f"={len(numbers)}q", *numbers)


def views(*rows):
    return b"".join(struct.pack("=i12s", len(row), row) for row in rows)


def a_view(length, buffer, offset):
    return struct.pack("=i4sii", length, b"abcd", buffer, offset)


def without_list(made):
    made.buffers = None
    return made


SCHEMAS = {
    "no format": lambda: schema(None),
    "format is not UTF-8": lambda: schema(b"\xff\xfe"),
    "negative size": lambda: schema(b"w:-5"),
    "size is no number": lambda: schema(b"w:x"),
    "size is too large": lambda: schema(b"w:99999999999"),
    "format is empty": lambda: schema(b""),
    "format is unknown": lambda: schema(b"zz"),
    "released": lambda: released(schema()),
    "name is not UTF-8": lambda: schema(name=b"\xff"),
    "bytes with a child": lambda: schema(children=[schema()]),
    "negative number of children": lambda: schema(n_children=-1),
    "children are missing": lambda: schema(b"+s", n_children=2),
    "a child is missing": lambda: schema(b"+s", children=[None]),
    "a child is malformed": lambda: schema(b"+l", children=[schema(b"w:-1")]),
    "a child has a name that is not UTF-8": lambda: schema(b"+l", children=[schema(name=b"\xff")]),
    "a list without a child": lambda: schema(b"+l"),
    "a map without a child": lambda: schema(b"+m"),
    "runs with one child": lambda: schema(b"+r", children=[schema(b"i")]),
    "a list of a negative size": lambda: schema(b"+w:-1", children=[schema()]),
    "a union without types": lambda: schema(b"+ud", children=[schema()]),
    "a union with a type twice": lambda: schema(b"+ud:1,1", children=[schema(), schema()]),
    "a union with a negative type": lambda: schema(b"+us:-1", children=[schema()]),
    "a decimal without digits": lambda: schema(b"d:"),
    "the dictionary is malformed": lambda: schema(b"i", dictionary=schema(None)),
    "the dictionary is released": lambda: schema(b"i", dictionary=released(schema())),
    "keys that are no integers": lambda: schema(b"u", dictionary=schema()),
    "a dictionary of a dictionary": lambda: schema(b"i", dictionary=schema(b"i", dictionary=schema())),
    "a dictionary of numbers": lambda: schema(b"i", dictionary=schema(b"i")),
}
ARRAYS = {
    "released": (b"z", lambda: released(array())),
    "negative length": (b"z", lambda: array(-1)),
    "negative offset": (b"z", lambda: array(offset=-1)),
    "length at the limit": (b"z", lambda: array(LARGEST)),
    "offset at the limit": (b"z", lambda: array(offset=LARGEST)),
    "length and offset overflow": (b"z", lambda: array(LARGEST, offset=LARGEST)),
    "length of a fixed size overflows": (b"w:2000000000", lambda: array(2**50, [None, b"abc"])),
    "rows without bytes": (b"w:0", lambda: array(2**50, [None, b""])),
    "two buffers": (b"z", lambda: array(buffers=[None, offsets(0, 1, 3)])),
    "four buffers": (b"z", lambda: array(buffers=[None, offsets(0, 1, 3), b"abc", b"abc"])),
    "no buffers": (b"z", lambda: array(buffers=[])),
    "negative number of buffers": (b"z", lambda: array(n_buffers=-1)),
    "the list of buffers is missing": (b"z", lambda: without_list(array())),
    "offsets are missing": (b"z", lambda: array(buffers=[None, None, b"abc"])),
    "bytes are missing": (b"z", lambda: array(buffers=[None, offsets(0, 1, 3), None])),
    "offsets descend": (b"z", lambda: array(buffers=[None, offsets(0, 3, 1), b"abc"])),
    "the first offset is negative": (b"z", lambda: array(buffers=[None, offsets(-1, 0, 3), b"abc"])),
    "the last offset is negative": (b"z", lambda: array(buffers=[None, offsets(0, 1, -3), b"abc"])),
    "large offsets are negative": (b"Z", lambda: array(buffers=[None, large(-3, -2, -1), b"abc"])),
    "null rows without a buffer": (b"z", lambda: array(null_count=1)),
    "a wrong number of null rows": (b"z", lambda: array(null_count=1, buffers=[b"\x03", offsets(0, 1, 3), b"abc"])),
    "more null rows than rows": (b"z", lambda: array(null_count=3, buffers=[b"\x00", offsets(0, 1, 3), b"abc"])),
    "a number of null rows below -1": (b"z", lambda: array(null_count=-2)),
    "a child": (b"z", lambda: array(n_children=1)),
    "a dictionary that the schema does not have": (b"z", lambda: array(dictionary=array())),
    "text is not UTF-8": (b"u", lambda: array(buffers=[None, offsets(0, 1, 3), b"a\xffc"])),
    "a row ends inside of a character": (b"u", lambda: array(buffers=[None, offsets(0, 1, 2), "é".encode()])),
    "large text is not UTF-8": (b"U", lambda: array(buffers=[None, large(0, 1, 3), b"a\xffc"])),
    "a fixed size with three buffers": (b"w:1", lambda: array(buffers=[None, b"ab", b"ab"])),
    "the bytes of a fixed size are missing": (b"w:1", lambda: array(buffers=[None, None])),
    "views without lengths": (b"vz", lambda: array(buffers=[None, views(b"a", b"b")])),
    "views are missing": (b"vz", lambda: array(buffers=[None, None, b""])),
    "the lengths of views are missing": (b"vz", lambda: array(1, buffers=[None, a_view(13, 0, 0), b"a" * 13, None])),
    "a length of a buffer is negative": (b"vz", lambda: array(1, buffers=[None, a_view(13, 0, 0), b"a" * 13, large(-1)])),
    "a view of no buffer": (b"vz", lambda: array(1, buffers=[None, a_view(13, 1, 0), b"abcd" * 4, large(16)])),
    "a view after the end of its buffer": (b"vz", lambda: array(1, buffers=[None, a_view(13, 0, 4), b"abcd" * 4, large(16)])),
    "a view of a negative length": (b"vz", lambda: array(1, buffers=[None, a_view(-13, 0, 0), b"abcd" * 4, large(16)])),
    "a view of a negative offset": (b"vz", lambda: array(1, buffers=[None, a_view(13, 0, -1), b"abcd" * 4, large(16)])),
    "a view with another prefix": (b"vz", lambda: array(1, buffers=[None, a_view(13, 0, 1), b"abcd" * 4, large(16)])),
    "a view of text that is not UTF-8": (b"vu", lambda: array(1, buffers=[None, views(b"\xff"), b""])),
    "long text that is not UTF-8": (b"vu", lambda: array(1, buffers=[None, a_view(13, 0, 0), b"abcd" + b"\xff" * 9, large(13)])),
}
DICTIONARIES = {
    "the dictionary is missing": lambda: array(2, [None, b"\0\1"]),
    "a key without a value": lambda: array(2, [None, b"\0\2"], dictionary=array()),
    "a negative key": lambda: array(2, [None, b"\0\xff"], dictionary=array()),
    "keys are missing": lambda: array(2, [None, None], dictionary=array()),
    "three buffers": lambda: array(2, [None, b"\0\1", b""], dictionary=array()),
    "the values are released": lambda: array(2, [None, b"\0\1"], dictionary=released(array())),
    "the values have a negative length": lambda: array(2, [None, b"\0\1"], dictionary=array(-1)),
    "the values have a negative offset": lambda: array(2, [None, b"\0\1"], dictionary=array(offset=-1)),
    "the values have no bytes": lambda: array(2, [None, b"\0\1"], dictionary=array(buffers=[None, offsets(0, 1, 3), None])),
}


def functions(is_text):
    """Calls of all functions with a column as each of their arguments."""
    data = pyarrow.array([b"a", b"b"])
    beside = [lambda it: columns.decode(data, it), lambda it: columns.html(data, it), lambda it: columns.html(data, content_type=it)]
    of_bytes = [lambda it: columns.decode(it, "gbk"), lambda it: columns.decode(it, "utf-8", threads=3), columns.html]
    return [lambda it: columns.encode(it, "gbk"), *beside] if is_text else of_bytes


@pytest.mark.parametrize("case", SCHEMAS)
@pytest.mark.parametrize("chunked", [False, True])
def test_a_malformed_schema_is_an_ordinary_exception(case, chunked):
    for is_text in (False, True):
        for function in functions(is_text):
            forged = Chunked(SCHEMAS[case](), array()) if chunked else Column(SCHEMAS[case](), array())
            with pytest.raises((ValueError, TypeError)):
                function(forged)


@pytest.mark.parametrize("case", ARRAYS)
@pytest.mark.parametrize("chunked", [False, True])
def test_a_malformed_array_is_an_ordinary_exception(case, chunked):
    format, forge = ARRAYS[case]
    if chunked and case == "released":
        pytest.skip("a released array is the end of a stream")
    for function in functions(format in (b"u", b"U", b"vu")):
        forged = Chunked(schema(format), array(), forge()) if chunked and format == b"z" else Column(schema(format), forge())
        with pytest.raises(ValueError):
            function(forged)


@pytest.mark.parametrize("case", DICTIONARIES)
def test_a_malformed_dictionary_is_an_ordinary_exception(case):
    for values, is_text in ((b"z", False), (b"u", True)):
        for function in functions(is_text):
            with pytest.raises(ValueError):
                function(Column(schema(b"c", dictionary=schema(values)), DICTIONARIES[case]()))


def test_a_stream_without_a_schema_raises_its_error():
    for error, message in [(None, "the error 22"), (b"no columns", "no columns")]:
        for function in functions(is_text=False):
            with pytest.raises(ValueError, match=message):
                function(Chunked(None, error=error))


def test_columns_of_the_same_shape_without_a_mistake_are_taken():
    def texts(format, made, **fields):
        return pyarrow.array(columns.decode(Column(schema(format, **fields), made), "latin1")).to_pylist()

    assert texts(b"z", array()) == ["a", "bc"]
    assert texts(b"z", array(1, offset=1)) == ["bc"]
    assert texts(b"z", array(0, [None, None, None])) == []
    assert texts(b"z", array(2, [None, offsets(5, 5, 5), None])) == ["", ""]
    assert texts(b"z", array(null_count=-1, buffers=[b"\x02", offsets(0, 1, 3), b"abc"])) == [None, "bc"]
    bits = array(8, offset=3, null_count=2, buffers=[b"\xf7\x06", offsets(*range(12)), b"0123456789a"])
    assert texts(b"z", bits) == [None, "4", "5", "6", "7", None, "9", "a"]
    assert texts(b"Z", array(buffers=[None, large(1, 2, 3), b"abc"])) == ["b", "c"]
    assert texts(b"w:2", array(1, [None, b"abcd"], offset=1)) == ["cd"]
    assert texts(b"w:0", array(2, [None, None])) == ["", ""]
    assert texts(b"vz", array(2, [None, views(b"a", b"bc"), None])) == ["a", "bc"]
    assert texts(b"vz", array(1, [None, a_view(13, 0, 0), b"abcd" * 4, large(16)])) == ["abcdabcdabcda"]
    assert texts(b"c", array(2, [None, b"\1\0"], dictionary=array()), dictionary=schema()) == ["bc", "a"]
    assert texts(b"c", array(2, [b"\1", b"\1\x7f"], null_count=1, dictionary=array()), dictionary=schema()) == ["bc", None]
    encoded = columns.encode(Column(schema(b"vu"), array(1, [None, a_view(13, 0, 0), b"abcd" * 4, large(16)])), "utf-16le")
    assert pyarrow.array(encoded).to_pylist() == ["abcdabcdabcda".encode("utf-16le")]
    chunks = columns.decode(Chunked(schema(), array(), array(1, offset=1)), "latin1")
    assert pyarrow.chunked_array(chunks).to_pylist() == ["a", "bc", "bc"]


ROW = "é".encode() * 32
CHANGING = {
    "offsets of 32 bits": lambda rows, memory: Column(schema(b"z"), array(rows, [None, offsets(*range(0, (rows + 1) * 64, 64)), memory])),
    "offsets of 64 bits": lambda rows, memory: Column(schema(b"Z"), array(rows, [None, large(*range(0, (rows + 1) * 64, 64)), memory])),
    "a fixed size": lambda rows, memory: Column(schema(b"w:64"), array(rows, [None, memory])),
    "views": lambda rows, memory: Column(
        schema(b"vz"), array(rows, [None, b"".join(struct.pack("=i4sii", 64, bytes(4), 0, 64 * row) for row in range(rows)), memory, large(len(memory))])
    ),
    "a dictionary": lambda rows, memory: Column(
        schema(b"i", dictionary=schema(b"w:64")), array(rows, [None, offsets(*range(rows))], dictionary=array(rows, [None, memory]))
    ),
}


@pytest.mark.parametrize("kind", CHANGING)
def test_text_is_utf8_although_another_thread_changes_the_bytes_meanwhile(kind):
    """The bytes of each row change between UTF-8 and ISO-8859-1 as fast as the other thread can write."""
    rows = 1000
    well_formed, malformed = ROW * rows, b"\xe9" * len(ROW) * rows
    if kind == "views":
        # The first four bytes of a row are in its view, too, and Arrow compares them.
        well_formed, malformed = ((b"\0" * 4 + row[4:]) * rows for row in (ROW, b"\xe9" * len(ROW)))
    memory = bytearray(well_formed)
    stop = threading.Event()

    def write():
        while not stop.is_set():
            memory[:] = malformed
            memory[:] = well_formed

    switch = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    thread = threading.Thread(target=write)
    thread.start()
    try:
        for _ in range(40):
            column = CHANGING[kind](rows, memory)
            for function in (lambda: columns.decode(column, "utf-8", threads=2), lambda: columns.html(column, "utf-8")):
                column.renew()
                result = function()
                for chunk in pyarrow.chunked_array(result).chunks:
                    chunk.validate(full=True)
    finally:
        stop.set()
        thread.join()
        sys.setswitchinterval(switch)


def outcome(call):
    try:
        return len(call())
    except (ValueError, TypeError) as error:
        return str(error)


def test_each_struct_is_released_once_also_after_an_error():
    arrays = {"no mistake": (b"z", array), **{case: it for case, it in ARRAYS.items() if case != "released"}}
    for case, (format, forge) in arrays.items():
        for function in functions(format in (b"u", b"U", b"vu")):
            releases.clear()
            first = outcome(lambda: function(Column(schema(format), forge())))
            # The capsule of a schema belongs to the library that has made it.
            assert releases == {"array": 1}, (case, first)
            for before in (0, 2):
                releases.clear()
                forged = Chunked(schema(format), *(forge() for _ in range(before)), forge())
                found = outcome(lambda: function(forged))
                assert releases == {"schema": 1, "array": 1 + before - len(forged.arrays), "stream": 1}, (case, found)
    for case in SCHEMAS:
        for chunked in (False, True):
            made, releases_of_schema = SCHEMAS[case](), int(case != "released")
            releases.clear()
            outcome(lambda: columns.decode(Chunked(made, array()) if chunked else Column(made, array()), "gbk"))
            assert releases == collections.Counter({"schema": releases_of_schema, "stream": 1} if chunked else {"array": 1}), case
    for error in (None, b"no more"):
        releases.clear()
        outcome(lambda: columns.decode(Chunked(schema(), array(), error=error), "gbk"))
        assert releases == {"schema": 1, "array": 1, "stream": 1}
        releases.clear()
        outcome(lambda: columns.decode(Chunked(None, error=error), "gbk"))
        assert releases == {"stream": 1}
    for case in DICTIONARIES:
        releases.clear()
        outcome(lambda: columns.decode(Column(schema(b"c", dictionary=schema()), DICTIONARIES[case]()), "gbk"))
        # The values of a dictionary are released with it.
        assert releases == {"array": 1}, case
