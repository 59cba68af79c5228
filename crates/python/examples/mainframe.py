"""A file of a mainframe with records of a fixed length in EBCDIC, on Spark, Polars and DuckDB.

    python mainframe.py [FILE]

A record has three fields, whose bytes are in code page 1140: a number of six digits, a name of twenty characters, and a
place of fourteen. Without a file, the program makes one of 1,000 records. With `--spark`, Spark decodes it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow
import pyarrow.compute

import textcodec.arrow

CHARSET = "cp1140"
# The names of the fields, and their lengths in bytes.
FIELDS = {"number": 6, "name": 20, "place": 14}
LENGTH = sum(FIELDS.values())
NAMES = ["Jörg Müller", "Zoë O'Connor", "José Núñez", "Anaïs Lefèvre", "Åse Ångström"]
PLACES = ["Köln", "Málaga", "Tromsø", "Besançon", "São Paulo", "5 € Straße"]


def rows(number: int = 1000) -> list[dict[str, str]]:
    """The records as their author wrote them."""
    return [
        {"number": f"{row:06}", "name": NAMES[row % len(NAMES)], "place": PLACES[row % len(PLACES)]} for row in range(number)
    ]


def file(number: int = 1000) -> bytes:
    """The records as the mainframe has them, with spaces after each field."""
    text = pyarrow.array("".join(row[field].ljust(length) for field, length in FIELDS.items()) for row in rows(number))
    return b"".join(pyarrow.array(textcodec.arrow.encode(text, charset=CHARSET)).to_pylist())


def records(data: bytes) -> pyarrow.Table:
    """The fields of all records, as bytes."""
    record = pyarrow.Array.from_buffers(pyarrow.binary(LENGTH), len(data) // LENGTH, [None, pyarrow.py_buffer(data)])
    columns, start = [], 0
    for length in FIELDS.values():
        columns.append(pyarrow.compute.binary_slice(record.cast(pyarrow.binary()), start, start + length))
        start += length
    return pyarrow.table(columns, names=list(FIELDS))


def texts(batch: pyarrow.RecordBatch) -> pyarrow.RecordBatch:
    """The fields as text, without the spaces after them."""
    decoded = [pyarrow.array(textcodec.arrow.decode(column, charset=CHARSET)) for column in batch.columns]
    return pyarrow.record_batch([pyarrow.compute.utf8_rtrim_whitespace(column) for column in decoded], names=batch.schema.names)


def with_polars(table: pyarrow.Table) -> list[dict[str, str]]:
    import polars

    frame = polars.DataFrame(table)
    decode = lambda column: polars.Series(textcodec.arrow.decode(column, charset=CHARSET))
    text = polars.all().map_batches(decode, return_dtype=polars.String).str.strip_chars_end()
    return frame.lazy().select(text).collect().to_dicts()


def with_duckdb(table: pyarrow.Table) -> list[tuple[str, ...]]:
    import duckdb
    from with_duckdb import register

    connection = duckdb.connect()
    register(connection)
    connection.register("records", table)
    fields = ", ".join(f"rtrim(decode_charset({field}, '{CHARSET}')) AS {field}" for field in FIELDS)
    return connection.sql(f"SELECT {fields} FROM records ORDER BY number").fetchall()


def with_spark(table: pyarrow.Table) -> list[dict[str, str]]:
    from with_spark import session

    def pages(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        from mainframe import texts

        yield from map(texts, batches)

    spark = session(2, "mainframe.py")
    frame = spark.createDataFrame(table)
    schema = ", ".join(f"{field} string" for field in FIELDS)
    found = [row.asDict() for row in frame.mapInArrow(pages, schema).orderBy("number").collect()]
    spark.stop()
    return found


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--spark"]
    table = records(Path(arguments[0]).read_bytes() if arguments else file())
    if "--spark" in sys.argv:
        print(*with_spark(table)[:5], sep="\n")
    else:
        print(*pyarrow.Table.from_batches(map(texts, table.to_batches())).to_pylist()[:5], sep="\n")
