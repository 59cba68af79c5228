"""Makes a crawl archive: a WARC file with 200 pages in 12 encodings. Every run writes the same bytes.

    python archive.py crawl.warc.gz [undeclared]

Some pages declare their encoding in HTTP's header, some in a meta element, some by a byte order mark, and some in two
places that disagree. With `undeclared`, no page declares anything. All text is written for this archive.
"""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

import textcodec

# An encoding, a language, and sentences in it.
ENCODINGS = [
    ("utf-8", "en", "A naïve crawler sees “quotes” — and €5 — as noise. "),
    ("windows-1252", "de", "Größere Straßen führen schöner durch das Gebirge – für 5 €. "),
    ("windows-1251", "ru", "Архив хранит страницы, которые давно исчезли из сети. "),
    ("koi8-r", "ru", "Старые страницы писали в другой кодировке. "),
    ("shift_jis", "ja", "古いページは別の文字コードで書かれています。カタカナも①も。"),
    ("euc-jp", "ja", "この頁は別の符号で保存されました。"),
    ("iso-2022-jp", "ja", "電子メールと同じ符号の頁です。"),
    ("gbk", "zh", "旧网页使用别的编码，浏览器仍然能读。"),
    ("gb18030", "zh", "有些汉字很少见：㐀、𠀀。"),
    ("big5", "zh", "舊網頁使用別的編碼，瀏覽器仍然能讀。"),
    ("euc-kr", "ko", "오래된 문서는 다른 부호로 쓰여 있습니다. "),
    ("utf-16le", "en", "Two bytes for each letter, even for plain ones: ∀x. "),
]
PAGES = 200


@dataclass
class Page:
    """A page as its author wrote it, and as a server sends it."""

    url: str
    content_type: str
    text: str
    encoding: str
    body: bytes


def page(number: int, paragraphs: int = 20, declares: bool = True) -> Page:
    """The page with this number. A paragraph has one to ten sentences."""
    label, language, sentence = ENCODINGS[number % len(ENCODINGS)]
    place = ["header", "meta", "both"][number // len(ENCODINGS) % 3] if declares else "nowhere"
    declared = label
    if label == "utf-16le" and declares:
        # A page in UTF-16 has a byte order mark. Its header says something else, which a browser ignores.
        place, declared = "bom", "utf-8"
    meta = f'<meta charset="{label}">' if place == "meta" else '<meta charset="koi8-u">' if place == "both" else ""
    def paragraph(index: int) -> str:
        # Numbers between the sentences, so that pages compress about as well as others do.
        seeds = (number * 7919 + index * 104729 + place * 15485863 for place in range(1 + (number + index) % 10))
        return f"<p>{index}: {' '.join(f'{sentence}{seed**2 % 10**18}' for seed in seeds)}</p>\n"

    body = "".join(map(paragraph, range(paragraphs)))
    text = f'<!doctype html><html lang="{language}"><head>{meta}<title>{number}</title></head><body>\n{body}</body></html>\n'
    content_type = "text/html" if place in ("meta", "nowhere") else f"text/html; charset={declared}"
    encoded = (b"\xff\xfe" if place == "bom" else b"") + textcodec.encode(text, label)
    url = f"https://example.org/{language}/{number}{'' if declares else '/undeclared'}"
    return Page(url, content_type, text, textcodec.lookup(label).name, encoded)


def archive(first: int = 0, pages: int = PAGES, paragraphs: int = 20, declares: bool = True) -> bytes:
    """A WARC file with these pages, each compressed by itself, as in the archives of Common Crawl."""
    file = io.BytesIO()
    writer = WARCWriter(file, gzip=True)
    for number in range(first, first + pages):
        made = page(number, paragraphs, declares)
        http = StatusAndHeaders("200 OK", [("Content-Type", made.content_type)], protocol="HTTP/1.1")
        headers = {"WARC-Record-ID": f"<urn:uuid:00000000-0000-0000-0000-{number:012}>", "WARC-Date": "2026-01-01T00:00:00Z"}
        record = writer.create_warc_record(
            made.url, "response", payload=io.BytesIO(made.body), http_headers=http, warc_headers_dict=headers
        )
        writer.write_record(record)
    return file.getvalue()


if __name__ == "__main__":
    with open(sys.argv[1], "wb") as output:
        output.write(archive(declares="undeclared" not in sys.argv))
