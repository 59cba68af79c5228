"""Ray Data: WARC files → pages as text → Parquet.

    python with_ray.py INPUT_FOLDER OUTPUT_FOLDER [CORES]
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import ray
from crawl import records, texts


def pages(files: pyarrow.Table) -> Iterator[pyarrow.Table]:
    """Each row of `files` names a WARC file."""
    for path in files["path"]:
        for batch in records(path.as_py()):
            yield pyarrow.Table.from_batches([texts(batch)])


def main(source: str, target: str, cores: int) -> None:
    # All of this runs in processes of this machine. On a cluster, `ray.init()` without arguments finds it.
    ray.init(num_cpus=cores, include_dashboard=False, object_store_memory=512 * 1024 * 1024, log_to_driver=False)
    paths = [{"path": str(path)} for path in sorted(Path(source).resolve().glob("*.warc.gz"))]
    # One task for each file. It yields batches, so a worker needs memory for a batch and its text.
    files = ray.data.from_items(paths, override_num_blocks=len(paths))
    files.map_batches(pages, batch_format="pyarrow", batch_size=1).write_parquet(target)
    ray.shutdown()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 2)
