"""DuckDB: `decode_text`, `decode_charset`, `decode_html` and `detect_encoding` as functions of SQL.

    python with_duckdb.py FILE
"""

from __future__ import annotations

import os
import sys

import duckdb
import pyarrow
from crawl import table

import textcodec.arrow


def register(connection: duckdb.DuckDBPyConnection) -> None:
    """Adds the functions to SQL. DuckDB gives them Arrow columns of up to 2048 rows."""
    page = "STRUCT(text VARCHAR, encoding VARCHAR, confidence VARCHAR, reason VARCHAR, had_errors BOOLEAN)"
    decode = lambda body, label: pyarrow.chunked_array(textcodec.arrow.decode(body, label))
    charset = lambda body, name: pyarrow.chunked_array(textcodec.arrow.decode(body, charset=name))
    # Statistics of languages decide where a page declares nothing.
    html = lambda body, content_type: pyarrow.chunked_array(
        textcodec.arrow.html(body, content_type=content_type, guess="detect")
    )
    detect = lambda body: pyarrow.chunked_array(textcodec.arrow.detect(body))
    found = "STRUCT(encoding VARCHAR, language VARCHAR, probability FLOAT)"
    for name, function, arguments, result in [
        ("decode_text", decode, ["BLOB", "VARCHAR"], "VARCHAR"),
        ("decode_charset", charset, ["BLOB", "VARCHAR"], "VARCHAR"),
        ("decode_html", html, ["BLOB", "VARCHAR"], page),
        ("detect_encoding", detect, ["BLOB"], found),
    ]:
        connection.create_function(name, function, arguments, result, type="arrow", null_handling="special")


def pages(records: pyarrow.Table) -> duckdb.DuckDBPyRelation:
    """The pages of a table, by SQL."""
    connection = duckdb.connect()
    register(connection)
    connection.register("records", records)
    return connection.sql("SELECT url, unnest(decode_html(body, content_type)) FROM records ORDER BY url")


if __name__ == "__main__":
    print(pages(table(os.path.abspath(sys.argv[1]))))
