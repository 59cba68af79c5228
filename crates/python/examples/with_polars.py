"""Polars: the pages of a WARC file as a column of text.

    python with_polars.py FILE
"""

from __future__ import annotations

import os
import sys

import polars
from crawl import table

import textcodec.arrow


def texts(frame: polars.DataFrame) -> polars.DataFrame:
    """The frame with a column of structs, `page`."""
    return frame.with_columns(page=polars.Series(textcodec.arrow.html(frame["body"], content_type=frame["content_type"])))


def lazily(frame: polars.LazyFrame) -> polars.LazyFrame:
    """The same in a lazy frame, for a single label."""
    decode = lambda column: polars.Series(textcodec.arrow.decode(column, "shift_jis"))
    return frame.with_columns(text=polars.col("body").map_batches(decode, return_dtype=polars.String))


if __name__ == "__main__":
    frame = polars.DataFrame(table(os.path.abspath(sys.argv[1])))
    print(texts(frame).unnest("page").select("url", "encoding", "reason", "text"))
