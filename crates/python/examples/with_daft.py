"""Daft: the pages of a WARC file as columns of text. The function runs on each batch of a query, also on Daft's
clusters.

    python with_daft.py FILE
"""

from __future__ import annotations

import os
import sys

import daft
import pyarrow
from crawl import TEXTS, table

import textcodec.arrow

PAGE = daft.DataType.struct({field.name: daft.DataType.from_arrow_type(field.type) for field in TEXTS if field.name != "url"})

FOUND = daft.DataType.struct(
    {"encoding": daft.DataType.string(), "language": daft.DataType.string(), "probability": daft.DataType.float32()}
)


@daft.func.batch(return_dtype=PAGE)
def html(body: daft.Series, content_type: daft.Series) -> pyarrow.Array:
    # Statistics of languages decide where a page declares nothing.
    return pyarrow.array(textcodec.arrow.html(body, content_type=content_type, guess="detect"))


@daft.func.batch(return_dtype=daft.DataType.string())
def decode(body: daft.Series, labels: daft.Series) -> pyarrow.Array:
    return pyarrow.array(textcodec.arrow.decode(body, labels))


@daft.func.batch(return_dtype=FOUND)
def detect(body: daft.Series) -> pyarrow.Array:
    return pyarrow.array(textcodec.arrow.detect(body))


def pages(frame: daft.DataFrame) -> daft.DataFrame:
    page = html(daft.col("body"), daft.col("content_type")).alias("page")
    return frame.select(daft.col("url"), page).select(daft.col("url"), daft.col("page").unnest())


if __name__ == "__main__":
    frame = daft.from_arrow(table(os.path.abspath(sys.argv[1])))
    pages(frame).select("url", "encoding", "reason", "text").show()
