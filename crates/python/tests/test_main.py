import subprocess
import sys

import pytest

import textcodec
from textcodec.__main__ import main


def test_converts_a_file(tmp_path, capfdbinary):
    source, target = tmp_path / "a", tmp_path / "b"
    source.write_bytes("日本☃".encode("utf-8"))
    assert main(["convert", "--from", "utf-8", "--to", "sjis", "--errors", "html", "-o", str(target), str(source)]) == 0
    assert target.read_bytes() == "日本&#9731;".encode("ascii", "ignore") or target.read_bytes() == "日本".encode("shift_jis") + b"&#9731;"
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["a", "b"]


def test_an_output_changes_only_when_all_is_converted(tmp_path, capsys):
    source, target = tmp_path / "a", tmp_path / "b"
    source.write_bytes(b"ab\x82")
    target.write_bytes(b"old")
    assert main(["convert", "--from", "shift_jis", "-o", str(target), str(source)]) == 1
    assert capsys.readouterr().err == f"textcodec: {source}: incomplete sequence at the end: 82 at offset 2\n"
    assert target.read_bytes() == b"old" and len(list(tmp_path.iterdir())) == 2
    assert main(["convert", "--from", "utf-8", str(tmp_path / "none")]) == 1


def test_offsets_count_from_the_start_of_the_file(tmp_path, capsys):
    source = tmp_path / "a"
    source.write_bytes(b"a" * (1 << 20) + "é".encode() * 5 + b"\xffb")
    assert main(["convert", "--from", "utf-8", "-o", str(tmp_path / "b"), str(source)]) == 1
    assert f"malformed sequence: FF at offset {(1 << 20) + 10}" in capsys.readouterr().err


def test_sniffs_and_lists(tmp_path, capsys):
    page, style = tmp_path / "a.html", tmp_path / "a.css"
    page.write_bytes(b"<meta charset=koi8-r>")
    style.write_bytes(b'@charset "gbk";')
    assert main(["sniff", str(page), str(style)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == [f"{page}: KOI8-R, tentative: meta", f"{style}: GBK, certain: at-charset"]
    assert main(["list"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 40


def test_wrong_arguments_have_the_status_2(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["convert", "--from", "latin-1"])
    assert caught.value.code == 2 and "did you mean 'latin1'?" in capsys.readouterr().err


def test_python_m_textcodec_reads_standard_input():
    command = [sys.executable, "-m", "textcodec", "convert", "--from", "koi8-r", "--to", "utf-16le"]
    result = subprocess.run(command, input=b"\xc4\xc1", capture_output=True, check=True)
    assert result.stdout == "да".encode("utf-16le")
    result = subprocess.run([sys.executable, "-m", "textcodec", "--version"], capture_output=True, text=True, check=True)
    assert result.stdout == f"textcodec {textcodec.__version__}\n"
