"""Asks chardet, charset-normalizer, uchardet and ICU about each file of a folder. It prints a table of tab-separated
values: the file, the detector, its answer or an empty column, and the microseconds of the processor.

    python detectors.py FOLDER
"""

from __future__ import annotations

import ctypes
import ctypes.util
import sys
import time
from collections.abc import Callable
from pathlib import Path

import chardet
import charset_normalizer

# charset-normalizer takes a tenth of a second for some pieces, so it gets each fourth one.
PART_OF_NORMALIZER = 4
# The end of the names of the pieces whose time is the least of three calls.
TIMED = ",640"


def uchardet() -> Callable[[bytes], str | None] | None:
    name = ctypes.util.find_library("uchardet")
    if name is None:
        return None
    library = ctypes.CDLL(name)
    library.uchardet_new.restype = ctypes.c_void_p
    library.uchardet_get_charset.restype = ctypes.c_char_p
    detector = ctypes.c_void_p(library.uchardet_new())

    def detect(data: bytes) -> str | None:
        library.uchardet_reset(detector)
        library.uchardet_handle_data(detector, data, ctypes.c_size_t(len(data)))
        library.uchardet_data_end(detector)
        return library.uchardet_get_charset(detector).decode() or None

    return detect


def icu() -> Callable[[bytes], str | None] | None:
    name = ctypes.util.find_library("icui18n")
    if name is None:
        return None
    library = ctypes.CDLL(name)
    # The names of functions end in the version.
    version = name.rsplit(".", 1)[-1]
    function = lambda name: getattr(library, f"{name}_{version}")
    for called in ("ucsdet_open", "ucsdet_detect"):
        function(called).restype = ctypes.c_void_p
    function("ucsdet_getName").restype = ctypes.c_char_p
    error = ctypes.c_int(0)
    detector = ctypes.c_void_p(function("ucsdet_open")(ctypes.byref(error)))

    def detect(data: bytes) -> str | None:
        error.value = 0
        function("ucsdet_setText")(detector, data, ctypes.c_int32(len(data)), ctypes.byref(error))
        match = ctypes.c_void_p(function("ucsdet_detect")(detector, ctypes.byref(error)))
        answer = function("ucsdet_getName")(match, ctypes.byref(error)) if match else None
        return answer.decode() if answer else None

    return detect


def normalizer(data: bytes) -> str | None:
    best = charset_normalizer.from_bytes(data).best()
    return best.encoding if best else None


def main() -> None:
    detectors: list[tuple[str, Callable[[bytes], str | None] | None, int]] = [
        (f"chardet {chardet.__version__}", lambda data: chardet.detect(data)["encoding"], 1),
        (f"charset-normalizer {charset_normalizer.__version__}", normalizer, PART_OF_NORMALIZER),
        ("uchardet", uchardet(), 1),
        ("ICU", icu(), 1),
    ]
    files = sorted(Path(sys.argv[1]).iterdir(), key=lambda path: path.name)
    for name, detect, step in detectors:
        if detect is None:
            print(f"not measured: {name}, whose library is missing", file=sys.stderr)
            continue
        for number, path in enumerate(files):
            if number % step != 0 and ",files-" not in path.name:
                continue
            data = path.read_bytes()
            times = []
            for _ in range(3 if path.name.endswith(TIMED) else 1):
                start = time.process_time_ns()
                answer = detect(data)
                times.append(time.process_time_ns() - start)
            print(path.name, name, answer or "", min(times) // 1000, sep="\t")


if __name__ == "__main__":
    main()
