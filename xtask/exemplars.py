"""Writes indexes/exemplars.tsv: the letters and the punctuation of languages, and the currency signs.

    python3 xtask/exemplars.py FOLDER

FOLDER has the npm packages cldr-core, cldr-localenames-full and cldr-misc-full, each as `npm pack` and `tar` unpack it,
under these names. The languages are those that the Common Locale Data Repository covers at its level "modern".
"""

import json
import pathlib
import re
import sys
import unicodedata

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADER = """\
# The letters and the punctuation of the languages that Unicode's Common Locale Data Repository (CLDR, version {version},
# https://cldr.unicode.org, Unicode License V3) covers at its level "modern": the exemplar characters, without the
# auxiliary ones, and the currency signs of Unicode. Letters are in lower case where the script has cases. Four
# characters and more that follow each other are a range: a-z.
# Written by xtask/exemplars.py. The columns: code, name, letters, punctuation.
"""
# Another writing of a language, or the same language under a second code.
SCRIPTS = {"zh-Hant"}
SAME = {"no", "und"}


def characters(pattern):
    """The characters of a UnicodeSet such as "[a-c {ch} \\- \\u0300]". Of a sequence, its characters."""
    inner = pattern.strip()[1:-1]
    token = r"\\u\{?([0-9A-Fa-f]{4,6})\}?|\\(.)|([{}\s])|(-)|(.)"
    found, is_range = [], False
    for code, escaped, mark, range_sign, plain in re.findall(token, inner, re.DOTALL):
        if range_sign:
            is_range = True
            continue
        if mark:
            continue
        character = chr(int(code, 16)) if code else escaped or plain
        if is_range:
            found.extend(map(chr, range(ord(found[-1]) + 1, ord(character) + 1)))
            is_range = False
        else:
            found.append(character)
    return sorted({c for c in found if not c.isspace() and unicodedata.category(c) not in {"Cf", "Zs"}})


def ranges(found):
    """The characters, which are sorted, with a range for four and more that follow each other."""
    runs = []
    for character in found:
        if runs and ord(runs[-1][-1]) + 1 == ord(character):
            runs[-1].append(character)
        else:
            runs.append([character])
    return "".join(f"{run[0]}-{run[-1]}" if len(run) > 3 else "".join(run) for run in runs)


def main(folder):
    def read(path):
        return json.loads((folder / path).read_text(encoding="utf-8"))

    levels = read("cldr-core/coverageLevels.json")["effectiveCoverageLevels"]
    names = read("cldr-localenames-full/main/en/languages.json")["main"]["en"]["localeDisplayNames"]["languages"]
    lines = []
    for code, level in sorted(levels.items()):
        path = folder / f"cldr-misc-full/main/{code}/characters.json"
        is_variant = "-" in code and code not in SCRIPTS or code in SAME
        if level != "modern" or is_variant or code not in names or not path.exists():
            continue
        data = json.loads(path.read_text(encoding="utf-8"))["main"][code]["characters"]
        letters, punctuation = (characters(data[key]) for key in ("exemplarCharacters", "punctuation"))
        lines.append("\t".join([code, names[code], ranges(letters), ranges([c for c in punctuation if c > "\x7f"])]))
    is_sign = lambda c: unicodedata.category(c) == "Sc" and unicodedata.decomposition(c) == ""  # noqa: E731
    lines.append("\t".join(["currency", "Currency signs", "", ranges(list(filter(is_sign, map(chr, range(0x110000)))))]))
    version = read("cldr-misc-full/package.json")["version"]
    text = HEADER.format(version=version) + "\n".join(lines) + "\n"
    (ROOT / "indexes/exemplars.tsv").write_text(text, encoding="utf-8", newline="\n")


main(pathlib.Path(sys.argv[1]))
