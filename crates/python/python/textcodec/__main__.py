"""`python -m textcodec` is the program `textcodec`, which is written in Rust. `python -m textcodec --help` shows its
commands."""

from __future__ import annotations

import signal
import sys

from . import _textcodec

if not hasattr(_textcodec, "_program"):
    sys.exit("textcodec-small has no program; install the package textcodec in its place")

from ._textcodec import _program


def main() -> int:
    """Runs the program with the arguments of this process, and returns its exit status."""
    # The handler of Python would run only after the program has ended.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _program(["textcodec", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
