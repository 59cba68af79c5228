"""The package as a whole: its documentation, its memory and its loading."""

import doctest
import gc
import importlib.util
import os
import subprocess
import sys
import threading
import types
from pathlib import Path

import pytest

import textcodec
from textcodec import _textcodec


def documented():
    """All public objects with docstrings, by name."""
    modules = [module for name, module in sys.modules.items() if name == "textcodec" or name.startswith("textcodec.")]
    for module in modules:
        if module.__name__ == "textcodec._textcodec":
            continue
        yield module.__name__, module
        for name in getattr(module, "__all__", []):
            value = getattr(module, name)
            if isinstance(value, types.ModuleType):
                continue
            yield f"{module.__name__}.{name}", value
            if isinstance(value, type):
                for attribute, member in vars(value).items():
                    if not attribute.startswith("_"):
                        yield f"{module.__name__}.{name}.{attribute}", member


def has_pyarrow():
    return importlib.util.find_spec("pyarrow") is not None


def test_the_examples_in_docstrings_run():
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for name, value in documented():
        text = getattr(value, "__doc__", None) or ""
        if ">>>" in text:
            if "import pyarrow" in text and not has_pyarrow():
                continue
            runner.run(parser.get_doctest(text, {"textcodec": textcodec}, name, None, None))
    assert runner.tries > 10 and runner.failures == 0


def test_the_examples_in_the_readme_run():
    readme = Path(__file__).parent.parent / "README.md"
    if not readme.exists():
        pytest.skip("the tests run without the README")
    if not has_pyarrow():
        pytest.skip("the README has examples with pyarrow")
    examples = doctest.DocTestParser().get_doctest(readme.read_text(encoding="utf-8"), {}, "README.md", None, None)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(examples)
    assert runner.tries > 5 and runner.failures == 0


def test_the_python_example_of_the_projects_readme_runs():
    readme = Path(__file__).parents[3] / "README.md"
    if not readme.exists():
        pytest.skip("the tests run outside of the repository")
    blocks = readme.read_text(encoding="utf-8").split("```python\n")[1:]
    assert len(blocks) == 1
    exec(blocks[0].split("```")[0], {})


def test_every_public_name_has_a_docstring():
    missing = [name for name, value in documented() if callable(value) and not getattr(value, "__doc__", None)]
    assert missing == []


def memory() -> int:
    """The resident memory of the process in bytes."""
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def work_with_columns(rows) -> None:
    """Capsules that nobody takes, results that somebody takes, and errors."""
    array, consume = rows.chunk(0), type(rows.chunk(0))._import_from_c_capsule
    textcodec.arrow.decode(rows, "shift_jis").__arrow_c_stream__()
    textcodec.arrow.detect(array).__arrow_c_array__()
    textcodec.arrow.html(array, guess="detect").__arrow_c_schema__()
    textcodec.arrow.decode(array.dictionary_encode(), "gbk", threads=2)
    consume(*textcodec.arrow.html(array, "gbk").__arrow_c_array__())
    textcodec.arrow.encode(textcodec.arrow.decode(rows, "gbk"), "gbk", "replace")
    for call in (lambda: textcodec.arrow.decode(rows, "shift_jis", "strict"), lambda: textcodec.arrow.encode(rows, "gbk"), lambda: textcodec.arrow.decode(array, rows)):
        with pytest.raises((UnicodeDecodeError, TypeError)):
            call()


def work() -> None:
    data = b"abc\x82\xff" * 50
    textcodec.decode(data, "shift_jis")
    textcodec.decode(bytearray(data), "shift_jis", "backslashreplace")
    textcodec.encode("日本☃" * 50, "shift_jis", "namereplace")
    textcodec.html(b"<p>\xcf", guess=lambda data: "koi8-r")
    textcodec.xhr(bytearray(data), content_type="text/plain; charset=gbk")
    textcodec.html(b"<p>\xcf", guess="detect")
    detector = textcodec.Detector(among=["utf-8", "koi8-r"], language="ru")
    detector.feed(data)
    repr((detector.best_so_far().candidates, detector.finish().evidence))
    stream = textcodec.ContextDecoder("css", environment="gbk", guess=lambda data: None)
    stream.decode(data[:3])
    stream.decode(data[3:], True)
    incremental = textcodec.IncrementalDecoder("iso-2022-jp", "backslashreplace")
    incremental.decode(b"a\x1b$B\x30")
    incremental.setstate(incremental.getstate())
    textcodec.IncrementalEncoder("iso-2022-jp", "namereplace").encode("日☃")
    textcodec.url.urlencode([("имя", "☃")], "koi8-r")
    data.decode("whatwg-euc-kr", "replace")
    textcodec.check(data, "auto", to="cp437")
    textcodec.decode(data, errors="backslashreplace", charset="exact-us-ascii")
    textcodec.encode("½☃", errors="namereplace", charset=textcodec.Charset("cp437"))
    textcodec.IncrementalDecoder(charset="utf-7").decode(b"+AOk")
    textcodec.repair("cafÃ©\n" * 10, encodings=["latin1", "cp437"])
    textcodec.transliterate("… Ł", "cp850")
    for call in (
        lambda: textcodec.lookup("no label"),
        lambda: textcodec.decode(data, "shift_jis", "strict"),
        lambda: textcodec.encode("☃", "shift_jis"),
        lambda: textcodec.decode(3, "shift_jis"),
        lambda: textcodec.Charset("cp278"),
        lambda: textcodec.check(data, "no label"),
        lambda: textcodec.repair(data, mixed="utf-8"),
    ):
        with pytest.raises((LookupError, UnicodeError, TypeError)):
            call()


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="the memory is read from /proc")
def test_no_call_leaks_memory():
    textcodec.register()
    rows = None
    if has_pyarrow():
        import pyarrow

        rows = pyarrow.chunked_array([[b"abc\x82\xff", None, b"\xc4\xe3"], [b"a"]], pyarrow.binary())
    growths = []
    for _ in range(6):
        before, blocks = memory(), sys.getallocatedblocks()
        for number in range(1000):
            work()
            if rows is not None and number % 2 == 0:
                work_with_columns(rows)
        gc.collect()
        growths.append((memory() - before, sys.getallocatedblocks() - blocks))
    # A lost object would cost 1000 blocks in every round, and lost memory of Rust, 64 bytes each, 64 KB in every round.
    assert min(bytes for bytes, _ in growths) < 30_000, growths
    assert min(blocks for _, blocks in growths) < 300, growths


def run(code: str, **environment: str) -> str:
    """The output of a program."""
    environment = {**os.environ, **environment}
    result = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_the_stable_interface_alone_gives_the_same_results():
    code = """
import textcodec
from textcodec import _textcodec
texts = ["", "a" * 100, "é" * 100, "я日" * 100, "a😀" * 100, "é" * 10]
for text in texts:
    for encoding in ("utf-8", "utf-16le", "gb18030"):
        for kind in (bytes, bytearray, memoryview):
            assert textcodec.decode(kind(text.encode(encoding)), encoding).text == text
for wrong in ("a", [1, 2], 3, memoryview(b"a b c")[::2]):
    try:
        textcodec.decode(wrong, "utf-8")
    except (TypeError, BufferError) as error:
        print(type(error).__name__, end=" ")
"""
    assert run(code, TEXTCODEC_ONLY_STABLE_ABI="1").split() == ["TypeError"] * 3 + ["BufferError"]
    assert run(code).split() == ["TypeError"] * 3 + ["BufferError"]


def test_threads_share_objects():
    """On a build without the global interpreter lock, the threads run at the same time."""
    data = ("日本語のテキスト。" * 300).encode("cp932") + b"\x82\xff"
    expected, changing = textcodec.decode(data, "sjis"), bytearray(data)
    decoder, failures = textcodec.IncrementalDecoder("sjis"), []

    def work():
        try:
            for _ in range(300):
                assert textcodec.decode(data, "sjis") == expected
                assert len(textcodec.decode(changing, "sjis").text) > 0
                assert textcodec.lookup("sjis").encode("日本") == "日本".encode("cp932")
                assert textcodec.html(b"<meta charset=sjis>" + data[:200]).encoding.name == "Shift_JIS"
                with pytest.raises(UnicodeDecodeError):
                    textcodec.decode(data, "sjis", "strict")
                try:
                    decoder.decode(data[:101])
                except RuntimeError:
                    pass  # Another thread is in the same decoder.
        except BaseException as error:
            failures.append(error)

    def change():
        for number in range(3000):
            changing[number % 1000] = number % 256

    threads = [threading.Thread(target=target) for target in (work, work, work, change)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_a_second_interpreter_in_the_process_is_refused():
    code = """
import importlib, textcodec
for name in ("_interpreters", "_xxsubinterpreters"):
    try:
        interpreters = importlib.import_module(name)
    except ImportError:
        continue
    break
interpreter = interpreters.create()
program = '''
try:
    import textcodec
except ImportError as error:
    print("refused:", error)
else:
    print("loaded")
'''
interpreters.run_string(interpreter, program)
"""
    assert "refused" in run(code)


def test_a_panic_is_an_ordinary_exception(capfd):
    with pytest.raises(Exception, match="^only a test$") as caught:
        _textcodec._panic("only a test")
    assert isinstance(caught.value, RuntimeError)
    assert "only a test" in capfd.readouterr().err
    assert textcodec.decode(b"a", "gbk").text == "a"


def test_the_small_package_says_which_package_has_arrow_and_the_program():
    # The small package has the same Python half, over a native half without these functions.
    script = """
import importlib.machinery, sys

class WithoutExtras(importlib.machinery.PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        spec = super().find_spec(name, path, target)
        if name == "textcodec._textcodec":
            load = spec.loader.exec_module
            def exec_module(module):
                load(module)
                del module._arrow_decode, module._program
            spec.loader.exec_module = exec_module
        return spec

sys.meta_path.insert(0, WithoutExtras)
from textcodec import *
import textcodec
assert "arrow" not in textcodec.__all__ and "arrow" not in globals() and not hasattr(textcodec, "arrow")
assert decode(b"caf\\xe9", "latin1").text == "caf\\xe9"
try:
    import textcodec.arrow
except ImportError as error:
    print(error)
import textcodec.__main__
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    lines = (done.stdout + done.stderr).splitlines()
    expected = "textcodec-small has no {}; install the package textcodec in its place"
    assert lines == [expected.format("columns of Arrow"), expected.format("program")] and done.returncode == 1


def test_every_public_name_of_the_package_is_in_its_list():
    modules = {name for name, value in vars(textcodec).items() if isinstance(value, types.ModuleType)} - {"arrow", "url"}
    public = {name for name in vars(textcodec) if not name.startswith("_")} - modules
    assert set(textcodec.__all__) == public | {"__version__"} and len(textcodec.__all__) == len(set(textcodec.__all__))
    # The native half has the same classes and functions, and those of columns.
    native = {name for name, value in vars(_textcodec).items() if not name.startswith("_") and name not in vars(textcodec)}
    assert native == {"Array", "ChunkedArray", "Codec", *textcodec.url.__all__}
