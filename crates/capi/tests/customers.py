"""Programs and libraries that call libtextcodec through the examples in C: libxml2 from 2.14 on.

`.ci/capi` runs this file with the path of the shared library and a folder for scratch files. It needs Python, a C
compiler, and the wheel of lxml, which has libxml2 and its headers; pip downloads it. What is missing is named.
"""

import ctypes
import glob
import os
import subprocess
import sys
import zipfile
from pathlib import Path

LIBRARY, SCRATCH = (os.path.abspath(argument) for argument in sys.argv[1:3])
CRATE = Path(__file__).parent.parent

# Labels with a text that each encoding has, and Python's name of the encoding.
TEXTS = [
    ("iso-8859-2", "Łódź, žluťoučký", "iso8859-2"),
    ("iso-8859-5", "Съешь ещё", "iso8859-5"),
    ("iso-8859-7", "ξεσκεπάζω", "iso8859-7"),
    ("iso-8859-8", "שלום עולם", "iso8859-8"),
    ("iso-8859-15", "5 € œuvre", "iso8859-15"),
    ("windows-1250", "příliš žluťoučký", "cp1250"),
    ("windows-1251", "Съешь ещё", "cp1251"),
    ("windows-1252", "“Grüße” – 5 €", "cp1252"),
    ("latin1", "“Grüße” – 5 €", "cp1252"),
    ("windows-1253", "ξεσκεπάζω", "cp1253"),
    ("windows-1257", "ąčęėįšųūž", "cp1257"),
    ("koi8-r", "Съешь ещё", "koi8-r"),
    ("ibm866", "Съешь ещё", "cp866"),
    ("macintosh", "Grüße", "mac-roman"),
    ("euc-jp", "日本語テキスト", "euc_jp"),
    ("iso-2022-jp", "日本語テキスト", "iso2022_jp"),
    ("shift_jis", "㈱日本語テキスト", "cp932"),
    ("gbk", "简体中文测试", "gbk"),
    ("gb18030", "简体中文 ☃ 😀", "gb18030"),
    ("big5", "繁體中文測試", "big5"),
    ("euc-kr", "한국어 문장 뷁", "cp949"),
    # Charsets that the Standard does not have.
    ("IBM850", "Grüße ½", "cp850"),
    ("IBM037", "GRUESSE (1)", "cp037"),
    ("JOHAB", "한국어 뷁", "johab"),
    ("EUC-JISX0213", "日本語 か゚", "euc_jisx0213"),
]

# enum values of libxml2.
XML_ENC_OUTPUT, XML_ERR_INVALID_ENCODING, XML_ERR_UNSUPPORTED_ENCODING = 2, 81, 32


def of_lxml():
    """The folder of lxml, unpacked, and not imported: the package is not installed."""
    download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    done = subprocess.run([*download, "--disable-pip-version-check", "--dest", SCRATCH, "lxml>=6"])
    wheels = glob.glob(f"{SCRATCH}/lxml-*.whl")
    if done.returncode != 0 or not wheels:
        return None
    zipfile.ZipFile(wheels[0]).extractall(SCRATCH)
    return Path(SCRATCH, "lxml")


def compile_example(name, *flags):
    shared = Path(SCRATCH, f"{name}.so")
    strict = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-O1", "-shared", "-fPIC"]
    include = ["-I", str(CRATE / "include"), *flags]
    subprocess.run(["cc", *strict, *include, str(CRATE / f"examples/{name}.c"), LIBRARY, "-o", str(shared)], check=True)
    return shared


def document(label, text, codec):
    """A document that is longer than the buffers of libxml2."""
    declaration = f'<?xml version="1.0" encoding="{label}"?>'
    return f"{declaration}<a>{text * 3000}</a>\n".encode(codec)


def libxml2():
    lxml = of_lxml()
    if lxml is None:
        return "is not checked: pip cannot download lxml"
    # etree is linked with libxml2, whose functions it exports.
    etree = ctypes.PyDLL(glob.glob(f"{lxml}/etree.*.so")[0], ctypes.RTLD_GLOBAL)
    if not hasattr(etree, "xmlCtxtSetCharEncConvImpl"):
        return "is not checked: lxml does not export the functions of libxml2 2.14"
    converters = ctypes.CDLL(compile_example("libxml2", "-isystem", str(lxml / "includes")))
    # For example "21406" or "21406-GIT".
    number = int(ctypes.c_char_p.in_dll(etree, "xmlParserVersion").value.split(b"-")[0])
    version = f"{number // 10000}.{number // 100 % 100}.{number % 100}"
    pointer = ctypes.c_void_p

    def function(name, result, *arguments):
        found = getattr(etree, name)
        found.restype, found.argtypes = result, arguments
        return found

    new = function("xmlNewParserCtxt", pointer)
    set_converters = function("xmlCtxtSetCharEncConvImpl", None, pointer, pointer, pointer)
    read = function("xmlCtxtReadMemory", pointer, pointer, ctypes.c_char_p, ctypes.c_int, pointer, ctypes.c_char_p, ctypes.c_int)
    last_error = function("xmlCtxtGetLastError", pointer, pointer)
    free = function("xmlFreeParserCtxt", None, pointer)
    root, content = (function(name, pointer, pointer) for name in ("xmlDocGetRootElement", "xmlNodeGetContent"))
    free_document = function("xmlFreeDoc", None, pointer)
    own = ctypes.cast(converters.textcodec_libxml2, pointer)

    def parse(source, label=None, is_own=True):
        """The text of a document, or the number of the error."""
        context = new()
        if is_own:
            set_converters(context, own, None)
        # Errors are not printed.
        parsed = read(context, source, len(source), None, label, 96)
        error = last_error(context)
        # The second field of the error is its number.
        number = ctypes.cast(error, ctypes.POINTER(ctypes.c_int))[1] if error else 0
        text = ctypes.string_at(content(root(parsed))).decode() if parsed else number
        if parsed:
            free_document(parsed)
        free(context)
        return text

    for label, text, codec in TEXTS:
        # Without ASCII in a document, only the program knows the encoding.
        outer = label.encode() if label == "IBM037" else None
        parsed = parse(document(label, text, codec), outer)
        assert parsed == text * 3000, (label, parsed if isinstance(parsed, int) else parsed[:40])
    # libxml2 alone knows neither the row of Windows in Shift_JIS nor windows-1252 in latin1.
    without = [parse(document(label, text, codec), None, False) == text * 3000 for label, text, codec in TEXTS]
    assert not without[TEXTS.index(("shift_jis", "㈱日本語テキスト", "cp932"))]

    # Errors stop the parser, also those at the end of a document; a label of the replacement encoding decodes nothing.
    start = b'<?xml version="1.0" encoding="shift_jis"?><a>'
    for source in [start + b"\xFF</a>", start + b"x" * 9000 + b"\x83 \x83</a>", start + b"</a>\x83"]:
        assert parse(source) == XML_ERR_INVALID_ENCODING, parse(source)
    replacement = b'<?xml version="1.0" encoding="hz-gb-2312"?><a>text</a>'
    assert isinstance(parse(replacement), int)
    assert parse(b'<?xml version="1.0" encoding="nonsense"?><a/>') == XML_ERR_UNSUPPORTED_ENCODING

    # Output. Characters that an encoding does not have are references.
    create = function("xmlCreateCharEncodingHandler", ctypes.c_int, ctypes.c_char_p, ctypes.c_int, pointer, pointer, pointer)
    buffer_of = function("xmlBufferCreate", pointer)
    output_of = function("xmlOutputBufferCreateBuffer", pointer, pointer, pointer)
    write = function("xmlOutputBufferWrite", ctypes.c_int, pointer, ctypes.c_int, ctypes.c_char_p)
    close = function("xmlOutputBufferClose", ctypes.c_int, pointer)
    bytes_of = function("xmlBufferContent", pointer, pointer)
    length_of = function("xmlBufferLength", ctypes.c_int, pointer)
    free_buffer = function("xmlBufferFree", None, pointer)
    for label, text, codec in TEXTS:
        handler = pointer()
        assert create(label.encode(), XML_ENC_OUTPUT, own, None, ctypes.byref(handler)) == 0, label
        buffer = buffer_of()
        output = output_of(buffer, handler)
        whole = f"<a>{(text + chr(0x10380)) * 3000}</a>\n"
        expected = whole.encode(codec, "strict" if codec == "gb18030" else "xmlcharrefreplace")
        utf_8 = whole.encode()
        # Pieces that end inside of characters.
        for at in range(0, len(utf_8), 1001):
            piece = utf_8[at : at + 1001]
            assert write(output, len(piece), piece) >= 0, label
        assert close(output) >= 0, label
        written = ctypes.string_at(bytes_of(buffer), length_of(buffer))
        assert written == expected, (label, written[:60], written[-60:], expected[-60:])
        free_buffer(buffer)
    return f"{version} parses and writes {len(TEXTS)} encodings; alone it parses {sum(without)} of the documents"


def main():
    for customer in (libxml2,):
        print(f"{customer.__name__} {customer()}")


if __name__ == "__main__":
    main()
