"""Measures the package beside Python's codecs, webencodings and detectors, in one process.

    pip install webencodings chardetng_py charset-normalizer chardet
    TEXTCODEC_CORPORA=folder python bench/bench.py

Arguments choose tables: decoding, pages, detection, charsets.

The folder has texts and pages in UTF-8, such as `ja.txt` and `ja.html`. Without it, short samples are repeated. The
tables are in Markdown. Each figure is the best of several rounds.
"""

from __future__ import annotations

import os
import platform
import sys
import timeit
from datetime import date
from pathlib import Path

import textcodec

# A label, Python's codec, and a language.
ENCODINGS = [
    ("windows-1252", "cp1252", "fr"),
    ("windows-1251", "cp1251", "ru"),
    ("koi8-r", "koi8-r", "ru"),
    ("iso-8859-7", "iso8859-7", "el"),
    ("windows-1256", "cp1256", "ar"),
    ("windows-874", "cp874", "th"),
    ("shift_jis", "cp932", "ja"),
    ("euc-jp", "euc-jp", "ja"),
    ("iso-2022-jp", "iso2022-jp", "ja"),
    ("gbk", "gbk", "zh_cn"),
    ("gb18030", "gb18030", "zh_cn"),
    ("big5", "big5hkscs", "zh_tw"),
    ("euc-kr", "cp949", "ko"),
    ("utf-16le", "utf-16-le", "ja"),
    ("utf-8", "utf-8", "ru"),
]
SAMPLES = {
    "fr": "Où l’été s’achève, les élèves s’étonnent déjà. ",
    "ru": "Широкая электрификация южных губерний даст мощный толчок. ",
    "el": "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. ",
    "ar": "نص حكيم له سر قاطع وذو شأن عظيم. ",
    "th": "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า ",
    "ja": "いろはにほへと散りぬるを。日本語のテキストです。",
    "zh_cn": "天地玄黄，宇宙洪荒。日月盈昃，辰宿列张。",
    "zh_tw": "天地玄黃，宇宙洪荒。日月盈昃，辰宿列張。",
    "ko": "키스의 고유 조건은 입술끼리 만나야 하고. ",
}
PAGES = [("ja", "shift_jis"), ("ru", "windows-1251"), ("zh_cn", "gbk"), ("de", "windows-1252"), ("ko", "euc-kr")]


def corpus(name: str) -> str:
    folder = os.environ.get("TEXTCODEC_CORPORA")
    if folder and Path(folder, name).exists():
        return Path(folder, name).read_text(encoding="utf-8")
    text = SAMPLES.get(name.split(".")[0], "Falsches Üben von Xylophonmusik quält jeden größeren Zwerg. ") * 200
    return f"<!doctype html><html><head><title>x</title></head><body><p>{text}" if name.endswith(".html") else text


def nanoseconds(statement: str, names: dict[str, object]) -> float:
    """The time of a statement in nanoseconds."""
    timer = timeit.Timer(statement, globals=names)
    number = max(1, int(2e6 / (timer.timeit(3) / 3 * 1e9 + 1)))
    return min(timer.repeat(repeat=15, number=number)) / number * 1e9


def piece(label: str, language: str, length: int) -> bytes:
    data = textcodec.encode(corpus(f"{language}.txt"), label, "ignore")
    data *= 1 + 2 * (length + 4096) // len(data)
    # From an even place on, after the beginning, which has more ASCII than the rest.
    data = data[4096 : 4096 + length]
    # Without a sequence that the cut has left incomplete.
    return textcodec.encode(textcodec.decode(data, label, "ignore", "keep").text, label)


def decoding() -> None:
    import webencodings

    print("Nanoseconds for a text in memory: this package, and how many times longer Python's codec and webencodings take.\n")
    lengths = (16, 2048, 102_400)
    print("| encoding | " + " | ".join(f"{length:,} bytes | codec | webencodings" for length in lengths) + " |")
    print("| --- |" + " ---: |" * 3 * len(lengths))
    for label, codec, language in ENCODINGS:
        cells = []
        for length in lengths:
            names = {"d": piece(label, language, length), "decode": textcodec.decode, "web": webencodings.decode, "c": codec, "l": label}
            ours = nanoseconds("decode(d, l)", names)
            python = nanoseconds("d.decode(c, 'replace')", names)
            web = nanoseconds("web(d, l)", names)
            cells += [f"{ours:,.0f}", f"{python / ours:.2f}", f"{web / ours:.2f}"]
        print(f"| {label} | " + " | ".join(cells) + " |", flush=True)
    print()


def pages() -> None:
    import chardetng_py
    import charset_normalizer
    import webencodings

    print("Microseconds for a page of 100 KB: `html`, and how many times longer a detector and a decoder take together.\n")
    print("| page | declared, `html` | not declared, `html` with chardetng_py | chardetng_py and Python's codec | chardetng_py and webencodings | charset-normalizer |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for language, label in PAGES:
        text = corpus(f"{language}.html")
        text = text.replace("charset=", "x=")
        text = (text + text[len(text) // 2 :] * 20)[:400_000]
        plain = textcodec.encode(text, label, "xmlcharrefreplace")[:102_400]
        declared = f"<!doctype html><meta charset={label}>".encode() + plain
        names = {
            "p": plain, "d": declared, "html": textcodec.html, "detect": chardetng_py.detect, "lookup": webencodings.lookup,
            "web": webencodings.decode, "from_bytes": charset_normalizer.from_bytes,
        }
        ours = nanoseconds("html(d)", names)
        cells = [f"{ours / 1000:,.1f}"]
        for statement in (
            "html(p, guess=detect)",
            "d.decode(lookup(detect(d)).codec_info.name, 'replace')",
            "web(d, detect(d))",
            "str(from_bytes(d).best())",
        ):
            cells.append(f"{nanoseconds(statement, names) / ours:.1f}")
        print(f"| {language}, {label} | " + " | ".join(cells) + " |", flush=True)


def detection() -> None:
    import chardet
    import charset_normalizer

    import textcodec.chardet

    print("Microseconds of `detect`, and how many times longer others take.\n")
    print("| text | bytes | `detect` | textcodec.chardet | chardet | charset-normalizer |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for label, _, language in ENCODINGS:
        if label not in ("windows-1252", "windows-1251", "koi8-r", "shift_jis", "gbk", "utf-8"):
            continue
        for length in (1024, 1 << 20):
            names = {
                "d": piece(label, language, length), "detect": textcodec.detect, "own": textcodec.chardet.detect,
                "chardet": chardet.detect, "from_bytes": charset_normalizer.from_bytes,
            }
            ours = nanoseconds("detect(d)", names)
            others = [nanoseconds(f"{name}(d)", names) / ours for name in ("own", "chardet", "from_bytes")]
            cells = " | ".join(f"{other:.1f}" for other in others)
            print(f"| {language}, {label} | {length:,} | {ours / 1000:,.1f} | {cells} |", flush=True)
    print()


def charsets() -> None:
    print("Nanoseconds of decode(…, charset=…), and how many times longer Python's codec takes; then of encode.\n")
    lengths = (16, 2048, 102_400)
    print("| charset | " + " | ".join(f"{length:,} bytes | codec" for length in lengths * 2) + " |")
    print("| --- |" + " ---: |" * 4 * len(lengths))
    for charset, codec, language in [
        ("cp037", "cp037", "fr"), ("cp500", "cp500", "fr"), ("cp437", "cp437", "fr"), ("cp850", "cp850", "fr"),
        ("python:mac-greek", "mac-greek", "el"), ("utf-32le", "utf-32-le", "ja"),
    ]:
        cells = []
        data = corpus(f"{language}.txt").encode(codec, "ignore")
        for direction in ("decode(d, charset=c)", "encode(t, charset=c)"):
            for length in lengths:
                piece = (data * (1 + length // len(data)))[: length // 4 * 4]
                names = {"d": piece, "t": piece.decode(codec), "c": charset, "p": codec, "decode": textcodec.decode, "encode": textcodec.encode}
                ours = nanoseconds(direction, names)
                theirs = nanoseconds("d.decode(p, 'replace')" if direction[0] == "d" else "t.encode(p)", names)
                cells += [f"{ours:,.0f}", f"{theirs / ours:.2f}"]
        print(f"| {charset} | " + " | ".join(cells) + " |", flush=True)
    print()


if __name__ == "__main__":
    processor = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.processor())
    print(f"{processor}, CPython {platform.python_version()}, {date.today()}\n")
    parts = {"decoding": decoding, "pages": pages, "detection": detection, "charsets": charsets}
    for name in sys.argv[1:] or parts:
        parts[name]()
