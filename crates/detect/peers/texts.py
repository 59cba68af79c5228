"""Fetches texts for `run`: manual pages of Debian in many languages, as plain text, to the folder `manual`, and the
test files of chardet and charset-normalizer to the folder `files`, with the names that `evaluate --write` gives to
pieces.

    python texts.py FOLDER
"""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

# The packages are manpages-cs and so on; the folders of the pages have these names.
LANGUAGES = "cs da de el es fi fr hu id it ja mk nb nl pl pt-br ro ru sr sv tr uk vi zh".split()
NAMES = {"pt_BR": "pt", "zh_CN": "zh_cn", "zh_TW": "zh_tw"}
# The number of characters of each language.
LENGTH = 200_000
# The test files of charset-normalizer, and their encodings by its tests.
FILES = {
    "arabic-1": "windows-1256",
    "arabic": "utf-8",
    "bulgarian": "utf-8",
    "chinese": "big5",
    "english.bom": "utf-8",
    "french-1": "windows-1252",
    "french": "utf-8",
    "greek-2": "windows-1253",
    "greek": "windows-1253",
    "hebrew-2": "windows-1255",
    "hebrew-3": "windows-1255",
    "korean": "euc-kr",
    "polish": "utf-8",
    "russian-2": "utf-8",
    "russian-3": "utf-8",
    "russian": "x-mac-cyrillic",
    "spanish": "utf-8",
    "turkish": "windows-1254",
}


def plain(page: str) -> str:
    """The text of a page without its markup."""
    lines = []
    for line in page.splitlines():
        if line.startswith((".\\\"", "'\\\"")):
            continue
        # The arguments of requests for fonts and headings are text.
        found = re.match(r"[.']\s*(?:[BI]|[BIR]{2}|SH|SS|TP|IP|Nd|Sh)\s+(.*)", line)
        if line.startswith((".", "'")) and not found:
            continue
        lines.append(found.group(1).strip('"') if found else line)
    text = "\n".join(lines)
    text = re.sub(r"\\f(?:\(..|\[[^]]*\]|.)|\\[&/,:|^%]|\\s[-+]?\d", "", text)
    text = re.sub(r"\\\(co|\\\[co\]", "©", text)
    text = re.sub(r"\\-", "-", text)
    text = re.sub(r"\\(?:\(..|\[[^]]*\]|\*\(..|\*\[[^]]*\]|\*.|e|.)", " ", text)
    return re.sub(r"[ \t]+", " ", re.sub(r"\n\s*\n+", "\n", text))


def manual_pages(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        packages = [f"manpages-{language}" for language in LANGUAGES]
        subprocess.run(["apt-get", "-qq", "download", *packages], cwd=temporary, check=True, stderr=subprocess.DEVNULL)
        for package in Path(temporary).glob("*.deb"):
            subprocess.run(["dpkg-deb", "--extract", str(package), temporary], check=True)
        for pages in sorted(Path(temporary, "usr/share/man").iterdir()):
            texts, length = [], 0
            # Every third page, so that the pages of one program do not fill the text.
            for page in sorted(pages.glob("man*/*.gz"))[::3]:
                text = plain(gzip.decompress(page.read_bytes()).decode("utf-8", "replace"))
                if not text.isascii() and "\ufffd" not in text:
                    texts.append(text)
                    length += len(text)
                if length > LENGTH:
                    break
            if length > 20_000:
                name = NAMES.get(pages.name, pages.name)
                (folder / f"{name}.txt").write_text("\n".join(texts)[:LENGTH], encoding="utf-8")


def source(project: str, folder: str) -> tarfile.TarFile:
    """The source distribution of a project."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "download", "--no-deps", "--no-binary", ":all:", "-d", folder, project], check=True)
    return tarfile.open(next(Path(folder).glob(f"{project.split('=')[0].replace('-', '?')}*.tar.gz")))


def project_files(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        with source("charset-normalizer==3.5.3", temporary) as archive:
            for number, member in enumerate(archive.getmembers()):
                found = re.fullmatch(r".*/data/sample-(.*)\.txt", member.name)
                if found:
                    data = archive.extractfile(member)
                    (folder / f"n{number},files-normalizer,{FILES[found.group(1)]},0").write_bytes(data.read())
        with source("chardet==5.2.0", temporary) as archive:
            for number, member in enumerate(archive.getmembers()):
                # The folder of a file is named after its encoding, and maybe its language.
                found = re.fullmatch(r"[^/]*/tests/([^/]*)/[^/]*", member.name)
                if found and member.isfile() and not found.group(1).startswith("_"):
                    data = archive.extractfile(member).read()
                    # One file named "ascii" begins with hundreds of zeros, and is no text.
                    if not data.startswith(bytes(40)):
                        (folder / f"c{number},files-chardet,{found.group(1).lower()},0").write_bytes(data)


if __name__ == "__main__":
    target = Path(sys.argv[1])
    if not (target / "manual").is_dir():
        manual_pages(target / "manual")
    if not (target / "files").is_dir():
        project_files(target / "files")
