"""Checks, repairs and transliterations of text."""

import pytest

import textcodec


def rules(*args, **kwargs):
    return [problem.rule for problem in textcodec.check(*args, **kwargs)]


def test_text_without_problems_has_none():
    assert textcodec.check("Grüße\n".encode()) == []
    assert textcodec.check(b"caf\xe9", "latin1") == []
    assert textcodec.check(bytearray(b"abc")) == []


def test_a_problem_has_its_place_and_its_bytes():
    text = "eins\r\nzwei ".encode() + b"\xff\n"
    malformed, newlines = textcodec.check(text)
    assert (malformed.rule, malformed.severity) == ("malformed", "error")
    assert (malformed.line, malformed.column, malformed.offset, malformed.bytes) == (2, 6, 11, b"\xff")
    assert (malformed.encoding, malformed.character, malformed.count) == ("UTF-8", None, None)
    assert malformed.message == "not UTF-8: FF"
    assert str(malformed) == "2:6: error: not UTF-8: FF"
    assert repr(malformed) == "<textcodec.Problem 2:6 error malformed: not UTF-8: FF>"
    assert (newlines.rule, newlines.severity, newlines.count, newlines.bytes) == ("mixed-newlines", "warning", 2, None)
    assert malformed == textcodec.check(text)[0] and malformed != newlines


def test_characters_that_another_encoding_lacks_are_found():
    first, last = textcodec.check("Łódź".encode(), to="cp850")
    assert (first.rule, first.character, first.encoding, first.offset) == ("unmappable", "Ł", "cp850", 0)
    assert (last.character, last.offset) == ("ź", 5)
    problems = textcodec.check("5 € ☃".encode(), to=textcodec.lookup("windows-1252"))
    assert [(p.character, p.column, p.offset) for p in problems] == [("☃", 5, 6)]
    with pytest.raises(ValueError, match="no text can be encoded in utf-7"):
        textcodec.check(b"", to="utf-7")


def test_the_encoding_can_be_found():
    assert rules(b"<meta charset=koi8-r>\xc4\xc1", "auto", kind="html") == []
    assert rules(b"caf\xe9", "auto", kind="text") == ["unknown-encoding"]
    assert rules(b"\xef\xbb\xbfabc", "auto") == ["bom"]
    assert rules(b"\xff\xfea\x00", "latin1") == ["other-bom"]
    assert rules("cafÃ©".encode(), "auto") == ["double-encoding"]


def test_charsets_that_the_standard_does_not_have_are_checked():
    assert textcodec.check(b"Ti\xaang Vi\xaet", "viscii") == []
    assert [problem.rule for problem in textcodec.check(b"\x80", "exact-us-ascii")] == ["malformed"]


def test_wrong_arguments_of_check_are_errors():
    with pytest.raises(TypeError, match="bytes, not str"):
        textcodec.check("text")
    with pytest.raises(LookupError, match="did you mean 'koi8-r'"):
        textcodec.check(b"", "koi-8r")
    with pytest.raises(LookupError, match="a kind of EBCDIC"):
        textcodec.check(b"", "utf-ebcdic")
    with pytest.raises(ValueError, match="kind must be"):
        textcodec.check(b"", "auto", kind="pdf")
    with pytest.raises(TypeError):
        textcodec.check(b"", 3)


def test_long_data_is_checked_without_the_lock():
    data = "Grüße\n".encode() * 50_000 + b"\xff"
    problems = textcodec.check(data)
    assert [problem.rule for problem in problems] == ["malformed", "damaged"]
    assert problems[0].offset == len(data) - 1


@pytest.mark.parametrize(
    ("garbled", "text", "encodings"),
    [
        ("cafÃ©", "café", "windows-1252"),
        ("donâ€™t", "don’t", ["windows-1252", "koi8-r"]),
        ("РџСЂРёРІРµС‚", "Привет", textcodec.lookup("windows-1251")),
        ("caf├⌐", "café", "cp437"),
        ("doesnÃƒÂ¢Ã¢â€šÂ¬Ã¢â€žÂ¢t", "doesn’t", ("latin1",)),
    ],
)
def test_wrong_decodings_are_undone(garbled, text, encodings):
    result = textcodec.repair(garbled, encodings=encodings)
    assert result.text == text == str(result)
    assert (result.lines, result.repaired, result.first_repaired) == (1, 1, 1)


def test_each_line_is_judged_alone():
    text = "Ã¼ber\r\n\nSÓ…\nï¿½\nright: é"
    result = textcodec.repair(text)
    assert result.text == "über\r\n\nSÓ…\n\ufffd\nright: é"
    assert (result.lines, result.repaired, result.lost) == (5, 2, 1)
    assert (result.ambiguous, result.first_ambiguous) == (1, 3)
    assert textcodec.repair("SÓ…", ambiguous=True).text == "SӅ"
    match result:
        case textcodec.Repaired(matched):
            assert matched == result.text


def test_lines_in_several_encodings_are_decoded():
    lines = "é\n".encode() + "é\n".encode("latin1") + "Ã©\n".encode()
    result = textcodec.repair(lines, mixed=["utf-8", "windows-1252"])
    assert result.text == "é\né\nÃ©\n" and result.repaired == 0
    result = textcodec.repair(lines, mixed=["utf-8", "windows-1252"], encodings="windows-1252")
    assert result.text == "é\né\né\n" and result.repaired == 1
    with pytest.raises(UnicodeDecodeError, match="line 2 is in none") as caught:
        textcodec.repair(lines, mixed="utf-8")
    assert (caught.value.start, caught.value.end) == (3, 5)
    with pytest.raises(UnicodeDecodeError) as caught:
        textcodec.repair(lines)
    assert (caught.value.start, caught.value.encoding) == (3, "UTF-8")


def test_a_repair_tells_what_it_has_changed_and_how_sure_it_is():
    result = textcodec.repair("doesnÃ¢â‚¬â„¢t\r\nSÓ…\nIt\x92s Ã©")
    first, second, third = result.changes
    assert (first.line, first.before, first.after, first.made) == (1, "doesnÃ¢â‚¬â„¢t", "doesn’t", True)
    assert str(first) == "1: certain: UTF-8 that was read as windows-1252, 2 times"
    assert [(step.kind, step.was, step.read_as) for step in first.steps] == [("decoding", "UTF-8", "windows-1252")] * 2
    assert (second.certainty, second.made, second.after) == ("ambiguous", False, "SӅ")
    assert repr(second) == "<textcodec.Change 2: ambiguous: UTF-8 that was read as windows-1252 (not made)>"
    assert [str(step) for step in result.steps] == ["UTF-8 that was read as windows-1252"]
    assert (third.line, result.certainty) == (3, "certain")
    assert textcodec.repair("SÓ…", ambiguous=True).certainty == "ambiguous"
    assert (textcodec.repair("right").certainty, textcodec.repair("right").changes) == (None, [])
    (controls,) = textcodec.repair("It\x92s").steps
    assert (controls.kind, controls.was, controls.read_as) == ("controls", None, None)
    assert first == textcodec.repair("doesnÃ¢â‚¬â„¢t").changes[0] and first != second
    match second:
        case textcodec.Change(before, after):
            assert (before, after) == ("SÓ…", "SӅ")


def test_text_of_any_two_encodings_is_repaired():
    garbled = "日本語のテキスト".encode("shift_jis").decode("cp437")
    result = textcodec.repair(garbled, was="shift_jis", read_as="cp437")
    assert (result.text, result.certainty) == ("日本語のテキスト", "likely")
    russian = "Всем привет, меня зовут Александр"
    garbled = russian.encode("windows-1251").decode("windows-1252")
    windows = textcodec.lookup("windows-1251")
    for known in [{"guess": True}, {"was": windows}, {"read_as": "windows-1252"}]:
        result = textcodec.repair(garbled, **known)
        assert result.text == russian, known
        assert [(step.was, step.read_as) for step in result.steps] == [("windows-1251", "windows-1252")]
    # Nothing is found: a guess repairs as without it, and a named encoding repairs nothing.
    assert textcodec.repair("fine é\ncafÃ© ☃ Ã©", guess=True, ambiguous=True).text == "fine é\ncafé ☃ é"
    assert textcodec.repair("Grüße", was="koi8-r").text == "Grüße"
    for wrong in [{"guess": True, "was": "gbk"}, {"encodings": "gbk", "read_as": "gbk"}, {"guess": True, "mixed": "gbk"}]:
        with pytest.raises(ValueError, match="was and read_as, or guess"):
            textcodec.repair("a", **wrong)
    with pytest.raises(ValueError, match="cannot be repaired"):
        textcodec.repair("a", was="gbk", read_as="utf-16le")


def test_what_is_certainly_wrong_is_fixed():
    result = textcodec.fix("\ufeff\ufeffcafÃ©\r\nIt\x92s\r\n.\n\x1a")
    assert result.text == "café\r\nIt’s\r\n.\r\n" == str(result)
    assert result.rules == ["trailing-bytes", "bom", "double-encoding", "control", "mixed-newlines"]
    assert textcodec.fix("\ufeffa\x92\r\n\n", rules=["bom", "control"]).text == "a’\r\n\n"
    fine = textcodec.fix("SÓ… é cafÃ©\n")
    assert (fine.text, fine.rules) == ("SÓ… é cafÃ©\n", [])
    with pytest.raises(ValueError, match='no rule "everything"; there are all, malformed'):
        textcodec.fix("a", rules="everything")
    with pytest.raises(TypeError):
        textcodec.fix(b"a")


def test_a_properties_file_is_in_iso_8859_1_by_definition():
    assert rules(b"a=caf\xe9\n", "auto", kind="properties") == []
    assert rules("a=café\n".encode(), "auto", kind="properties") == []
    assert rules(b"a=caf\xe9 \x93\n", "auto", kind="properties") == ["control"]


def test_wrong_arguments_of_repair_are_errors():
    with pytest.raises(ValueError, match="cannot be repaired"):
        textcodec.repair("a", encodings="utf-16le")
    with pytest.raises(ValueError, match="a str is decoded already"):
        textcodec.repair("a", mixed="utf-8")
    with pytest.raises(ValueError, match="line feed"):
        textcodec.repair(b"a", mixed="cp1047")
    with pytest.raises(LookupError):
        textcodec.repair("a", encodings=["nonsense"])
    with pytest.raises(TypeError):
        textcodec.repair(3)
    with pytest.raises(TypeError):
        textcodec.repair("a", "windows-1252")


def test_characters_like_the_missing_ones_are_written():
    assert textcodec.transliterate("“ǖ” ẞ ℃", "windows-1252") == "“ü” ß °C"
    assert textcodec.transliterate("café — “ё”", textcodec.lookup("windows-1251")) == "cafe — “ё”"
    assert textcodec.transliterate("Москва ☃", "exact-us-ascii") == "Москва ☃"
    assert textcodec.transliterate("", "gbk") == ""
    long = textcodec.transliterate("… " * 100_000, "exact-us-ascii")
    assert long == "... " * 100_000
    with pytest.raises(ValueError, match="no text can be encoded in replacement"):
        textcodec.transliterate("a", "iso-2022-kr")
    with pytest.raises(LookupError):
        textcodec.transliterate("a", "nonsense")


def test_an_error_of_repair_has_its_place_and_its_encodings():
    for data, start, end in [(b"a\xe2\x82", 1, 3), (b"a\xf0\x9f\x92\xff", 1, 4), (b"a\xff", 1, 2), (b"a\xc3", 1, 2)]:
        with pytest.raises(UnicodeDecodeError) as caught:
            textcodec.repair(data)
        error = caught.value
        assert (error.encoding, error.object, error.start, error.end) == ("UTF-8", data, start, end)
        assert error.reason == "malformed sequence (see mixed)"
    data = b"a\n\xe3\x81\n\xff"
    with pytest.raises(UnicodeDecodeError) as caught:
        textcodec.repair(bytearray(data), mixed=["utf-8", textcodec.lookup("euc-jp")])
    error = caught.value
    assert (error.encoding, error.object, error.start, error.end) == ("UTF-8, EUC-JP", data, 2, 5)
    assert error.reason == "line 2 is in none of the encodings of mixed"


def test_each_argument_of_check_reaches_the_search_for_the_encoding():
    page = "é ☃".encode()
    for encoding in ("utf-8", "auto", textcodec.lookup("utf-8")):
        (problem,) = textcodec.check(page, encoding, to="latin1")
        assert (problem.rule, problem.character, problem.encoding, problem.offset) == ("unmappable", "☃", "windows-1252", 3)
    # Each kind has a declaration of its own.
    declarations = {
        "html": b"<meta charset=koi8-r>",
        "xml": b"<?xml version='1.0' encoding='koi8-r'?>",
        "css": b'@charset "koi8-r";',
    }
    for kind, declaration in declarations.items():
        for other in ("html", "xml", "css", "text"):
            found = rules(declaration + b"\xc4\xc1", "auto", kind=other)
            assert (found == []) == (other == kind or (kind, other) == ("xml", "html")), (kind, other)


def test_a_problem_that_is_told_once_has_its_count():
    """The others have a place."""
    problems = textcodec.check(b"\xef\xbb\xbfa\r\nb\nc\r\xef\xbb\xbf\xff\xff \0\0\0")
    many = textcodec.check(b"a\r\nb\n" * 30 + b"\0" * 70)
    assert {problem.rule: problem.count for problem in many} == {"mixed-newlines": 60, "nul": 70}
    counts = {problem.rule: problem.count for problem in problems}
    assert counts == {"bom": None, "malformed": None, "mixed-newlines": 3, "nul": 3, "inner-bom": 1}
    assert all((problem.offset is None) == (problem.count is not None) for problem in problems)


def test_every_way_to_repair_changes_ambiguous_lines_only_if_told():
    text = "SÓ…\ncafÃ© donâ€™t"
    both = {"was": "utf-8", "read_as": "windows-1252"}
    for known in ({}, {"was": "utf-8"}, {"read_as": "windows-1252"}, both, {"guess": True}, {"encodings": "latin1"}):
        left, made = textcodec.repair(text, **known), textcodec.repair(text, ambiguous=True, **known)
        assert (left.text, left.repaired, left.ambiguous, left.first_ambiguous) == ("SÓ…\ncafé don’t", 1, 1, 1), known
        assert (made.text, made.repaired, made.ambiguous, made.first_ambiguous) == ("SӅ\ncafé don’t", 2, 0, None), known
        assert (left.first_repaired, made.first_repaired, left.certainty, made.certainty) == (2, 1, "certain", "ambiguous")


# Lines, how sure their repair is, the repaired line, and the kinds of their steps.
REPAIRS = [
    ("SÓ…", "ambiguous", "SӅ", ["decoding"]),
    ("cafÃ© ☃ Ã©", "ambiguous", "café ☃ é", ["part"]),
    ("Ã©", "certain", "é", ["decoding"]),
    ("SÓ… Ã¼ber", "certain", "SӅ über", ["decoding"]),
    ("doesnÃ¢â‚¬â„¢t", "certain", "doesn’t", ["decoding", "decoding"]),
    ("It\x92s", "certain", "It’s", ["controls"]),
]


def test_each_repair_says_how_sure_it_is_whether_it_is_made_or_not():
    lines = [line for line, *_ in REPAIRS]
    for ambiguous in (False, True):
        result = textcodec.repair("\n".join(["right", *lines]), ambiguous=ambiguous)
        assert len(result.changes) == len(REPAIRS) and result.lines == len(REPAIRS) + 1
        for number, (change, (line, certainty, after, kinds)) in enumerate(zip(result.changes, REPAIRS), 2):
            made = ambiguous or certainty != "ambiguous"
            assert (change.line, change.before, change.after, change.made, change.certainty) == (number, line, after, made, certainty)
            assert [step.kind for step in change.steps] == kinds
            for step in change.steps:
                pair = (None, None) if step.kind == "controls" else ("UTF-8", "windows-1252")
                assert (step.was, step.read_as) == pair and repr(step) == f"<textcodec.Step {step}>"
            assert str(change).startswith(f"{number}: {certainty}: ") and str(change).endswith(" (not made)") == (not made)
            assert repr(change) == f"<textcodec.Change {change}>"
            # The line alone has the same answer.
            (alone,) = textcodec.repair(line, ambiguous=ambiguous).changes
            assert (alone.after, alone.made, alone.certainty, alone.steps) == (after, made, certainty, change.steps)
            whole = textcodec.repair(line, ambiguous=ambiguous)
            assert (whole.text, whole.certainty, whole.repaired, whole.ambiguous) == (after if made else line, certainty if made else None, int(made), int(not made))
            assert whole.steps == ([step for place, step in enumerate(alone.steps) if step not in alone.steps[:place]] if made else [])
        # The least sure of the repairs that were made.
        assert result.certainty == ("ambiguous" if ambiguous else "certain")
        assert (result.repaired, result.first_repaired) == ((6, 2) if ambiguous else (4, 4))
        assert (result.ambiguous, result.first_ambiguous) == ((0, None) if ambiguous else (2, 2))
    garbled = "日本語のテキスト".encode("shift_jis").decode("cp437")
    (likely,) = textcodec.repair(f"Ã©\n{garbled}", was="shift_jis", read_as="cp437").changes
    assert (likely.certainty, likely.line, likely.made) == ("likely", 2, True)
    assert [(step.kind, step.was, step.read_as, str(step)) for step in likely.steps] == [("decoding", "Shift_JIS", "cp437", "Shift_JIS that was read as cp437")]
    assert [str(step) for step in textcodec.repair("cafÃ© ☃ Ã©").changes[0].steps] == ["a part in UTF-8 that was read as windows-1252"]
    assert [str(step) for step in textcodec.repair("It\x92s").steps] == ["control characters for characters of windows-1252"]


def test_results_are_equal_if_all_of_them_is():
    texts = ["", "a", "Ã©", "Ã©\n", "SÓ…", "ï¿½", "It\x92s"]
    for function in (textcodec.repair, textcodec.fix, lambda text: textcodec.check(text.encode())):
        results = [function(text) for text in texts]
        for place, result in enumerate(results):
            assert result == function(texts[place]) and result != 3
            assert [result == other for other in results].count(True) == 1 or isinstance(result, list)
    changes = [change for text in texts for change in textcodec.repair(text).changes]
    steps = [step for change in changes for step in change.steps]
    assert changes[0] == changes[1] != changes[2] and steps[0] == steps[1] != steps[-1] and steps[0] != "Ã©"
    match textcodec.fix("\ufeffa"):
        case textcodec.Fixed(text, rules):
            assert (text, rules) == ("a", ["bom"])


def test_each_rule_has_its_severity_its_place_and_what_it_is_about():
    for data, arguments, rule, severity, place, offset, encoding, found in [
        (b"a\xff", {}, "malformed", "error", (1, 2), 1, "UTF-8", b"\xff"),
        ("é\n☃".encode(), {"to": "latin1"}, "unmappable", "error", (2, 1), 3, "windows-1252", "☃"),
        (b"\xff\xfea\0", {"encoding": "latin1"}, "other-bom", "error", (1, 1), 0, "UTF-16LE", b"\xff\xfe"),
        (b"caf\xe9", {"encoding": "auto", "kind": "text"}, "unknown-encoding", "error", (1, 1), None, None, None),
        (b"a\r\nb\n", {}, "mixed-newlines", "warning", (2, 2), None, None, 2),
        (b"a\0\0", {}, "nul", "warning", (1, 2), None, None, 2),
        ("cafÃ©".encode(), {}, "double-encoding", "warning", (1, 1), None, None, 1),
        (b"a\xef\xbb\xbf", {}, "inner-bom", "warning", (1, 2), None, None, 1),
        ("It\x92s".encode(), {}, "control", "warning", (1, 3), None, None, 1),
        (b"abc\x1a\x1a", {}, "trailing-bytes", "warning", (1, 4), None, None, 2),
        ("\na\ufffd".encode(), {}, "replacement-character", "warning", (2, 2), None, None, 1),
        (b"\xef\xbb\xbfa", {}, "bom", "note", (1, 1), 0, "UTF-8", b"\xef\xbb\xbf"),
    ]:
        (problem,) = textcodec.check(data, **arguments)
        assert (problem.rule, problem.severity, (problem.line, problem.column), problem.offset, problem.encoding) == (rule, severity, place, offset, encoding)
        attributes = [problem.bytes, problem.character, problem.count]
        assert attributes == [found if type(found) is kind else None for kind in (bytes, str, int)], rule
        assert str(problem) == f"{place[0]}:{place[1]}: {severity}: {problem.message}"
        assert repr(problem) == f"<textcodec.Problem {place[0]}:{place[1]} {severity} {rule}: {problem.message}>"
    *_, damaged = textcodec.check("Grüße\n".encode() * 5000 + b"\xff")
    assert (damaged.rule, damaged.severity, damaged.count, damaged.offset) == ("damaged", "error", 1, 40_000)


def test_each_rule_corrects_only_what_it_is_about():
    text = "\ufeffcafÃ©\r\nIt\x92s\ufeff\r\n.\n\x1a\x1a"
    fixed = {
        "bom": text.removeprefix("\ufeff"),
        "inner-bom": text.replace("s\ufeff", "s"),
        "trailing-bytes": text.removesuffix("\x1a\x1a"),
        "double-encoding": text.replace("Ã©", "é"),
        "control": text.replace("\x92", "’"),
        "mixed-newlines": text.replace(".\n", ".\r\n"),
    }
    for rule, expected in fixed.items():
        for rules in (rule, [rule], (rule, rule), iter([rule])):
            result = textcodec.fix(text, rules=rules)
            assert (result.text, result.rules) == (expected, [rule]), rule
            assert repr(result) == f'<textcodec.Fixed {expected!r} rules=["{rule}"]>' and str(result) == expected
        assert textcodec.fix(textcodec.fix(text).text, rules=rule).rules == []
    assert sorted(textcodec.fix(text).rules) == sorted(fixed) == sorted(textcodec.fix(text, rules="all").rules)
    for rules in ([], ()):
        assert textcodec.fix(text, rules=rules).text == text
    for wrong in (3, [3], [None], b"bom"):
        with pytest.raises(TypeError):
            textcodec.fix(text, rules=wrong)


def test_no_encoding_of_mixed_has_another_line_feed():
    for label, name in [("utf-16le", "UTF-16LE"), ("utf-16be", "UTF-16BE"), ("utf-32le", "utf-32le"), ("cp1047", "cp1047"), ("cp037", "cp037")]:
        for mixed in (label, [label], ["utf-8", label], ["utf-8", "koi8-r", label], (label, "utf-8")):
            with pytest.raises(ValueError) as caught:
                textcodec.repair(b"a\n", mixed=mixed)
            assert str(caught.value) == f"lines cannot be in {name}, because its line feed is not the byte 0A"


def test_the_representation_of_a_result_has_its_numbers():
    for lines, numbers in [(["SÓ…"] * 3, (0, 3)), (["Ã©"] * 2, (2, 0)), (["SÓ…", "Ã©", "Ã©", "a"], (2, 1)), (["a", "b"], (0, 0))]:
        result = textcodec.repair("\n".join(lines))
        assert (result.repaired, result.ambiguous) == numbers
        assert repr(result) == f"<textcodec.Repaired {result.text!r} lines={len(lines)} repaired={numbers[0]} ambiguous={numbers[1]}>"


@pytest.mark.parametrize("length", [0, 97, 98, 99, 100, 101, 196, 197, 198, 199, 200, 201, 300])
@pytest.mark.parametrize("letter", ["x", "é", "日", "😀"])
def test_a_message_has_both_ends_of_a_long_text(length, letter):
    text = "".join((letter, "z")[at % 7 == 0] for at in range(length))
    shown = repr(text)
    if len(shown) > 200:
        shown = f"{shown[:100]}…{shown[-100:]}"
    assert repr(textcodec.repair(text)) == f"<textcodec.Repaired {shown} lines={min(length, 1)} repaired=0 ambiguous=0>"
    assert repr(textcodec.fix(text)) == f"<textcodec.Fixed {shown} rules=[]>"
    with pytest.raises(ValueError) as caught:
        textcodec.html(b"", guess=text)
    assert str(caught.value).endswith(f", not {shown}")
    for call in (textcodec.lookup, textcodec.Charset):
        with pytest.raises(LookupError) as caught:
            call(text)
        assert str(caught.value) == f"unknown encoding label: {shown}"


def test_repair_takes_one_way_to_know_the_encodings():
    values = {"encodings": "latin1", "mixed": ["utf-8"], "was": "koi8-r", "read_as": "latin1", "guess": True}
    ways = [set(), {"encodings"}, {"mixed"}, {"encodings", "mixed"}, {"was"}, {"read_as"}, {"was", "read_as"}, {"guess"}]
    for number in range(1 << len(values)):
        names = {name for place, name in enumerate(values) if number >> place & 1}
        call = lambda: textcodec.repair(b"caf\xc3\xa9", **{name: values[name] for name in names})
        if names in ways:
            assert call().text == "café", names
        else:
            with pytest.raises(ValueError, match="^give encodings or mixed, or was and read_as, or guess$"):
                call()
    # An argument that says nothing is none.
    for name in ("guess", "ambiguous"):
        assert textcodec.repair("Ã©", **{name: False}, was=None, read_as=None, encodings=None, mixed=None).text == "é"


@pytest.mark.parametrize("known", [{"was": "koi8-r"}, {"was": "windows-1252"}, {"read_as": "koi8-r"}, {"read_as": "utf-8"}])
def test_a_known_end_that_no_wrong_decoding_of_the_text_has_repairs_nothing(known):
    for text in ["Ã¼ber cafÃ©", "Ã¼ber cafÃ©\nplain\ncafÃ©"]:
        repaired = textcodec.repair(text, **known)
        assert (repaired.text, repaired.steps, repaired.changes) == (text, [], [])
        assert textcodec.repair(text).text == text.encode("latin1").decode()
