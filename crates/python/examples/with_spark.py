"""PySpark: WARC files → pages as text → Parquet, with `mapInArrow`.

    python with_spark.py INPUT_FOLDER OUTPUT_FOLDER [CORES]

It needs Java 17 or later.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow
from pyspark.sql import SparkSession

SCHEMA = "url string, text string, encoding string, confidence string, reason string, had_errors boolean"


def pages(files: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
    """Each row names a WARC file."""
    from crawl import records, texts

    for batch in files:
        for path in batch["path"]:
            yield from map(texts, records(path.as_py()))


def session(cores: int, *modules: str) -> SparkSession:
    """A session in processes of this machine, whose workers can import modules of this folder."""
    # Spark starts Python for its workers; it must be the one with this package.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = (
        SparkSession.builder.master(f"local[{cores}]")
        .appName("textcodec")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    for module in modules:
        spark.sparkContext.addPyFile(str(Path(__file__).with_name(module)))
    return spark


def main(source: str, target: str, cores: int) -> None:
    spark = session(cores, "crawl.py")
    paths = [(str(path),) for path in sorted(Path(source).resolve().glob("*.warc.gz"))]
    # One task for each file.
    files = spark.createDataFrame(spark.sparkContext.parallelize(paths, len(paths)), "path string")
    files.mapInArrow(pages, SCHEMA).write.mode("overwrite").parquet(target)
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 2)
