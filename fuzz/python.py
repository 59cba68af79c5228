"""The fuzz targets that CPython drives, because they are functions of the Python module: `python.py TARGET SECONDS`.

setstate: a decoder or an encoder refuses a state with ValueError or works with it; a stream whose state is moved to
another object after each piece has the text of a stream in one piece.

capsules: a column of Arrow's C structs with changed numbers and bytes is a ValueError or a TypeError, or becomes a
column; nothing else happens. A crash of the interpreter is a finding, too.

`cargo xtask fuzz` runs both and counts the executions. After a finding, the seed that it prints leads there at once:
`python.py TARGET 0 SEED`.
"""

import pathlib
import random
import struct
import sys
import time

import textcodec

PROJECT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT / "crates/python/tests"))
ENCODINGS = list(textcodec.ENCODINGS)
ROWS = [row.split("\t") for row in (PROJECT / "indexes/charsets/names.tsv").read_text("utf-8").splitlines()[1:]]
CHARSETS = sorted({row[0] for row in ROWS})
SIGNIFICANT = [b"a", b"\x1b", b"$", b"(", b"B", b"J", b"\x81", b"0", b"\xff", b"\xfe", b"\xef\xbb\xbf", b"\xa4", b"\x8f", b"\0", b"\xd8"]
TEXT = "aé€日¥‾あ한😀ก☃\0\x1b\ufeff"


def some_bytes(rng):
    count = rng.randrange(12)
    return b"".join(rng.choice(SIGNIFICANT) if rng.randrange(4) else rng.randbytes(1) for _ in range(count))


def some_number(rng):
    return rng.choice([rng.randrange(4), rng.randrange(1 << 12), rng.getrandbits(19), rng.getrandbits(40), rng.getrandbits(64)])


def new_coder(kind, rng):
    """Makes coders of one kind, with the same arguments each time."""
    name = {"label": rng.choice(ENCODINGS)} if rng.randrange(2) else {"charset": rng.choice(CHARSETS)}
    if kind is textcodec.IncrementalDecoder:
        name["bom"] = rng.choice(["sniff", "remove", "keep"])
    name["errors"] = rng.choice(["replace", "ignore", "backslashreplace"])
    return lambda: kind(**name)


def setstate(rng):
    kind = rng.choice([textcodec.IncrementalDecoder, textcodec.IncrementalEncoder])
    make = new_coder(kind, rng)
    try:
        coder = make()
    except (ValueError, LookupError):
        return  # A charset without an encoder, or a byte order mark of a charset.
    is_decoder = kind is textcodec.IncrementalDecoder
    convert = (lambda coder, piece, last: coder.decode(piece, last)) if is_decoder else (lambda coder, piece, last: coder.encode(piece, last))
    pieces = [some_bytes(rng) if is_decoder else "".join(rng.choices(TEXT, k=rng.randrange(5))) for _ in range(rng.randrange(1, 6))]
    try:
        whole = convert(coder, (b"" if is_decoder else "").join(pieces), True)
    except UnicodeEncodeError:
        return  # The encoding "replacement" has not even a question mark.
    moved, parts = make(), []
    for number, piece in enumerate(pieces):
        parts.append(convert(moved, piece, number + 1 == len(pieces)))
        other = make()
        other.setstate(moved.getstate())
        assert other.getstate() == moved.getstate()
        moved = other
    assert whole[:0].join(parts) == whole, (whole, parts)
    state = (some_bytes(rng)[: rng.randrange(6)], some_number(rng)) if is_decoder else some_number(rng)
    try:
        coder.setstate(state)
    except ValueError:
        return
    for piece in pieces:
        convert(coder, piece, False)
        coder.getstate()
    convert(coder, pieces[0], True)


def some_offsets(rng, form):
    """Offsets that end inside of a buffer, or that no column has: the module cannot see how long a buffer is."""
    numbers = [rng.choice([0, 1, 2, 3, 5, rng.randrange(40), -1, -(1 << 31)]) for _ in range(8)]
    if rng.randrange(3):
        numbers = sorted(abs(number) % 40 for number in numbers)
    return struct.pack(f"=8{form}", *numbers)


def some_views(rng):
    return b"".join(struct.pack("=i4sii", rng.randrange(-1, 20), b"abcd", rng.randrange(-1, 3), rng.randrange(-1, 9)) for _ in range(8))


def some_buffers(rng, format):
    """Buffers for a column of this format: null bits, then offsets, views, keys or bytes."""
    data = rng.choice([b"abcd" * 20, "é☃日".encode() * 10, rng.randbytes(80)])
    beside = {
        b"z": [some_offsets(rng, "i"), data],
        b"u": [some_offsets(rng, "i"), data],
        b"Z": [some_offsets(rng, "q"), data],
        b"U": [some_offsets(rng, "q"), data],
        b"vz": [some_views(rng), data, struct.pack("=q", rng.choice([80, 13, 0, -1]))],
        b"vu": [some_views(rng), data, struct.pack("=q", rng.choice([80, 13, 0, -1]))],
    }
    keys = struct.pack("=20i", *(rng.choice([0, 1, 1, 2, 5, -1]) for _ in range(20)))
    buffers = [rng.choice([None, rng.randbytes(8)]), *beside.get(format, [keys])]
    change = rng.randrange(12)
    if change < len(buffers):
        buffers[change] = None
    elif change == 6:
        del buffers[-1]
    elif change == 7:
        buffers.append(struct.pack("=8q", *range(8)))
    return buffers


FORMATS = [b"z", b"Z", b"u", b"U", b"vz", b"vu", b"w:2", b"w:0", b"c", b"i"]
WRONG_FORMATS = [b"w:-1", b"+l", b"", b"\xff", None]


def capsules(rng):
    import forged
    import textcodec.arrow as columns

    def some_schema(depth=0):
        """A schema, and a function that makes arrays for it."""
        format, fields, values = rng.choice(FORMATS if rng.randrange(8) else WRONG_FORMATS), {}, None
        if depth < 3 and rng.randrange(4) == 0:
            format = rng.choice([b"c", b"i"])
            fields["dictionary"], values = some_schema(depth + 1)
        if rng.randrange(20) == 0:
            fields["children"] = [None]

        def some_array():
            fields = {"offset": rng.choice([0, 0, 1, 2, -1]), "null_count": rng.choice([0, 0, -1, 1, 9])}
            if values is not None and rng.randrange(8):
                fields["dictionary"] = values()
            return forged.array(rng.choice([-1, 0, 1, 2, 3, 4]), some_buffers(rng, format), **fields)

        return forged.schema(format, **fields), some_array

    schema, array = some_schema()
    column = forged.Chunked(schema, array(), array()) if rng.randrange(3) == 0 else forged.Column(schema, array())
    function = rng.choice([lambda: columns.decode(column, "gbk"), lambda: columns.encode(column, "utf-8"), lambda: columns.html(column)])
    try:
        function()
    except (ValueError, TypeError):
        pass
    # The callbacks of a stream live as long as the capsule.
    del column, function
    forged._keep.clear()


def main():
    target, seconds = {"setstate": setstate, "capsules": capsules}[sys.argv[1]], float(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else time.time_ns() % (1 << 40)
    executions = 0
    # A crash leaves no exception, so the seed is in a file.
    note = PROJECT / f"target/fuzz/seed-of-{sys.argv[1]}"
    note.parent.mkdir(parents=True, exist_ok=True)
    while executions == 0 or time.process_time() < seconds:
        seed = first + executions
        if executions % 64 == 0:
            note.write_text(f"{seed}\n")
        try:
            target(random.Random(seed))
        except BaseException:
            print(f"the seed is {seed}", file=sys.stderr)
            raise
        executions += 1
    print(f"processor seconds: {time.process_time():.0f}\nexecutions: {executions}")


main()
