"""Programs of Debian and libraries with and without libtextcodec-iconv: the same results where the tables are the same.

`.ci/iconv` runs this file with the path of the shared library. It needs Python alone; a customer that is not installed
is named.
"""

import base64
import ctypes
import ctypes.util
import json
import os
import pty
import select
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LIBRARY = os.path.abspath(sys.argv[1])

# Encodings of documents, with a text that each of them has, and Python's name of the encoding.
TEXTS = [
    ("ISO-8859-1", "Grüße, Ærø", "latin-1"),
    ("ISO-8859-2", "Łódź, žluťoučký", "iso8859-2"),
    ("ISO-8859-5", "Съешь ещё", "iso8859-5"),
    ("ISO-8859-7", "ξεσκεπάζω", "iso8859-7"),
    ("ISO-8859-8", "שלום עולם", "iso8859-8"),
    ("ISO-8859-9", "ığüşöç", "iso8859-9"),
    ("ISO-8859-15", "5 € œuvre", "iso8859-15"),
    ("windows-1250", "příliš žluťoučký", "cp1250"),
    ("windows-1251", "Съешь ещё", "cp1251"),
    ("windows-1252", "“Grüße” – 5 €", "cp1252"),
    ("windows-1253", "ξεσκεπάζω", "cp1253"),
    ("windows-1257", "ąčęėįšųūž", "cp1257"),
    ("KOI8-R", "Съешь ещё", "koi8-r"),
    ("IBM850", "Grüße ½", "cp850"),
    ("IBM866", "Съешь ещё", "cp866"),
    ("EUC-JP", "日本語テキスト", "euc_jp"),
    ("Shift_JIS", "日本語テキスト", "shift_jis"),
    ("GBK", "简体中文测试", "gbk"),
    ("GB18030", "简体中文 ☃ 😀", "gb18030"),
    ("Big5", "繁體中文測試", "big5"),
    ("EUC-KR", "한국어 문장", "euc_kr"),
    ("UTF-16", "ü☃😀", "utf-16"),
]


def environment(preloaded, **others):
    variables = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    variables.update(LC_ALL="C.UTF-8", **others)
    if preloaded:
        variables["LD_PRELOAD"] = LIBRARY
    return variables


def run(command, preloaded, **arguments):
    others = arguments.pop("variables", {})
    done = subprocess.run(command, env=environment(preloaded, **others), capture_output=True, **arguments)
    assert done.returncode == 0, (command, done.stderr)
    return done.stdout


def both(name, check):
    """Runs a check without the library and with it. The results must be equal."""
    results = [check(preloaded) for preloaded in (False, True)]
    assert results[0] == results[1], f"{name}: {results[1]!r} instead of {results[0]!r}"
    return results[1]


def is_bound(command, **arguments):
    """Whether the dynamic linker gives a program this library's iconv_open."""
    variables = environment(True, LD_DEBUG="bindings")
    log = subprocess.run(command, env=variables, capture_output=True, **arguments).stderr.decode("utf-8", "replace")
    return any("`iconv_open'" in line and f"to {LIBRARY} " in line for line in log.splitlines())


def within_python(code, preloaded, **variables):
    """The output of a program in Python, which the dynamic linker gives this library."""
    return run([sys.executable, "-c", code], preloaded, variables=variables, cwd=Path(__file__).parent).decode()


PARSE = """
import ctypes, sys
sys.argv = ["", "/dev/null"]
from customers import TEXTS, document
xml = ctypes.CDLL("libxml2.so.2")
xml.xmlReadMemory.restype = xml.xmlDocGetRootElement.restype = xml.xmlNodeGetContent.restype = ctypes.c_void_p
xml.xmlDocGetRootElement.argtypes = xml.xmlNodeGetContent.argtypes = [ctypes.c_void_p]
def parse(bytes):
    document = xml.xmlReadMemory(bytes, len(bytes), None, None, 96)
    return document and ctypes.string_at(xml.xmlNodeGetContent(xml.xmlDocGetRootElement(document))).decode()
"""


def document(label, text, codec):
    # Long enough for several calls of iconv.
    return f'<?xml version="1.0" encoding="{label}"?><a>{text * 700}</a>'.encode(codec)


def libxml2():
    if not ctypes.util.find_library("xml2"):
        return "is not installed"
    code = PARSE + "print([parse(document(*row)) == row[1] * 700 for row in TEXTS])"
    assert is_bound([sys.executable, "-c", PARSE], cwd=Path(__file__).parent)
    parsed = both("libxml2", lambda preloaded: within_python(code, preloaded))
    assert parsed.strip() == str([True] * len(TEXTS)), parsed
    # The first character of the rows that only Windows and browsers have in Shift_JIS.
    code = PARSE + "print(parse(document('Shift_JIS', '㈱', 'cp932')) == '㈱' * 700)"
    assert both("libxml2", lambda preloaded: within_python(code, preloaded)).strip() == "False"
    assert within_python(code, True, TEXTCODEC_ICONV_WHATWG="1").strip() == "True"
    return f"parses {len(TEXTS)} documents, and with the tables of browsers a character of Windows"


def git():
    if not shutil.which("git"):
        return "is not installed"
    identity = {}
    for role in ("AUTHOR", "COMMITTER"):
        identity.update({f"GIT_{role}_NAME": "A", f"GIT_{role}_EMAIL": "a@example.org", f"GIT_{role}_DATE": "1000000000 +0000"})
    identity.update(GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_NOSYSTEM="1")
    rows = [row for row in TEXTS if row[0] != "UTF-16"]

    def commits(preloaded):
        with tempfile.TemporaryDirectory() as folder:
            def call(*arguments, **others):
                return run(["git", *arguments], preloaded, cwd=folder, variables=identity, **others)

            call("init", "--quiet")
            for label, text, codec in rows:
                setting = f"i18n.commitEncoding={label}"
                call("-c", setting, "commit", "--quiet", "--allow-empty", "-F", "-", input=text.encode(codec))
            objects = call("rev-list", "--all")
            assert not preloaded or is_bound(["git", "log", "--encoding=UTF-8"], cwd=folder)
            utf_8 = call("log", "--format=%B", "--encoding=UTF-8").decode()
            others = [call("log", "--format=%s", f"--encoding={label}", "--grep", "no such text") for label, _, _ in rows]
            assert utf_8.split("\n\n")[:-1] == [text for _, text, _ in reversed(rows)], utf_8
            return objects, utf_8, others

    def files(preloaded):
        with tempfile.TemporaryDirectory() as folder:
            def call(*arguments):
                return run(["git", *arguments], preloaded, cwd=folder, variables=identity)

            call("init", "--quiet")
            rules = [f"{label}.txt working-tree-encoding={label}" for label, _, _ in TEXTS]
            Path(folder, ".gitattributes").write_text("\n".join(rules) + "\n")
            for label, text, codec in TEXTS:
                Path(folder, f"{label}.txt").write_bytes((f"{text}\n" * 300).encode(codec))
            call("add", ".")
            call("add", "--renormalize", ".")
            call("commit", "--quiet", "-m", "files")
            blobs = [call("show", f"HEAD:{label}.txt").decode() for label, _, _ in TEXTS]
            assert blobs == [f"{text}\n" * 300 for _, text, _ in TEXTS]
            for label, _, _ in TEXTS:
                Path(folder, f"{label}.txt").unlink()
            call("checkout", "--", ".")
            return blobs, [Path(folder, f"{label}.txt").read_bytes() for label, _, _ in TEXTS]

    both("git", commits)
    both("git", files)
    return f"has equal objects, logs and files in {len(TEXTS)} encodings"


def vim():
    if not shutil.which("vim"):
        return "is not installed"
    rows = [row for row in TEXTS if row[0] != "UTF-16"]

    def edit(preloaded):
        results = []
        with tempfile.TemporaryDirectory() as folder:
            for label, text, codec in rows:
                source, utf_8, back = (Path(folder, name) for name in ("source", "utf_8", "back"))
                source.write_bytes(f"{text}\n".encode(codec) * 50)
                commands = [f"e ++enc={label} {source}", f"w! ++enc=utf-8 {utf_8}", f"w! ++enc={label} {back}", "qa!"]
                command = ["vim", "-es", "-u", "NONE", "-i", "NONE", "--not-a-term", "--cmd", "set encoding=utf-8"]
                run(command + [part for line in commands for part in ("-c", line)], preloaded, stdin=subprocess.DEVNULL)
                results.append((utf_8.read_bytes(), back.read_bytes() == source.read_bytes()))
                assert results[-1] == (f"{text}\n".encode() * 50, True), (label, results[-1])
        return results

    both("vim", edit)
    return f"reads and writes {len(rows)} encodings"


def glib():
    if not ctypes.util.find_library("glib-2.0"):
        return "is not installed"
    code = """
import ctypes, sys
sys.argv = ["", "/dev/null"]
from customers import TEXTS
glib = ctypes.CDLL("libglib-2.0.so.0")
glib.g_convert.restype = ctypes.c_void_p
def convert(bytes, to, source):
    read, written = ctypes.c_size_t(), ctypes.c_size_t()
    result = glib.g_convert(bytes, ctypes.c_ssize_t(len(bytes)), to, source, ctypes.byref(read), ctypes.byref(written), None)
    return result and ctypes.string_at(result, written.value)
for label, text, codec in TEXTS:
    text = text * 300
    utf_8 = convert(text.encode(codec), b"UTF-8", label.encode())
    print(utf_8 == text.encode(), convert(text.encode(), label.encode(), b"UTF-8") == text.encode(codec))
print(convert(b"a\\xE2\\x98\\x83", b"ISO-8859-1", b"UTF-8"))
"""
    printed = both("glib", lambda preloaded: within_python(code, preloaded))
    assert printed == "True True\n" * len(TEXTS) + "None\n", printed
    return f"converts {len(TEXTS)} encodings both ways"


def rsync():
    if not shutil.which("rsync"):
        return "is not installed"

    def copy(preloaded):
        with tempfile.TemporaryDirectory() as folder:
            source, target = Path(folder, "source"), Path(folder, "target")
            source.mkdir()
            (source / "Grüße.txt").write_text("text")
            # Only a remote copy converts names; the program after -e is the other side.
            shell = Path(folder, "shell")
            shell.write_text('#!/bin/sh\nshift\nexec "$@"\n')
            shell.chmod(0o755)
            run(["rsync", "-r", "--iconv=UTF-8,ISO-8859-1", "-e", str(shell), f"{source}/", f"host:{target}/"], preloaded)
            return os.listdir(os.fsencode(target))

    assert both("rsync", copy) == ["Grüße.txt".encode("latin-1")]
    return "converts the names of files"


PHP = """<?php
foreach (json_decode(getenv("ROWS")) as [$label, $text, $bytes]) {
    $text = str_repeat($text, 300);
    $bytes = str_repeat(base64_decode($bytes), 300);
    $substring = iconv_substr($bytes, 1, 2, $label);
    $header = iconv_mime_encode("Subject", $text, ["input-charset" => "UTF-8", "output-charset" => $label]);
    echo json_encode([
        iconv($label, "UTF-8", $bytes) === $text, iconv("UTF-8", $label, $text) === $bytes,
        iconv_strlen($bytes, $label), bin2hex($substring), iconv_strpos($text, mb(1, $text), 2, "UTF-8"),
        iconv_mime_decode($header, 0, "UTF-8") === "Subject: $text", $header,
    ]), "\\n";
}
function mb($place, $text) { return iconv_substr($text, $place, 1, "UTF-8"); }
echo json_encode([@iconv("UTF-8", "ISO-8859-1", "a\\u{2603}"), iconv("UTF-8", "ASCII//TRANSLIT", "\\u{20AC}")]), "\\n";
"""


def php():
    module = next(iter(sorted(Path("/usr/lib/php").glob("*/iconv.so"))), None)
    if not shutil.which("php") or module is None:
        return "is not installed"
    if not shutil.which("patchelf"):
        return "is not checked without patchelf: PHP loads modules so that preloaded libraries do not reach them"
    # UTF-16 has no marks here: PHP joins pieces that it has converted one by one.
    rows = [(label, text, base64.b64encode(text.encode(codec)).decode()) for label, text, codec in TEXTS[:-1]]
    with tempfile.TemporaryDirectory() as folder:
        relinked = Path(folder, "iconv.so")
        shutil.copy(module, relinked)
        run(["patchelf", "--add-needed", LIBRARY, str(relinked)], False)
        Path(folder, "test.php").write_text(PHP)

        def call(is_relinked, **variables):
            extension = relinked if is_relinked else module
            command = ["php", "-n", "-d", f"extension={extension}", f"{folder}/test.php"]
            return run(command, False, variables={"ROWS": json.dumps(rows), **variables}).decode()

        log = environment(False, LD_DEBUG="bindings", ROWS="[]")
        command = ["php", "-n", "-d", f"extension={relinked}", f"{folder}/test.php"]
        bindings = subprocess.run(command, env=log, capture_output=True).stderr.decode("utf-8", "replace")
        assert any("`iconv_open'" in line and f"to {LIBRARY} " in line for line in bindings.splitlines())
        printed = both("php", call)
        for row, line in zip(rows, printed.splitlines()):
            results = json.loads(line)
            assert results[:3] == [True, True, 300 * len(row[1])] and results[5], (row[0], results)
        assert printed.splitlines()[-1] == '[false,"EUR"]', printed
    return f"converts {len(rows)} encodings both ways, cuts them and writes them into headers, with its module relinked"


def within_terminal(command, preloaded):
    """Runs a program that needs a terminal, for at most a minute."""
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe(command[0], command, environment(preloaded, TERM="xterm"))
    printed = b""
    while select.select([terminal], [], [], 60)[0]:
        try:
            printed += os.read(terminal, 65536)
        except OSError:
            break
    else:
        os.kill(child, 9)
    status = os.waitpid(child, 0)[1]
    assert status == 0, (command, status, printed[-2000:])


def neomutt():
    if not shutil.which("neomutt"):
        return "is not installed"
    rows = TEXTS[:-1]
    mail = []
    for label, text, codec in rows:
        body, subject = (base64.b64encode((text * times).encode(codec)) for times in (30, 1))
        lines = [body[at : at + 76].decode() for at in range(0, len(body), 76)]
        mail += ["From a@example.org Sat Jan  1 00:00:00 2022", "From: a@example.org", "MIME-Version: 1.0"]
        mail += [f"Subject: =?{label}?B?{subject.decode()}?=", f"Content-Type: text/plain; charset={label}"]
        mail += ["Content-Transfer-Encoding: base64", "", *lines, ""]

    def read_and_send(preloaded):
        with tempfile.TemporaryDirectory() as folder:
            box, output, sent = (Path(folder, name) for name in ("box", "output", "sent"))
            box.write_text("\n".join(mail) + "\n")
            settings = ["set charset=utf-8", f"set folder={folder}", f"set header_cache={folder}/none", "set wait_key=no"]
            settings += ["set pipe_decode=yes", f"set sendmail={folder}/send", "set copy=no"]
            Path(folder, "send").write_text(f"#!/bin/sh\ncat >{sent}\n")
            Path(folder, "send").chmod(0o755)
            keys = f"<tag-pattern>~A<enter><tag-prefix><pipe-message>cat >{output}<enter><exit>"
            reading = [part for setting in settings + [f"push '{keys}'"] for part in ("-e", setting)]
            command = ["neomutt", "-n", "-F", "/dev/null"]
            within_terminal([*command, *reading, "-R", "-f", str(box)], preloaded)
            results = [output.read_bytes()]
            assert not preloaded or is_bound([*command, "-e", "set charset=koi8-r", "-Q", "charset"], cwd=folder)
            for label, text, _ in rows:
                sending = [part for setting in [*settings, f"set send_charset={label}"] for part in ("-e", setting)]
                message = {"input": f"{text}\n".encode() * 30}
                run([*command, *sending, "-s", text, "b@example.org"], preloaded, cwd=folder, **message)
                head, body = sent.read_bytes().split(b"\n\n", 1)
                # Times and numbers change.
                kept = [line for line in head.splitlines() if line.startswith((b"Subject:", b"Content-"))]
                results.append((kept, body))
            return results

    results = both("neomutt", read_and_send)
    text = results[0].decode()
    for label, expected, _ in rows:
        assert f"Subject: {expected}\n" in text and expected * 30 in text, (label, text)
    return f"reads messages in {len(rows)} encodings, and writes them"


def python():
    library = ctypes.CDLL(LIBRARY)
    library.iconv_open.restype = ctypes.c_void_p
    library.iconv.argtypes = [ctypes.c_void_p] + [ctypes.c_void_p] * 4
    library.iconv.restype = ctypes.c_size_t
    library.iconv_close.argtypes = [ctypes.c_void_p]
    for label, text, codec in TEXTS:
        descriptor = library.iconv_open(b"UTF-8", label.encode())
        source = ctypes.create_string_buffer(text.encode(codec))
        target = ctypes.create_string_buffer(100)
        start, end = ctypes.c_void_p(ctypes.addressof(source)), ctypes.c_void_p(ctypes.addressof(target))
        left, space = ctypes.c_size_t(len(source) - 1), ctypes.c_size_t(100)
        arguments = [ctypes.byref(argument) for argument in (start, left, end, space)]
        assert library.iconv(descriptor, *arguments) == 0 and left.value == 0
        assert target.raw[: 100 - space.value].decode() == text
        library.iconv_close(descriptor)
    return f"calls the library through ctypes in {len(TEXTS)} encodings"


def main():
    for customer in (libxml2, git, vim, glib, rsync, php, neomutt, python):
        print(f"{customer.__name__} {customer()}")


if __name__ == "__main__":
    main()
