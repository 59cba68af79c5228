"""`python -m textcodec`: the program, called as a user calls it. The program's own tests are in `crates/cli/tests`."""

import os
import signal
import subprocess
import sys
import time

import pytest

import textcodec

PROGRAM = [sys.executable, "-m", "textcodec"]
UNIX = pytest.mark.skipif(os.name != "posix", reason="signals and closed streams of Unix")


def run(*arguments, **options):
    return subprocess.run([*PROGRAM, *arguments], capture_output=True, timeout=60, **options)


def test_converts_a_file(tmp_path):
    source, target = tmp_path / "a", tmp_path / "b"
    source.write_bytes("日本☃".encode())
    assert run("convert", "--from", "utf-8", "--to", "sjis", "--errors", "html", "-o", target, source).returncode == 0
    assert target.read_bytes() == "日本".encode("shift_jis") + b"&#9731;"


def test_reads_standard_input_and_writes_standard_output():
    result = run("convert", "--from", "koi8-r", "--to", "utf-16le", input=b"\xc4\xc1" * 500_000)
    assert (result.returncode, result.stdout, result.stderr) == (0, "да".encode("utf-16le") * 500_000, b"")


def test_has_the_commands_of_the_program(tmp_path):
    page = tmp_path / "a.html"
    page.write_bytes(b"<meta charset=koi8-r>")
    assert b"KOI8-R" in run("sniff", page).stdout
    assert b"Shift_JIS" in run("list").stdout
    assert run("--version").stdout.startswith(f"textcodec {textcodec.__version__}\n".encode())
    assert b"Usage: textcodec [OPTIONS] <COMMAND>" in run("--help").stdout
    assert b"_textcodec" in run("completions", "bash").stdout
    assert run("man", tmp_path).returncode == 0 and (tmp_path / "textcodec.1").exists()


def test_an_output_changes_only_when_all_is_converted(tmp_path):
    source, target = tmp_path / "a", tmp_path / "b"
    source.write_bytes(b"ab\x82")
    target.write_bytes(b"old")
    result = run("convert", "--from", "shift_jis", "--to", "utf-8", "-o", target, source)
    assert result.returncode == 1 and b"82" in result.stderr and os.fsencode(source) in result.stderr
    assert target.read_bytes() == b"old" and len(list(tmp_path.iterdir())) == 2


def test_wrong_arguments_have_the_status_2():
    result = run("convert", "--from", "latin-1", "--to", "utf-8")
    assert result.returncode == 2 and b"latin1" in result.stderr
    assert run("--none").returncode == 2
    assert run("iconv", "--none").returncode == 64


@UNIX
def test_names_of_files_need_not_be_unicode(tmp_path):
    name = os.path.join(os.fsencode(tmp_path), b"caf\xe9")
    try:
        with open(name, "wb") as file:
            file.write(b"\xe9")
    except OSError:
        pytest.skip("the file system takes Unicode names only")
    result = run("convert", "--from", "latin1", "--to", "utf-8", name)
    assert (result.returncode, result.stdout) == (0, "é".encode())


@UNIX
def test_a_reader_that_stops_reading_is_no_error():
    command = [*PROGRAM, "convert", "--from", "latin1", "--to", "utf-8"]
    with open("/dev/zero", "rb") as endless:
        with subprocess.Popen(command, stdin=endless, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
            assert program.stdout.read(10) == bytes(10)
            program.stdout.close()
            assert (program.wait(60), program.stderr.read()) == (0, b"")


@UNIX
def test_closed_standard_streams_are_errors():
    for redirection, message in [(">&-", b"standard output is closed"), ("<&-", b"standard input is closed")]:
        command = f'"$@" convert --from latin1 --to utf-8 {redirection}'
        result = subprocess.run(["sh", "-c", command, "sh", *PROGRAM], input=b"a", capture_output=True, timeout=60)
        assert result.returncode == 1 and message in result.stderr


def with_default_signals():
    """Gives signals their default actions in a child. Under `nohup` or in the background of a script, the tests inherit
    that some are ignored."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


@UNIX
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_program_and_removes_its_temporary_file(tmp_path, number):
    command = [*PROGRAM, "convert", "--from", "latin1", "--to", "utf-8", "-o", tmp_path / "new"]
    pipes = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, preexec_fn=with_default_signals, **pipes) as program:
        program.stdin.write(bytes(1 << 22))
        program.stdin.flush()
        time.sleep(0.2)
        program.send_signal(number)
        assert program.wait(60) == -number
    assert list(tmp_path.iterdir()) == []


@UNIX
def test_an_interrupt_ends_a_program_that_waits_for_input():
    pipes = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([*PROGRAM, "check"], preexec_fn=with_default_signals, **pipes) as program:
        time.sleep(1)
        program.send_signal(signal.SIGINT)
        assert program.wait(60) == -signal.SIGINT
        assert program.stderr.read() == b""


@UNIX
def test_an_interrupt_that_the_caller_ignores_changes_nothing():
    def ignore():
        with_default_signals()
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    command = [*PROGRAM, "convert", "--from", "latin1", "--to", "utf-8"]
    with subprocess.Popen(command, preexec_fn=ignore, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        time.sleep(0.5)
        program.send_signal(signal.SIGINT)
        assert (program.communicate(b"\xe9", 60)[0], program.returncode) == ("é".encode(), 0)
