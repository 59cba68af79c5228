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

# After 200 pages that declare an encoding come four in each encoding that declare nothing.
UNDECLARED = 48
PAGES = [archive.page(number) for number in range(archive.PAGES)]
PAGES += [archive.page(number, declares=False) for number in range(UNDECLARED)]
EXPECTED = {page.url: (page.text, page.encoding) for page in PAGES}


def engine(name: str):
    """The module of an example."""
    pytest.importorskip(name, reason=f"{name} cannot be installed on this machine")
    return importlib.import_module(f"with_{name}")


def check(rows: list[dict]) -> None:
    assert len(rows) == len(PAGES)
    # GBK is decoded as gb18030, and nothing in a page tells them apart.
    names = {"gb18030": "GBK"}
    found = {row["url"]: (row["text"], row["encoding"]) for row in rows}
    for url, (text, encoding) in EXPECTED.items():
        allowed = {encoding, names.get(encoding)} if url.endswith("/undeclared") else {encoding}
        assert found[url][0] == text and found[url][1] in allowed, url
        reason = next(row["reason"] for row in rows if row["url"] == url)
        assert (reason == "heuristic") == url.endswith("/undeclared")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with five WARC files of about 50 pages."""
    folder = tmp_path_factory.mktemp("crawl")
    (folder / "undeclared.warc.gz").write_bytes(archive.archive(0, UNDECLARED, declares=False))
    for first in range(0, archive.PAGES, 50):
        (folder / f"{first:03}.warc.gz").write_bytes(archive.archive(first, 50))
    return folder


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """The records of all pages."""
    file = tmp_path_factory.mktemp("crawl") / "all.warc.gz"
    # Members of gzip follow each other in a WARC file.
    file.write_bytes(archive.archive() + archive.archive(0, UNDECLARED, declares=False))
    return table(str(file))


def run(script: str, source: Path, target: Path) -> list[dict]:
    """The rows of the Parquet files that an example writes."""
    command = [sys.executable, "-W", "ignore", str(HERE / script), str(source), str(target)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, env={**os.environ, "PYTHONPATH": str(HERE)})
    assert result.returncode == 0, result.stderr[-3000:]
    return pyarrow.parquet.read_table(target).to_pylist()


def test_every_run_writes_the_same_archive():
    assert hashlib.sha256(archive.archive()).digest() == hashlib.sha256(archive.archive()).digest()
    assert len({page.encoding for page in PAGES}) == 12 and len(EXPECTED) == 248


def test_the_steps_find_what_the_author_wrote(found):
    rows = pyarrow.Table.from_batches(map(texts, found.to_batches())).to_pylist()
    check(rows)
    assert {row["reason"] for row in rows} == {"transport", "meta", "bom", "heuristic"}
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
    assert len(rows) == 21
    assert all(row["text"] == EXPECTED[row["url"]][0] for row in rows)
    languages = example.languages(frame.lazy()).collect()
    assert set(languages["language"]) == {"de", "ja", "ko", "ru", "zh-Hans", "zh-Hant", None}


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
    query = "SELECT decode_charset('\\xC8\\x85'::BLOB, 'cp037'), detect_encoding('Gr\\xFC\\xDFe aus M\\xFCnchen'::BLOB)"
    ((text, answer),) = connection.sql(query).fetchall()
    assert text == "He" and (answer["encoding"], answer["language"]) == ("windows-1252", "de")


def test_datafusion(found):
    example = engine("datafusion")
    import datafusion

    check(example.pages(found).to_pylist())
    context = datafusion.SessionContext()
    example.register(context)
    assert context.sql("SELECT decode_text(X'8365', 'sjis') AS text").to_pylist() == [{"text": "テ"}]
    assert context.sql("SELECT decode_charset(X'C885', 'cp037') AS text").to_pylist() == [{"text": "He"}]
    found = context.sql("SELECT detect_encoding(X'4772FCDF65206175732042FC636865726E') AS found").to_pylist()[0]["found"]
    assert (found["encoding"], found["language"]) == ("windows-1252", "de")


def test_daft(found):
    example = engine("daft")
    import daft

    check(example.pages(daft.from_arrow(found)).to_pylist())
    frame = daft.from_pydict({"body": [b"\x83\x65", None, b"a"], "label": ["sjis", "sjis", None]})
    rows = frame.select(example.decode(daft.col("body"), daft.col("label")).alias("text")).to_pylist()
    assert [row["text"] for row in rows] == ["テ", None, None]
    frame = daft.from_pydict({"body": ["Grüße aus Büchern".encode("latin1"), None]})
    rows = frame.select(example.detect(daft.col("body")).alias("found")).to_pylist()
    assert rows[0]["found"]["language"] == "de" and rows[1]["found"] is None


def test_ray(folder, tmp_path):
    pytest.importorskip("ray", reason="ray cannot be installed on this machine")
    check(run("with_ray.py", folder, tmp_path / "texts"))


@pytest.mark.skipif(shutil.which("java") is None, reason="Java cannot be installed on this machine")
def test_spark(folder, tmp_path):
    pytest.importorskip("pyspark", reason="pyspark cannot be installed on this machine")
    check(run("with_spark.py", folder, tmp_path / "texts"))


def test_records_of_a_mainframe():
    import mainframe

    found = mainframe.records(mainframe.file())
    expected = mainframe.rows()
    assert found["name"][0].as_py() == "Jörg Müller".ljust(20).encode("cp1140")
    assert pyarrow.Table.from_batches(map(mainframe.texts, found.to_batches())).to_pylist() == expected
    pytest.importorskip("polars", reason="polars cannot be installed on this machine")
    assert mainframe.with_polars(found) == expected
    pytest.importorskip("duckdb", reason="duckdb cannot be installed on this machine")
    assert mainframe.with_duckdb(found) == [tuple(row.values()) for row in expected]


@pytest.mark.skipif(shutil.which("java") is None, reason="Java cannot be installed on this machine")
def test_records_of_a_mainframe_on_spark():
    pytest.importorskip("pyspark", reason="pyspark cannot be installed on this machine")
    import mainframe

    assert mainframe.with_spark(mainframe.records(mainframe.file())) == mainframe.rows()
