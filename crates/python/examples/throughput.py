"""Measures the examples: megabytes of pages for each second of a core, with one worker and with two, and the memory of
a worker.

    python throughput.py [plain] [ray] [spark]

It makes eight archives of 300 pages (185 MB of pages) in a temporary folder, and prints tables in Markdown.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import archive
import pyarrow.parquet
from crawl import BATCH, TEXTS, records, texts

FILES, PAGES, PARAGRAPHS = 8, 300, 200
# How many times as many files the engines get, as links.
COPIES = 12


def work(path: str, target: str, most: int = BATCH) -> tuple[int, list[float], int]:
    """Converts a file. Returns the bytes of its pages, the seconds of a processor to read, decode and write, and the
    most memory in bytes."""
    size, seconds = 0, [0.0, 0.0, 0.0]
    with pyarrow.parquet.ParquetWriter(target, TEXTS) as writer:
        start = time.process_time()
        for batch in records(path, most):
            size += batch["body"].nbytes
            read = time.process_time()
            found = texts(batch)
            decoded = time.process_time()
            writer.write_batch(found)
            written = time.process_time()
            for index, step in enumerate((read - start, decoded - read, written - decoded)):
                seconds[index] += step
            start = written
    return size, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def plain(paths: list[str], folder: str) -> None:
    print("| workers | MB/s for each core | read and unpack | `html` | write Parquet | `html` alone, MB/s |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for workers in (1, 2):
        jobs = [(path, f"{folder}/{index}.parquet") for index, path in enumerate(paths)]
        with multiprocessing.get_context("spawn").Pool(workers) as pool:
            pool.starmap(work, jobs[:workers])
            results = pool.starmap(work, jobs, chunksize=1)
        size = sum(result[0] for result in results) / 1e6
        steps = [sum(result[1][index] for result in results) for index in range(3)]
        shares = " | ".join(f"{100 * step / sum(steps):.1f} %" for step in steps)
        print(f"| {workers} | {size / sum(steps):.0f} | {shares} | {size / steps[1]:,.0f} |")
    print()
    print("| bytes of a batch | MB/s | `html` alone, MB/s | most memory of the worker, MB |")
    print("| ---: | ---: | ---: | ---: |")
    for most in (64 * 1024, 1 << 20, 4 << 20, 16 << 20, 64 << 20):
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            results = pool.starmap(work, [(path, f"{folder}/x.parquet", most) for path in paths * 2], chunksize=1)
        size = sum(result[0] for result in results) / 1e6
        seconds = sum(sum(result[1]) for result in results)
        html = sum(result[1][1] for result in results)
        print(f"| {most:,} | {size / seconds:.0f} | {size / html:,.0f} | {max(result[2] for result in results) / 1e6:.0f} |")
    print()


def adopt_orphans() -> None:
    """Makes this process the parent of the engines' processes whose parents have ended, so that their times can be
    read. Linux only."""
    PR_SET_CHILD_SUBREAPER = 36
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def processor_seconds() -> float:
    """The seconds of processors that ended children of this process have taken. Waits a minute for children that are
    about to end."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                time.sleep(0.1)
        except ChildProcessError:
            break
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def with_engine(name: str, folder: str, size: float) -> None:
    """Runs an example for eight files and for all, so that the time to start the engine can be subtracted. The times
    are those of the processors, in all processes of the engine."""
    print(f"| {name}: workers | seconds for {FILES} files | seconds for {COPIES * FILES} | MB for each second, without the start |")
    print("| ---: | ---: | ---: | ---: |")
    here = str(Path(__file__).parent)
    for workers in (1, 2):
        seconds = []
        for source in ("all", "copies"):
            command = [sys.executable, f"{here}/with_{name}.py", f"{folder}/{source}", f"{folder}/texts-{name}-{workers}-{source}"]
            start = processor_seconds()
            subprocess.run([*command, str(workers)], check=True, capture_output=True, env={**os.environ, "PYTHONPATH": here})
            seconds.append(processor_seconds() - start)
        one, every = seconds
        rate = size * (COPIES - 1) / max(every - one, 1e-9)
        print(f"| {workers} | {one:.1f} | {every:.1f} | {rate:.0f} |")
    print()


def main(chosen: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(f"{folder}/all")
        os.makedirs(f"{folder}/copies")
        for index in range(FILES):
            made = archive.archive(index * PAGES, PAGES, PARAGRAPHS)
            Path(folder, "all", f"{index}.warc.gz").write_bytes(made)
            for copy in range(COPIES):
                os.link(f"{folder}/all/{index}.warc.gz", f"{folder}/copies/{index}-{copy}.warc.gz")
        paths = sorted(str(path) for path in Path(folder, "all").iterdir())
        size = sum(batch["body"].nbytes for path in paths for batch in records(path)) / 1e6
        compressed = sum(os.path.getsize(path) for path in paths) / 1e6
        print(f"{FILES} files, {FILES * PAGES} pages, {size:.0f} MB, {compressed:.0f} MB compressed\n")
        if "plain" in chosen:
            plain(paths, folder)
        adopt_orphans()
        for name in ("ray", "spark"):
            if name in chosen:
                with_engine(name, folder, size)


if __name__ == "__main__":
    main(sys.argv[1:] or ["plain", "ray", "spark"])
