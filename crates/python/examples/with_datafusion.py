"""DataFusion: `decode_text`, `decode_charset`, `decode_html` and `detect_encoding` as functions of SQL.

    python with_datafusion.py FILE

A program in Rust has them without Python: the crate textcodec-arrow with the feature `datafusion`.
"""

from __future__ import annotations

import os
import sys

import datafusion
import pyarrow
from crawl import TEXTS, table

import textcodec.arrow

PAGE = pyarrow.struct([TEXTS.field(index) for index in range(1, len(TEXTS))])


def html(body: pyarrow.Array, content_type: pyarrow.Array) -> pyarrow.Array:
    # Statistics of languages decide where a page declares nothing.
    return pyarrow.array(textcodec.arrow.html(body, content_type=content_type, guess="detect"))


def decode(body: pyarrow.Array, label: pyarrow.Array) -> pyarrow.Array:
    return pyarrow.array(textcodec.arrow.decode(body, label))


def charset(body: pyarrow.Array, name: pyarrow.Array) -> pyarrow.Array:
    return pyarrow.array(textcodec.arrow.decode(body, charset=name))


def detect(body: pyarrow.Array) -> pyarrow.Array:
    return pyarrow.array(textcodec.arrow.detect(body))


def register(context: datafusion.SessionContext) -> None:
    """Adds the functions to SQL."""
    binary, string = pyarrow.binary(), pyarrow.string()
    context.register_udf(datafusion.udf(html, [binary, string], PAGE, "immutable", "decode_html"))
    context.register_udf(datafusion.udf(decode, [binary, string], string, "immutable", "decode_text"))
    context.register_udf(datafusion.udf(charset, [binary, string], string, "immutable", "decode_charset"))
    found = pyarrow.struct([("encoding", string), ("language", string), ("probability", pyarrow.float32())])
    context.register_udf(datafusion.udf(detect, [binary], found, "immutable", "detect_encoding"))


def pages(records: pyarrow.Table) -> datafusion.DataFrame:
    """The pages of a table, by SQL."""
    context = datafusion.SessionContext()
    register(context)
    context.register_record_batches("records", [records.to_batches()])
    return context.sql(
        "SELECT url, page['text'] AS text, page['encoding'] AS encoding, page['reason'] AS reason "
        "FROM (SELECT url, decode_html(body, content_type) AS page FROM records) ORDER BY url"
    )


if __name__ == "__main__":
    print(pages(table(os.path.abspath(sys.argv[1]))))
