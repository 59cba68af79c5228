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


@pytest.mark.parametrize("label", ["", "quetzalcoatl", "utf-8" * 1000, "cp1259", "\ud800", "K"])
def test_labels_that_are_not_near_any_are_only_unknown(label):
    with pytest.raises(LookupError, match="unknown encoding label") as caught:
        textcodec.lookup(label)
    assert "mean" not in str(caught.value)


def test_a_label_must_be_a_string():
    with pytest.raises(TypeError, match="must be a label or an Encoding, not bytes"):
        textcodec.lookup(b"utf-8")
