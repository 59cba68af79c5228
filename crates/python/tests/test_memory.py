"""Memory that the system does not give is a MemoryError, as everywhere in Python, and does not end the process."""

import subprocess
import sys

import pytest

SCRIPT = """
import codecs, resource, sys
import textcodec
latin, pairs, text, emoji = b"\\xe9" * MB, b"\\xc4\\xe3" * (MB // 2), "\\xe9" * MB, "a\\U0001f600" * (MB // 2)
# Characters that become up to eight times as many bytes.
snow, once = "\\u2603" * (MB // 4), "\\u2603" + "\\xe9" * (MB // 2)
codecs.register_error("long", lambda error: (text, error.end))
codecs.register_error("bytes", lambda error: (latin, error.end))
call = lambda: eval(sys.argv[1])
with open("/proc/self/statm") as file:
    pages = int(file.read().split()[0])
answers = set()
for more in range(0, 20 * MB, 2 * MB):
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + more, resource.RLIM_INFINITY))
    try:
        call()
        answers.add("done")
        break
    except MemoryError:
        answers.add("MemoryError")
print(*sorted(answers))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are Linux's")
@pytest.mark.parametrize(
    "call",
    [
        'textcodec.decode(latin, "windows-1252")',
        'textcodec.decode(bytearray(latin), "koi8-r", "ignore")',
        'textcodec.decode(pairs * 4, "gbk", threads=2)',
        'textcodec.encode(text, "windows-1252")',
        'textcodec.encode(emoji, "utf-8")',
        'textcodec.encode(text + "\\ud800", "windows-1252", "ignore")',
        'textcodec.encode(snow, "windows-1252", "xmlcharrefreplace")',
        'textcodec.encode(snow, "iso-2022-jp", "xmlcharrefreplace")',
        'textcodec.encode(snow[: MB // 8], charset="cp437", errors="xmlcharrefreplace")',
        'textcodec.encode(once, "windows-1252", "long")',
        'textcodec.encode(once + "\\ud800", "windows-1252", "bytes")',
        'textcodec.IncrementalEncoder("koi8-r", "xmlcharrefreplace").encode(snow)',
    ],
)
def test_memory_that_the_system_does_not_give_raises_memory_error(call):
    script = SCRIPT.replace("MB", str(2 << 20))
    result = subprocess.run([sys.executable, "-c", script, call.replace("MB", str(2 << 20))], capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (0, "MemoryError done\n"), result.stderr
