"""`python -m textcodec`: converts files, and finds out their encoding.

It has the everyday commands of the program `textcodec`, which is written in Rust and has many more, with the same names of options:

    python -m textcodec convert --from gbk --to utf-8 -o new.txt old.txt
    python -m textcodec sniff page.html
    python -m textcodec list
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from typing import BinaryIO

from . import ENCODINGS, Encoding, IncrementalDecoder, IncrementalEncoder, __version__, css, decode_as, html, lookup, xml
from ._textcodec import Sniffed

#: The number of bytes that are read at once.
PIECE = 1 << 20
#: The error handlers for --errors: for decoding and for encoding.
ERRORS = {"strict": ("strict", "strict"), "replace": ("replace", "replace"), "html": ("replace", "xmlcharrefreplace")}


def _encoding(label: str) -> Encoding:
    try:
        return lookup(label)
    except LookupError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m textcodec", description="Converts text between the encodings of the Encoding Standard.")
    parser.add_argument("--version", action="version", version=f"textcodec {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)

    convert = commands.add_parser("convert", help="convert a file from one encoding to another")
    convert.add_argument("--from", dest="source", type=_encoding, required=True, metavar="LABEL", help="the encoding of the input")
    convert.add_argument("--to", dest="target", type=_encoding, default="utf-8", metavar="LABEL", help="the encoding of the output; utf-8 by default")
    convert.add_argument("--errors", choices=ERRORS, default="strict", help="what happens at an error: stop, write U+FFFD or a question mark, write a character reference")
    convert.add_argument("--ignore-bom", action="store_true", help="treat a byte order mark as text")
    convert.add_argument("-o", "--output", metavar="FILE", help="the output; it changes only when all text is converted")
    convert.add_argument("input", nargs="?", default="-", metavar="FILE", help="the input; standard input if it is missing or -")

    sniff = commands.add_parser("sniff", help="print the encoding of files, how certain it is, and why")
    sniff.add_argument("--charset", metavar="LABEL", help="the charset of the HTTP header")
    sniff.add_argument("files", nargs="+", metavar="FILE")

    commands.add_parser("list", help="print the names and labels of all encodings")
    return parser


def _convert(arguments: argparse.Namespace) -> None:
    decoding, encoding = ERRORS[arguments.errors]
    decoder = IncrementalDecoder(arguments.source, decoding, "keep" if arguments.ignore_bom else "sniff")
    encoder = IncrementalEncoder(arguments.target, encoding)

    def copy(source: BinaryIO, target: BinaryIO) -> None:
        # `UnicodeError` counts from the start of the piece, and a message from the start of the file.
        read = 0
        while piece := source.read(PIECE):
            try:
                target.write(encoder.encode(decoder.decode(piece)))
            except UnicodeDecodeError as error:
                _raise(error, read - (len(error.object) - len(piece)))
            read += len(piece)
        try:
            target.write(encoder.encode(decoder.decode(b"", True), True))
        except UnicodeDecodeError as error:
            _raise(error, read - len(error.object))

    source = sys.stdin.buffer if arguments.input == "-" else open(arguments.input, "rb")
    with source:
        if arguments.output is None:
            copy(source, sys.stdout.buffer)
            sys.stdout.buffer.flush()
            return
        folder = os.path.dirname(os.path.abspath(arguments.output))
        number, name = tempfile.mkstemp(dir=folder)
        try:
            with os.fdopen(number, "wb") as target:
                copy(source, target)
            os.chmod(name, 0o666 & ~_umask())
            os.replace(name, arguments.output)
        except BaseException:
            os.unlink(name)
            raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _raise(error: UnicodeDecodeError, before: int) -> None:
    malformed = error.object[error.start : error.end].hex(" ").upper()
    raise ValueError(f"{error.reason}: {malformed} at offset {before + error.start}") from None


def _sniffed(path: str, charset: str | None) -> Sniffed:
    with open(path, "rb") as file:
        data = file.read()
    kind = os.path.splitext(path)[1].lower()
    if kind in (".xml", ".xhtml", ".svg", ".rss", ".atom"):
        return xml(data, charset, errors="replace")
    if kind == ".css":
        return css(data, charset)
    if kind in (".htm", ".html"):
        return html(data, charset)
    return decode_as(data, "text-document", charset)


def main(arguments: list[str] | None = None) -> int:
    """Runs the program, and returns its exit status: 0, or 1 if a file could not be read, converted or written."""
    parsed = _arguments().parse_args(arguments)
    if parsed.command == "list":
        for encoding in ENCODINGS:
            print(f"{encoding.name}: {', '.join(encoding.labels)}")
        return 0
    status = 0
    for path in parsed.files if parsed.command == "sniff" else [parsed.input]:
        try:
            if parsed.command == "convert":
                _convert(parsed)
            else:
                found = _sniffed(path, parsed.charset)
                print(f"{path}: {found.encoding}, {found.confidence}: {found.reason}")
        except (OSError, ValueError, LookupError) as error:
            print(f"textcodec: {path}: {error}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
