"""Runs every example with its engine, in one process or in processes of this machine. Each engine must find the text
that the author of a page has written.

    pip install -r requirements.txt && python -m pytest examples
"""

from __future__ import annotations

import hashlib
import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

# An engine that is installed and does not run is a failure; one that cannot be installed on this machine is skipped.
pyarrow = pytest.importorskip("pyarrow")
pytest.importorskip("warcio")

import archive
import pyarrow.parquet
from crawl import records, table, texts

PAGES = [archive.page(number) for number in range(archive.PAGES)]
EXPECTED = {page.url: (page.text, page.encoding) for page in PAGES}


def engine(name: str):
    """The module of an example."""
    pytest.importorskip(name, reason=f"{name} cannot be installed on this machine")
    return importlib.import_module(f"with_{name}")


def check(rows: list[dict]) -> None:
    assert len(rows) == archive.PAGES
    assert {row["url"]: (row["text"], row["encoding"]) for row in rows} == EXPECTED


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with four WARC files of 50 pages."""
    folder = tmp_path_factory.mktemp("crawl")
    for first in range(0, archive.PAGES, 50):
        (folder / f"{first:03}.warc.gz").write_bytes(archive.archive(first, 50))
    return folder


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """The records of all pages."""
    file = tmp_path_factory.mktemp("crawl") / "all.warc.gz"
    file.write_bytes(archive.archive())
    return table(str(file))


def run(script: str, source: Path, target: Path) -> list[dict]:
    """The rows of the Parquet files that an example writes."""
    command = [sys.executable, "-W", "ignore", str(HERE / script), str(source), str(target)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, env={**os.environ, "PYTHONPATH": str(HERE)})
    assert result.returncode == 0, result.stderr[-3000:]
    return pyarrow.parquet.read_table(target).to_pylist()


def test_every_run_writes_the_same_archive():
    assert hashlib.sha256(archive.archive()).digest() == hashlib.sha256(archive.archive()).digest()
    assert len({page.encoding for page in PAGES}) == 12 and len(EXPECTED) == 200


def test_the_steps_find_what_the_author_wrote(found):
    rows = pyarrow.Table.from_batches(map(texts, found.to_batches())).to_pylist()
    check(rows)
    assert {row["reason"] for row in rows} == {"transport", "meta", "bom"}
    assert not any(row["had_errors"] for row in rows)


def test_the_size_of_batches_changes_nothing(folder):
    for path in folder.iterdir():
        whole = pyarrow.Table.from_batches(records(str(path)))
        for most in (1, 10_000, 100_000):
            batches = list(records(str(path), most))
            assert len(batches) > 1 and pyarrow.Table.from_batches(batches).equals(whole)


def test_polars(found):
    example = engine("polars")
    import polars

    frame = polars.DataFrame(found)
    check(example.texts(frame).unnest("page").to_dicts())
    only = frame.filter(polars.col("url").is_in([page.url for page in PAGES if page.encoding == "Shift_JIS"]))
    rows = example.lazily(only.lazy()).collect().to_dicts()
    assert len(rows) == 17
    assert all(row["text"] == EXPECTED[row["url"]][0] for row in rows)


def test_duckdb(found):
    example = engine("duckdb")
    import duckdb

    relation = example.pages(found)
    names = relation.columns
    check([dict(zip(names, row)) for row in relation.fetchall()])
    connection = duckdb.connect()
    example.register(connection)
    query = "SELECT decode_text('\\x83\\x65'::BLOB, 'sjis'), decode_text(NULL, 'sjis'), decode_text('a'::BLOB, NULL)"
    assert connection.sql(query).fetchall() == [("テ", None, None)]


def test_datafusion(found):
    example = engine("datafusion")
    import datafusion

    check(example.pages(found).to_pylist())
    context = datafusion.SessionContext()
    example.register(context)
    assert context.sql("SELECT decode_text(X'8365', 'sjis') AS text").to_pylist() == [{"text": "テ"}]


def test_daft(found):
    example = engine("daft")
    import daft

    check(example.pages(daft.from_arrow(found)).to_pylist())
    frame = daft.from_pydict({"body": [b"\x83\x65", None, b"a"], "label": ["sjis", "sjis", None]})
    rows = frame.select(example.decode(daft.col("body"), daft.col("label")).alias("text")).to_pylist()
    assert [row["text"] for row in rows] == ["テ", None, None]


def test_ray(folder, tmp_path):
    pytest.importorskip("ray", reason="ray cannot be installed on this machine")
    check(run("with_ray.py", folder, tmp_path / "texts"))


@pytest.mark.skipif(shutil.which("java") is None, reason="Java cannot be installed on this machine")
def test_spark(folder, tmp_path):
    pytest.importorskip("pyspark", reason="pyspark cannot be installed on this machine")
    check(run("with_spark.py", folder, tmp_path / "texts"))
