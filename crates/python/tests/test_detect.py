import gc
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

import textcodec

RUSSIAN = "Съешь же ещё этих мягких французских булок, да выпей чаю. "
FRENCH = "Le café est fermé à midi, l’hôtel aussi. "
JAPANESE = "日本語の文章を書いたものです。これは試験です。"


@pytest.mark.parametrize(
    ("text", "label", "language"),
    [
        (RUSSIAN, "windows-1251", "ru"),
        (RUSSIAN, "koi8-r", "ru"),
        (RUSSIAN, "x-mac-cyrillic", "ru"),
        (FRENCH, "windows-1252", "fr"),
        (JAPANESE, "shift_jis", "ja"),
        (JAPANESE, "euc-jp", "ja"),
    ],
)
def test_legacy_text_has_an_encoding_a_language_and_a_probability(text, label, language):
    data = textcodec.encode(text, label)
    detection = textcodec.detect(data)
    best = detection.candidates[0]
    assert detection.verdict == "legacy" and detection.encoding is textcodec.lookup(label)
    assert (detection.name, detection.language) == (best.name, best.language) == (detection.encoding.name, language)
    assert 0.5 < detection.probability == best.probability <= 1.0 and best.encoding is detection.encoding
    assert detection.evidence == best.evidence and all(offset < len(data) for offset in detection.evidence)
    assert 0 < len(set(detection.evidence)) <= 8 and (detection.margin is None or detection.margin > 0)
    assert detection.decode(data).text == text and detection.model_version >= 1


def test_candidates_of_one_group_give_the_same_text():
    data = textcodec.encode("Привет", "koi8-r")
    detection = textcodec.detect(data)
    groups = {}
    for candidate in detection.candidates:
        groups.setdefault(candidate.group, []).append(candidate)
    assert list(groups) == sorted(groups) and len(groups) > 1 and len(groups[0]) > 1
    for candidates in groups.values():
        assert len({candidate.encoding.decode(data).text for candidate in candidates}) == 1
        assert len({candidate.probability for candidate in candidates}) == 1
    firsts = [candidates[0] for candidates in groups.values()]
    assert sorted(firsts, key=lambda candidate: -candidate.probability) == firsts
    assert sum(candidate.probability for candidate in firsts) == pytest.approx(1, abs=1e-3)
    assert all(candidate.evidence == () for candidate in detection.candidates[1:])


@pytest.mark.parametrize(
    ("data", "verdict", "name", "others"),
    [
        (b"", "empty", None, {}),
        (b"plain", "ascii", "UTF-8", {}),
        ("naïve café".encode(), "utf-8", "UTF-8", {}),
        ("naïve".encode("utf-8-sig"), "utf-8", "UTF-8", {"has_bom": True}),
        ("café ".encode() * 2000 + b"\xff.", "damaged-utf-8", "UTF-8", {"malformed": 1, "damage": 12_000}),
        ("naïve".encode("utf-16"), "utf-16", "UTF-16LE", {"has_bom": True}),
        (RUSSIAN.encode("utf-16-be"), "utf-16", "UTF-16BE", {}),
        (RUSSIAN.encode("utf-32"), "utf-32", "UTF-32LE", {"has_bom": True}),
        (JAPANESE.encode("iso2022-jp"), "iso-2022", "ISO-2022-JP", {}),
        ("这是一个句子".encode("hz"), "hz", "HZ", {}),
        (b"\x1b$)A\x0e<:Ky\x0f", "iso-2022", "ISO-2022-CN", {}),
        (b"line one\r\nl\0i\0n\0e\0 \0t\0w\0o\0\r\0\n\0", "mixed", None, {"damage": 10}),
        (b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1", "binary", None, {"kind": "jpeg"}),
        (bytes(range(32)) * 20, "binary", None, {"kind": "other"}),
    ],
)
def test_text_that_is_not_legacy_has_a_verdict(data, verdict, name, others):
    detection = textcodec.detect(data)
    expected = {"has_bom": False, "malformed": None, "damage": None, "kind": None, **others}
    assert (detection.verdict, detection.name) == (verdict, name)
    assert {name: getattr(detection, name) for name in expected} == expected
    in_standard = name is not None and not name.startswith("UTF-32") and name not in ("HZ", "ISO-2022-CN")
    assert (detection.encoding is not None) == in_standard
    assert (detection.probability == 0.0) == (name is None)


def test_options_are_orders_or_evidence():
    data = textcodec.encode("Žluťoučký kůň", "windows-1250")
    only = textcodec.detect(data, among=["windows-1252", textcodec.lookup("iso-8859-2")])
    assert {candidate.name for candidate in only.candidates} == {"windows-1252", "ISO-8859-2"}
    assert textcodec.detect(data, among="koi8-r").encoding.name == "KOI8-R"
    best = textcodec.detect(data)
    others = textcodec.detect(data, exclude=best.encoding)
    assert best.name not in {candidate.name for candidate in others.candidates}
    # Evidence changes probabilities. What names no known language, domain or encoding changes nothing.
    data = textcodec.encode("le café naïve", "windows-1252")
    margin = textcodec.detect(data).margin
    assert margin == textcodec.detect(data, language="tlh", top_level_domain=["xn--zz"], declared="no label").margin
    for evidence in (
        {"language": "fr"},
        {"language": ("tlh", "fr")},
        {"top_level_domain": ".fr"},
        {"declared": "windows-1252"},
        {"declared": [textcodec.lookup("latin1")]},
    ):
        assert textcodec.detect(data, **evidence).margin > margin, evidence
    names = {platform: textcodec.detect(b"\xe9", platform=platform) for platform in ("windows", "mac", "unix", "dos")}
    assert len({str(detection.candidates) for detection in names.values()}) == 4


def test_charsets_of_tiers_compete_where_they_are_named():
    czech = "Příliš žluťoučký kůň úpěl ďábelské ódy, a nikdo ho neslyšel.\n"
    german = "Grüße aus München, wo das Wetter schön ist.\nÜbermorgen fahren wir nach Köln.\n"
    for text, codec, name, tiers in (
        (czech, "cp852", "IBM852", "dos"),
        (czech, "cp852", "IBM852", ["mac", "dos"]),
        (german, "cp273", "IBM273", ("ebcdic",)),
        ("한글 맞춤법은 표준어를 소리대로 적되, 어법에 맞도록 함을 원칙으로 한다.\n", "johab", "JOHAB", "johab"),
    ):
        data = text.encode(codec)
        assert name not in {candidate.name for candidate in textcodec.detect(data).candidates}
        detection = textcodec.detect(data, tiers=tiers)
        assert (detection.name, detection.decode(data).text) == (name, text)
        detector = textcodec.Detector(tiers=tiers)
        detector.feed(data)
        assert detector.finish() == detection
    for tiers, error, message in (
        ("cp437", ValueError, "a tier must be 'dos', 'mac', 'ebcdic', 'johab' or 'vietnamese', not \"cp437\""),
        (3, TypeError, "tiers must be a str or an iterable of str"),
    ):
        with pytest.raises(error, match=message):
            textcodec.detect(b"", tiers=tiers)


def test_a_text_can_be_a_part():
    data = "日本語".encode()[1:]
    certain = textcodec.detect(data[:2] + b"!", starts_mid_stream=True)
    assert certain != textcodec.detect(data[:2] + b"!")
    assert textcodec.detect(b"a\xc3", ends_mid_stream=True) != textcodec.detect(b"a\xc3")


def test_wrong_arguments_are_errors_that_say_what_is_right():
    with pytest.raises(LookupError, match="'windows1252a'; did you mean"):
        textcodec.detect(b"", among=["windows1252a"])
    with pytest.raises(LookupError, match="unknown encoding label: 'cp437'; it is a code page of DOS"):
        textcodec.detect(b"", exclude="cp437")
    with pytest.raises(ValueError, match="among must name an encoding at least"):
        textcodec.detect(b"", among=[])
    with pytest.raises(ValueError, match="platform must be 'windows', 'mac', 'unix' or 'dos', not \"beos\""):
        textcodec.detect(b"", platform="beos")
    for name in ("language", "top_level_domain"):
        with pytest.raises(TypeError, match=f"{name} must be a str or an iterable of str"):
            textcodec.detect(b"", **{name: 3})
        with pytest.raises(TypeError, match=f"{name} must be a str or an iterable of str"):
            textcodec.detect(b"", **{name: [b"de"]})
    with pytest.raises(TypeError, match="detect takes bytes, not str"):
        textcodec.detect("text")
    with pytest.raises(TypeError):
        textcodec.detect(3)
    with pytest.raises(TypeError):
        textcodec.detect(b"", ["koi8-r"])


def test_decode_without_an_encoding_is_an_error_that_says_why():
    with pytest.raises(LookupError, match="no encoding was detected: the verdict is binary"):
        textcodec.detect(b"\x89PNG\r\n\x1a\n").decode(b"")
    data = b"\x1b$)A\x0e<:Ky\x0f"
    assert textcodec.detect(data).decode(data).text == "己所"
    for encoding in ("hz", "iso2022_kr"):
        data = "中文".encode(encoding)
        assert textcodec.detect(data).decode(data).text == "中文"
    with pytest.raises(UnicodeDecodeError):
        textcodec.detect("naïve café".encode()).decode(b"\xff", "strict")


def test_the_representation_has_what_matters():
    data = textcodec.encode(RUSSIAN, "koi8-r")
    detection = textcodec.detect(data)
    assert repr(detection).startswith("<textcodec.Detection legacy: KOI8-R, Russian, probability 0.9")
    assert repr(detection.candidates[1]).endswith(", group 0>") and "KOI8-U" in repr(detection.candidates[1])
    assert repr(textcodec.detect(b"")) == "<textcodec.Detection empty>"
    assert repr(textcodec.detect(b"%PDF-1.7\n")) == "<textcodec.Detection binary: pdf>"


@given(data=st.binary(max_size=80), cuts=st.lists(st.integers(0, 80), max_size=4), text=st.sampled_from([RUSSIAN, FRENCH]))
def test_the_pieces_do_not_matter(data, cuts, text):
    data = textcodec.encode(text, "windows-1251", "ignore") + data
    detector = textcodec.Detector(language="bg")
    ends = [*sorted(cuts), len(data)]
    for start, end in zip([0, *ends], ends):
        detector.feed(memoryview(data)[start:end])
    assert detector.best_so_far() == textcodec.detect(data, language="bg", ends_mid_stream=True)
    assert detector.finish() == textcodec.detect(bytearray(data), language="bg")


def test_a_detector_ends_and_begins_another_text():
    detector = textcodec.Detector(among=["utf-8", "koi8-r"])
    detector.feed("é".encode())
    assert detector.finish().name == "UTF-8"
    for call in (lambda: detector.feed(b""), detector.best_so_far, detector.finish):
        with pytest.raises(ValueError, match="reset\\(\\) begins another one"):
            call()
    detector.reset()
    detector.feed(textcodec.encode(RUSSIAN, "koi8-r"))
    assert detector.best_so_far().name == detector.finish().name == "KOI8-R"


def test_other_threads_run_while_a_long_text_is_looked_at():
    data = textcodec.encode(RUSSIAN, "koi8-r") * 2000
    counts, is_over = [0], threading.Event()
    detector = textcodec.Detector()

    def count():
        while not is_over.is_set():
            counts[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    for _ in range(20):
        detector.feed(data)
        assert textcodec.detect(data).name == "KOI8-R"
    is_over.set()
    thread.join()
    assert counts[0] > 20 and detector.finish().name == "KOI8-R"


def test_a_detector_belongs_to_one_thread_at_a_time():
    detector, data = textcodec.Detector(), textcodec.encode(RUSSIAN, "koi8-r") * 20_000
    refused = []

    def feed():
        for _ in range(5):
            try:
                detector.feed(data)
            except RuntimeError as error:
                refused.append(str(error))

    threads = [threading.Thread(target=feed) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all("it belongs to one thread at a time" in message for message in refused)
    assert detector.finish().name == "KOI8-R"


def test_detection_objects_free_their_memory():
    data = textcodec.encode(RUSSIAN, "koi8-r")
    gc.collect()

    def number():
        return sum(isinstance(object, textcodec.Detection) for object in gc.get_objects())

    # Other tests keep some.
    before = number()
    for _ in range(3):
        textcodec.detect(data).candidates
    assert number() == before


def test_each_option_means_the_same_in_a_detector_also_after_reset():
    late, early = b"\xfa\x96\x7b\x8c\xea", b"\x93\xfa\x96\x7b\x8c\xea\x82\xcc\x83\x65\x83\x4c\x83\x58\x83"
    koi8 = textcodec.encode("Привет", "koi8-r")
    cases = [
        ({"among": ["ibm866", "koi8-u"]}, koi8),
        ({"exclude": ["koi8-r", "koi8-u"]}, koi8),
        ({"language": "bg"}, koi8),
        ({"top_level_domain": "bg"}, koi8),
        ({"platform": "dos"}, textcodec.encode("Привет", "ibm866")),
        ({"declared": "koi8-u"}, koi8),
        ({"tiers": "dos"}, "Žluťoučký kůň".encode("cp852")),
        ({"starts_mid_stream": True}, late),
        ({"ends_mid_stream": True}, early),
    ]
    for options, data in cases:
        expected = textcodec.detect(data, **options)
        assert expected != textcodec.detect(data), options
        detector = textcodec.Detector(**options)
        for _ in range(2):
            detector.feed(data)
            assert detector.finish() == expected, options
            detector.reset()
        if "mid_stream" in str(options):
            (other,) = {"starts_mid_stream", "ends_mid_stream"} - set(options)
            assert expected != textcodec.detect(data, **{other: True})


def test_a_detected_text_is_decoded_with_the_error_handler():
    for codec in ("utf-8", "utf-8-sig", "utf-32", "utf-32-be", "utf-7", "koi8-r", "cp932"):
        text = "日本語の文章" if codec == "cp932" else "Привет, как дела?"
        data = (text * 3).encode(codec)
        found = textcodec.detect(data)
        wrong = data + (b"+/" if codec == "utf-7" else b"\xff\xff\xff\xff" if codec.startswith("utf-32") else b"\x82" if codec == "cp932" else b"\xff")
        if codec == "koi8-r":
            continue
        assert found.decode(data, errors="strict").text == text * 3
        assert found.decode(wrong).text.startswith(text * 3) and found.decode(wrong).had_errors
        assert found.decode(wrong, "ignore").text == text * 3, codec
        with pytest.raises(UnicodeDecodeError):
            found.decode(wrong, errors="strict")


def test_every_element_of_a_list_counts():
    koi8, cafe = textcodec.encode("Привет", "koi8-r"), b"le caf\xe9 na\xefve"
    for name, first, second, data in [
        ("among", "ibm866", "koi8-u", koi8),
        ("exclude", "gbk", "koi8-r", koi8),
        ("language", "tlh", "bg", koi8),
        ("top_level_domain", "xn--zz", "fr", cafe),
        ("declared", "no label", "koi8-u", koi8),
        ("tiers", "johab", "dos", "Žluťoučký kůň úpěl".encode("cp852")),
    ]:
        one, both = textcodec.detect(data, **{name: first}), textcodec.detect(data, **{name: [first, second]})
        assert one != both == textcodec.detect(data, **{name: iter((first, second))}), name
        assert textcodec.detect(data, **{name: (second, first)}) == both, name


def test_each_tier_has_charsets_of_its_own():
    czech, german = "Příliš žluťoučký kůň úpěl ďábelské ódy, a nikdo ho neslyšel.\n", "Grüße aus München, wo das Wetter schön ist.\n" * 2
    vietnamese = "Tiếng Việt là ngôn ngữ của người Việt và là ngôn ngữ chính thức tại Việt Nam. " * 2
    texts = {
        "dos": (czech.encode("cp852"), "IBM852"),
        "mac": (czech.encode("mac-latin2"), "MAC-CENTRALEUROPE"),
        "ebcdic": (german.encode("cp273"), "IBM273"),
        "johab": ("한글 맞춤법은 표준어를 소리대로 적되, 어법에 맞도록 함을 원칙으로 한다.\n".encode("johab"), "JOHAB"),
        "vietnamese": (textcodec.encode(vietnamese, charset="viscii", errors="ignore"), "VISCII"),
    }
    for tier, (data, name) in texts.items():
        for other in texts:
            assert (textcodec.detect(data, tiers=other).name == name) == (other == tier), (tier, other)


# A text in a legacy encoding for each language, by its code, and the name of the language.
LANGUAGES = {
    "ar": ("Arabic", "windows-1256", "صباح الخير يا صديقي العزيز كيف حالك اليوم"),
    "bg": ("Bulgarian", "windows-1251", "Добро утро, как сте днес? Времето е хубаво и слънчево."),
    "cs": ("Czech", "windows-1250", "Příliš žluťoučký kůň úpěl ďábelské ódy"),
    "da": ("Danish", "windows-1252", "Rødgrød med fløde på en sommerdag i København"),
    "de": ("German", "windows-1252", "Grüße aus München, schöne Straße"),
    "el": ("Greek", "windows-1253", "Καλημέρα, πώς είστε σήμερα; Ο καιρός είναι καλός."),
    "es": ("Spanish", "windows-1252", "El niño pequeño comió mañana en la montaña con mamá, ¿qué pasó después?"),
    "et": ("Estonian", "windows-1257", "Täna õhtul läheme sõbraga väljasõidule, öö on külm"),
    "fi": ("Finnish", "windows-1252", "Hyvää päivää, tänään on kaunis sää ja lähdemme töihin"),
    "fr": ("French", "windows-1252", "Le café est fermé à midi, l’hôtel aussi."),
    "he": ("Hebrew", "windows-1255", "בוקר טוב, מה שלומך היום? מזג האוויר נאה"),
    "hu": ("Hungarian", "windows-1250", "Jó reggelt, hogy vagy ma? Szép időnk van, őszintén"),
    "is": ("Icelandic", "windows-1252", "Góðan daginn, hvernig hefurðu það í dag? Þetta er ágætt"),
    "it": ("Italian", "windows-1252", "Perché la città è più bella così, e la verità è già là"),
    "ja": ("Japanese", "euc-jp", "日本語の文章を書いたものです。"),
    "ko": ("Korean", "euc-kr", "오래된 문서는 다른 부호로 쓰여 있습니다."),
    "lt": ("Lithuanian", "windows-1257", "Labas rytas, kaip šiandien sekasi? Žmonės džiaugiasi, ąžuolas"),
    "lv": ("Latvian", "windows-1257", "Labrīt, kā tev šodien klājas? Laiks ir jauks un saulains, ļoti"),
    "nl": ("Dutch", "windows-1252", "De coördinatie van de geïnteresseerde reünie, één café"),
    "pl": ("Polish", "windows-1250", "Zażółć gęślą jaźń, wszystko będzie dobrze"),
    "pt": ("Portuguese", "windows-1252", "Não há ninguém aqui, então a situação é mais difícil do que você imaginação"),
    "ro": ("Romanian", "iso-8859-16", "Bună dimineața, ce mai faci astăzi? Îmi pare bine"),
    "ru": ("Russian", "koi8-r", RUSSIAN),
    "sr": ("Serbian", "windows-1251", "Добро јутро, како сте данас? Љубав и њихова ђаци"),
    "sv": ("Swedish", "windows-1252", "God morgon, hur mår du i dag? Vädret är fint på ön"),
    "th": ("Thai", "windows-874", "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า กว่าบรรดาฝูงสัตว์เดรัจฉาน"),
    "tr": ("Turkish", "windows-1254", "Pijamalı hasta yağız şoföre çabucak güvendi"),
    "uk": ("Ukrainian", "windows-1251", "Щебетала пташечка під моїм віконцем, ґанок і їжак"),
    "vi": ("Vietnamese", "windows-1258", "Tiếng Việt là ngôn ngữ của người Việt"),
    "zh-Hans": ("Chinese (simplified)", "gbk", "这是一个用简体中文写成的句子。我们今天去学校。"),
    "zh-Hant": ("Chinese (traditional)", "big5", "這是一個用繁體中文寫成的句子。我們今天去學校。"),
}


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_language_has_its_code_and_its_name_in_each_answer(code):
    name, label, text = LANGUAGES[code]
    data = textcodec.encode(text, label, "ignore")
    detection = textcodec.detect(data)
    best = detection.candidates[0]
    assert (detection.language, detection.language_name, best.language, best.language_name) == (code, name) * 2
    assert f", {name}, probability " in repr(detection) and f", {name}, probability " in repr(best)
    names = {code: name for code, (name, *_) in LANGUAGES.items()} | {"ca": "Catalan"}
    for candidate in detection.candidates:
        assert candidate.language_name == names.get(candidate.language), candidate
        assert repr(candidate).startswith(f"<textcodec.Candidate {candidate.name}, ") and repr(candidate).endswith(f", group {candidate.group}>")
    # A text in Unicode shows no language.
    for codec in ("utf-8", "utf-16", "utf-8-sig", "utf-32"):
        detection = textcodec.detect(text.encode(codec))
        assert (detection.language, detection.language_name) == (None, None) == (detection.candidates[0].language, detection.candidates[0].language_name)


def test_numbers_have_six_digits():
    """Those of the detector are floats of 32 bits."""
    margins = 0
    for name, label, text in LANGUAGES.values():
        for data in (textcodec.encode(text, label, "ignore"), textcodec.encode(text[:9], label, "ignore"), text[:5].encode()):
            detection = textcodec.detect(data)
            numbers = [detection.probability, *(candidate.probability for candidate in detection.candidates)]
            if detection.margin is not None:
                numbers.append(detection.margin)
                margins += 1
            for number in numbers:
                assert type(number) is float and number == round(number, 6)
            assert detection.probability == detection.candidates[0].probability and detection.candidates[0].group == 0
    assert margins > 20


def test_answers_about_the_same_bytes_are_equal_and_others_are_not():
    koi8, german = (textcodec.encode(LANGUAGES[code][2], LANGUAGES[code][1]) for code in ("ru", "de"))
    one, two, other = textcodec.detect(koi8), textcodec.detect(bytearray(koi8)), textcodec.detect(german)
    assert one == two and one != other and one != 3 and one is not two
    assert one.candidates == two.candidates and one.candidates[0] == two.candidates[0] != other.candidates[0]
    assert one.candidates[0] != one.candidates[1] and one.model_version == other.model_version == textcodec.detect(b"").model_version
    assert isinstance(one.candidates, tuple) and isinstance(one.evidence, tuple) and isinstance(one.candidates[0], textcodec.Candidate)
    assert len(set(other.evidence)) == len(other.evidence) > 0 and max(other.evidence) < len(german)


def test_text_that_fits_no_encoding_is_unknown():
    detection = textcodec.detect(b"M\xa0\x07\x07")
    assert (detection.verdict, detection.name, detection.encoding, detection.candidates, detection.probability) == ("unknown", None, None, (), 0.0)
    assert (detection.language, detection.language_name, detection.margin, detection.evidence, detection.kind) == (None, None, None, (), None)
    assert repr(detection) == "<textcodec.Detection unknown>"
    for data, verdict in [(b"M\xa0\x07\x07", "unknown"), (b"", "empty"), (b"\x89PNG\r\n\x1a\n", "binary"), (b"line one\r\nl\0i\0n\0e\0 \0t\0w\0o\0\r\0\n\0", "mixed")]:
        with pytest.raises(LookupError, match=f"^no encoding was detected: the verdict is {verdict}$"):
            textcodec.detect(data).decode(data)
    seven = textcodec.detect((RUSSIAN * 2).encode("utf-7"))
    assert (seven.verdict, seven.name, seven.encoding, seven.has_bom) == ("utf-7", "UTF-7", None, False)


def test_only_the_byte_order_mark_that_was_detected_is_removed():
    for codec, label in [("utf-32", "utf-32le"), ("utf-32-be", "utf-32be")]:
        mark, text = "\ufeff".encode("utf-32-le" if codec == "utf-32" else codec), ("я 日 " * 9)
        data = text.encode("utf-32-le" if codec == "utf-32" else codec)
        for marked in (True, False):
            detection = textcodec.detect(mark + data if marked else data)
            assert (detection.has_bom, detection.verdict, detection.decode(data).encoding) == (marked, "utf-32", textcodec.Charset(label))
            # Fewer bytes than a mark has.
            for part in (b"", mark[:1], mark[:3], mark):
                found = detection.decode(part, "ignore")
                assert found.text == ("\ufeff" if part == mark and not marked else ""), (codec, marked, part)
        assert textcodec.detect(mark + data).decode(mark + data).text == text
    # A mark of the Standard's encodings decides, whatever was detected.
    assert textcodec.detect(b"caf\xe9").decode(b"\xef\xbb\xbf\xc3\xa9")[:2] == ("é", textcodec.lookup("utf-8"))


def test_a_charset_that_was_detected_is_the_one_that_decodes():
    german = "Grüße aus München, wo das Wetter schön ist. "
    for text, codec, tiers, name in [
        ("Příliš žluťoučký kůň úpěl ďábelské ódy. ", "cp852", "dos", "cp852"),
        ("Příliš žluťoučký kůň úpěl ďábelské ódy. ", "mac-latin2", "mac", "MAC-CENTRALEUROPE"),
        (german, "cp273", "ebcdic", "IBM273"),
        ("한글 맞춤법은 표준어를 소리대로 적되, 어법에 맞도록 함을 원칙으로 한다. ", "johab", "johab", "JOHAB"),
    ]:
        data = (text * 3).encode(codec)
        decoded = textcodec.detect(data, tiers=tiers).decode(data, "strict")
        assert (decoded.text, decoded.had_errors) == (text * 3, False)
        assert isinstance(decoded.encoding, textcodec.Charset) and decoded.encoding == textcodec.Charset(name), decoded.encoding


def test_damage_has_its_number_and_its_first_place():
    sentence = "Grüße aus Köln. ".encode()
    text, length = sentence * 40, len(sentence)
    for places in ([0], [0, length], [length, 2 * length, 9 * length], [len(text)], [length * at for at in range(12)]):
        data = text
        for place in reversed(places):
            data = data[:place] + b"\xff" + data[place:]
        found = textcodec.detect(data)
        assert (found.verdict, found.malformed, found.damage) == ("damaged-utf-8", len(places), places[0])
