#!/usr/bin/env python3
"""Compares `textcodec convert --in-place` with programs that find out encodings.

Makes a tree of files in many encodings from texts, converts the tree in place with and without `--guess`, and asks
uchardet, file and enca, where they are installed, for the encoding of each file. Prints how many files are right,
refused and wrong.

    cargo build --release -p textcodec-cli
    python3 crates/cli/tests/detectors.py DIRECTORY [--files 500] [--seed 1] [--textcodec target/release/textcodec]

DIRECTORY has texts in UTF-8, whose names start with their languages: ru.txt, zh_cn.txt and so on. It needs glibc's
iconv.
"""

import argparse
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import unicodedata

# The encodings of each language, under the names of glibc's iconv.
ENCODINGS = {
    "ar": ["CP1256", "ISO-8859-6"],
    "cs": ["CP1250", "ISO-8859-2"],
    "de": ["CP1252", "ISO-8859-15"],
    "el": ["CP1253", "ISO-8859-7"],
    "en": ["CP1252"],
    "fr": ["CP1252", "ISO-8859-15"],
    "he": ["CP1255"],
    "ja": ["CP932", "EUC-JP", "ISO-2022-JP"],
    "ko": ["CP949"],
    "pt": ["CP1252"],
    "ru": ["CP1251", "KOI8-R", "ISO-8859-5", "CP866"],
    "th": ["TIS-620"],
    "tr": ["CP1254"],
    "vi": ["CP1258"],
    "zh_cn": ["GBK", "GB18030"],
    "zh_tw": ["BIG5"],
}

# The names of enca's languages.
ENCA_LANGUAGES = {"cs": "czech", "ru": "russian", "zh_cn": "chinese", "zh_tw": "chinese"}

# Names that the detectors print and the Encoding Standard does not have.
OTHER_NAMES = {"tis-620": "windows-874", "uhc": "euc-kr", "cp949": "euc-kr"}


def output(command, **options):
    """The standard output of a command, or None if it fails."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=600, **options)
    return result.stdout if result.returncode == 0 else None


def normal(text):
    return unicodedata.normalize("NFC", text.decode("utf-8", "replace"))


def make(texts, directory, number, chance):
    """Writes the files, and returns the language and the text of each."""
    made = {}
    while len(made) < number:
        language = chance.choice(sorted(texts))
        encoding = "UTF-8" if chance.random() < 0.4 else chance.choice(ENCODINGS[language])
        length = int(200 * 100 ** chance.random())
        start = chance.randrange(max(1, len(texts[language]) - length))
        piece = texts[language][start : start + length].encode()
        # -c leaves out the characters that the encoding does not have, with a status of 1.
        command = ["iconv", "-c", "-f", "UTF-8", "-t", encoding]
        encoded = subprocess.run(command, input=piece, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        text = output(["iconv", "-f", encoding, "-t", "UTF-8"], input=encoded)
        if not encoded or text is None:
            continue
        name = f"{len(made):03}-{language}-{encoding}.txt"
        (directory / name).write_bytes(encoded)
        made[name] = (language, normal(text))
    return made


def in_place(program, source, made, *options):
    """What has become of the files after a conversion in place."""
    results = {"right": 0, "refused": 0, "wrong": 0}
    with tempfile.TemporaryDirectory() as scratch:
        tree = pathlib.Path(scratch) / "tree"
        shutil.copytree(source, tree)
        command = [program, "convert", "--from", "auto", "--in-place", "--recursive", "--quiet", *options, tree]
        subprocess.run(command, stderr=subprocess.DEVNULL, timeout=600)
        for name, (_, text) in made.items():
            content = (tree / name).read_bytes()
            is_right = normal(content) == text
            is_old = content == (source / name).read_bytes()
            results["right" if is_right else "refused" if is_old else "wrong"] += 1
    return results


def detector(program, source, made, ask):
    """What the encodings that a detector names make of the files."""
    results = {"right": 0, "refused": 0, "wrong": 0}
    for name, (language, text) in made.items():
        command = ask(language)
        answer = output([*command, source / name]) if command else None
        label = (answer or b"").decode().strip().split("/")[0].lower()
        decoded = output([program, "convert", "--force", "--from", OTHER_NAMES.get(label, label), source / name]) if label else None
        if decoded is not None and normal(decoded) == text:
            results["right"] += 1
        elif label in ("", "unknown", "unknown-8bit", "binary", "???"):
            results["refused"] += 1
        else:
            results["wrong"] += 1
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--files", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--textcodec", default="target/release/textcodec")
    arguments = parser.parse_args()
    paths = {language: arguments.directory / f"{language}.txt" for language in ENCODINGS}
    texts = {language: path.read_text(encoding="utf-8") for language, path in paths.items() if path.is_file()}
    if not texts:
        sys.exit(f"{arguments.directory}: there is none of {', '.join(path.name for path in paths.values())}")
    if not shutil.which("iconv") or not shutil.which(arguments.textcodec):
        sys.exit(f"iconv or {arguments.textcodec} is missing")
    program = str(pathlib.Path(shutil.which(arguments.textcodec)).resolve())
    detectors = {
        "uchardet": lambda _: ["uchardet"],
        "file": lambda _: ["file", "--brief", "--mime-encoding"],
        "enca": lambda language: ["enca", "-m", "-L", ENCA_LANGUAGES.get(language, "none")],
    }
    with tempfile.TemporaryDirectory() as scratch:
        source = pathlib.Path(scratch)
        made = make(texts, source, arguments.files, random.Random(arguments.seed))
        rows = {
            "textcodec": in_place(program, source, made),
            "textcodec --guess": in_place(program, source, made, "--guess", "--yes"),
        }
        for name, ask in detectors.items():
            rows[name] = detector(program, source, made, ask) if shutil.which(name) else {"not installed": 1}
    for name, results in rows.items():
        print(f"{name:18}", ", ".join(f"{number} {result}" for result, number in results.items()))


if __name__ == "__main__":
    main()
