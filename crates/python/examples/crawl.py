"""The two steps of all examples: the records of a WARC file as Arrow batches, and the text of their pages."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow
from pyarrow import fs
from warcio.archiveiterator import ArchiveIterator

import textcodec.arrow

RECORDS = pyarrow.schema([("url", pyarrow.string()), ("content_type", pyarrow.string()), ("body", pyarrow.binary())])
TEXTS = pyarrow.schema(
    [
        ("url", pyarrow.string()),
        ("text", pyarrow.string()),
        ("encoding", pyarrow.string()),
        ("confidence", pyarrow.string()),
        ("reason", pyarrow.string()),
        ("had_errors", pyarrow.bool_()),
    ]
)
# The bytes of a batch, after which the next one begins. README.md has the measurement.
BATCH = 4 * 1024 * 1024


def records(uri: str, most: int = BATCH) -> Iterator[pyarrow.RecordBatch]:
    """The responses in a WARC file: address, HTTP's Content-Type, and the body as it was sent. `uri` is a path, or for
    example s3://bucket/name. The file is read in pieces, so that it need not fit into memory."""
    filesystem, path = fs.FileSystem.from_uri(uri)
    with filesystem.open_input_stream(path, compression=None) as file:
        rows: list[tuple[str, str, bytes]] = []
        size = 0
        for record in ArchiveIterator(file):
            if record.rec_type != "response":
                continue
            url = record.rec_headers.get_header("WARC-Target-URI")
            body = record.content_stream().read()
            rows.append((url, record.http_headers.get_header("Content-Type"), body))
            size += len(body)
            if size >= most:
                yield batch(rows)
                rows, size = [], 0
        if rows:
            yield batch(rows)


def batch(rows: list[tuple[str, str, bytes]]) -> pyarrow.RecordBatch:
    columns = [pyarrow.array(column, field.type) for column, field in zip(zip(*rows), RECORDS)]
    return pyarrow.record_batch(columns, schema=RECORDS)


def texts(batch: pyarrow.RecordBatch) -> pyarrow.RecordBatch:
    """The pages as a browser would read them. Statistics of languages decide where a page declares nothing."""
    pages = textcodec.arrow.html(batch["body"], content_type=batch["content_type"], guess="detect")
    found = pyarrow.array(pages)
    return pyarrow.record_batch([batch["url"], *found.flatten()], schema=TEXTS)


def table(uri: str) -> pyarrow.Table:
    """All records of a small file."""
    return pyarrow.Table.from_batches(records(uri), RECORDS).combine_chunks()
