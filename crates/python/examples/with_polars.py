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
    """The frame with a column of structs, `page`. Statistics of languages decide where a page declares nothing."""
    pages = textcodec.arrow.html(frame["body"], content_type=frame["content_type"], guess="detect")
    return frame.with_columns(page=polars.Series(pages))


def languages(frame: polars.LazyFrame) -> polars.LazyFrame:
    """A lazy frame with the encoding, the language and the probability of each body, whatever it declares."""
    fields = {"encoding": polars.String, "language": polars.String, "probability": polars.Float32}
    detect = lambda column: polars.Series(textcodec.arrow.detect(column))
    return frame.with_columns(found=polars.col("body").map_batches(detect, return_dtype=polars.Struct(fields))).unnest("found")


def lazily(frame: polars.LazyFrame) -> polars.LazyFrame:
    """The same in a lazy frame, for a single label."""
    decode = lambda column: polars.Series(textcodec.arrow.decode(column, "shift_jis"))
    return frame.with_columns(text=polars.col("body").map_batches(decode, return_dtype=polars.String))


if __name__ == "__main__":
    frame = polars.DataFrame(table(os.path.abspath(sys.argv[1])))
    print(texts(frame).unnest("page").select("url", "encoding", "reason", "text"))
