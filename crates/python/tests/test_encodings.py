import copy
import pickle

import pytest

import textcodec


def test_all_encodings_and_labels_of_the_standard_are_known():
    assert len(textcodec.ENCODINGS) == 40
    labels = [label for encoding in textcodec.ENCODINGS for label in encoding.labels]
    assert len(labels) == len(set(labels)) == 228
    for encoding in textcodec.ENCODINGS:
        assert all(textcodec.lookup(label) is encoding for label in encoding.labels)
        assert textcodec.lookup(f"\t{encoding.labels[0].upper()} ") is encoding
        assert textcodec.lookup(encoding) is encoding


def test_an_encoding_knows_its_facts():
    encoding = textcodec.lookup("latin1")
    assert (encoding.name, str(encoding), repr(encoding)) == ("windows-1252", "windows-1252", "<textcodec.Encoding windows-1252>")
    assert encoding.is_single_byte and encoding.is_ascii_compatible and not encoding.can_encode_everything
    assert encoding.bom is None and encoding.output_encoding is encoding
    utf_16 = textcodec.lookup("utf-16")
    assert utf_16.name == "UTF-16LE" and utf_16.bom == b"\xff\xfe"
    assert utf_16.can_encode_everything and utf_16.output_encoding is textcodec.lookup("utf-8")
    assert not textcodec.lookup("iso-2022-jp").is_ascii_compatible
    assert not textcodec.lookup("replacement").can_encode_everything


def test_an_encoding_is_pickled_and_copied_as_itself():
    for encoding in textcodec.ENCODINGS:
        assert pickle.loads(pickle.dumps(encoding)) is encoding
        assert copy.deepcopy(encoding) is encoding


@pytest.mark.parametrize(
    ("label", "nearest"),
    [("latin-1", "latin1"), ("utf_8", "utf-8"), ("windows1251", "windows-1251"), ("ShiftJIS", "shift_jis")],
)
def test_an_unknown_label_names_the_nearest(label, nearest):
    with pytest.raises(LookupError, match=f"unknown encoding label: {label!r}; did you mean .*'{nearest}'"):
        textcodec.lookup(label)


@pytest.mark.parametrize(
    ("label", "hint"),
    [
        ("cp932", "did you mean 'windows-31j'?"),
        ("cp949", "did you mean 'windows-949'?"),
        ("CP65001", "did you mean 'utf-8'?"),
        ("65001", "did you mean 'utf-8'?"),
        ("utf8mb4", "did you mean 'utf-8'?"),
        ("utf_8_sig", "did you mean 'utf-8'?"),
        ("mac_roman", "did you mean 'macintosh'?"),
        ("cp437", "it is a code page of DOS, of which the Standard has only ibm866"),
        ("cp037", "it is a kind of EBCDIC"),
        ("utf-32", "it is UTF-32"),
        ("johab", "it is Johab, an encoding of Korean"),
        ("shift_jis_2004", "it is an encoding of JIS X 0213"),
    ],
)
def test_a_label_of_another_system_is_explained(label, hint):
    with pytest.raises(LookupError) as caught:
        textcodec.lookup(label)
    message, _, charset = str(caught.value).partition("; decode and encode know it as ")
    assert message == f"unknown encoding label: {label!r}; {hint}"
    assert charset in ("", f"charset={label!r}")


@pytest.mark.parametrize(("number", "label"), [(65001, "utf-8"), (932, "windows-31j"), (1252, "windows-1252")])
def test_the_number_of_a_code_page_is_explained(number, label):
    for call in (textcodec.lookup, lambda it: textcodec.decode(b"", it), lambda it: textcodec.encode("", it)):
        with pytest.raises(TypeError, match=f"not int; did you mean '{label}'"):
            call(number)


def test_other_numbers_are_only_no_labels():
    for number in (0, -1, 10**5000, True, 65001.0):
        with pytest.raises(TypeError, match=f"must be a label or an Encoding, not {type(number).__name__}$"):
            textcodec.lookup(number)


@pytest.mark.parametrize("label", ["", "quetzalcoatl", "utf-8" * 1000, "cp1259", "\ud800", "K"])
def test_labels_that_are_not_near_any_are_only_unknown(label):
    with pytest.raises(LookupError, match="unknown encoding label") as caught:
        textcodec.lookup(label)
    assert "mean" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_label_must_be_a_string():
    with pytest.raises(TypeError, match="must be a label or an Encoding, not bytes"):
        textcodec.lookup(b"utf-8")


# Wrong labels, and the nearest labels, of which messages name three at most.
NEAREST = {
    "latin-1": "latin1", "windows1251": "windows-1251", "cp-1252": "windows-1252", "cyrilic": "cyrillic", "koi-r": "koi", "866x": "866",
    "utf_8": "utf8 utf-8", "usascii": "us-ascii ascii", "macintosch": "macintosh csmacintosh", "macos": "mac macintosh",
    "koi8r": "koi8_r koi8-r koi8", "shiftjis": "shift_jis shift-jis csshiftjis", "gb-2312": "gb2312 gb_2312 hz-gb-2312", "utf-16e": "utf-16le utf-16be utf-16",
    # No label is near enough, or only labels with other digits are.
    "hebraic": "", "grecian": "", "roman": "", "windows-125": "", "tis62": "", "latin11": "",
}


def test_a_message_names_the_nearest_labels_the_nearest_first():
    for label, nearest in NEAREST.items():
        *others, last = [f"'{it}'" for it in nearest.split()] or [""]
        question = f"; did you mean {', '.join(others)}{' or ' * bool(others)}{last}?" if nearest else ""
        for call in (textcodec.lookup, lambda it: textcodec.decode(b"", it), lambda it: textcodec.html(b"", default=it)):
            for written in (label, label.upper(), f" {label}\n"):
                with pytest.raises(LookupError) as caught:
                    call(written)
                assert str(caught.value) == f"unknown encoding label: {written!r}{question}"


def test_the_meaning_of_a_label_in_other_systems_does_not_depend_on_its_case_and_space():
    for label, hint in [
        ("cp932", "did you mean 'windows-31j'?"),
        ("cp437", "it is a code page of DOS, of which the Standard has only ibm866; decode and encode know it as charset='cp437'"),
        ("cp037", "it is a kind of EBCDIC; decode and encode know it as charset='cp037'"),
    ]:
        for written in (label, label.upper(), f"\t{label.upper()} \n"):
            with pytest.raises(LookupError) as caught:
                textcodec.lookup(written)
            assert str(caught.value) == f"unknown encoding label: {written!r}; {hint}"
