"""Measures `textcodec.arrow.html` with guess="detect" on generated pages, beside callbacks with other detectors.

    pip install pyarrow chardet charset-normalizer
    python bench/pages.py [--pages 100000] [--seed 2026] [--languages]

A page is made of sentences that were written for this benchmark, in 25 languages and 23 encodings. Two pages of five
declare nothing; the others declare their encoding in HTTP's header, in a meta element, or in both. Every run with the
same seed makes the same pages. The peers get each fifth or tenth page. A page is right if its text is the text that its
author wrote. Times are those of the processor. The tables are in Markdown.
"""

from __future__ import annotations

import argparse
import importlib.util
import platform
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

import pyarrow

import textcodec.arrow

# A language, its encodings, the more frequent ones several times, and its sentences.
LANGUAGES = [
    ("en", ["utf-8", "utf-8", "windows-1252"], """
The museum’s café opens at nine – except on Mondays.
She said, “We don’t sell tickets at the door.”
A résumé of the meeting was sent to everyone.
The price is £12 for adults and £7 for children.
Visitors can leave their coats beside the main stairs."""),
    ("de", ["utf-8", "windows-1252", "windows-1252", "iso-8859-15"], """
Die Führung beginnt täglich um zehn Uhr vor dem großen Tor.
Für Schüler kostet der Eintritt fünf Mark weniger.
Über die Brücke gelangt man zum alten Rathaus.
Später hörten wir, dass das Konzert ausfällt.
Wer früh aufsteht, sieht die Boote im Hafen ankommen."""),
    ("fr", ["utf-8", "windows-1252", "windows-1252", "macintosh"], """
Le marché a été déplacé derrière l’église depuis l’été dernier.
Où peut-on acheter des billets à prix réduit ?
Les élèves ont préparé une pièce de théâtre pour la fête.
Ça ne coûte presque rien, et c’est très beau.
Le garçon a oublié son chapeau près de la fenêtre."""),
    ("es", ["utf-8", "windows-1252", "windows-1252"], """
Mañana por la mañana saldrá el primer autobús hacia la montaña.
¿Quién sabe dónde está la llave del almacén?
El niño soñó con un pájaro que hablaba francés.
También habrá música en la plaza después de las ocho.
La biblioteca cerrará más temprano durante el verano."""),
    ("pt", ["utf-8", "windows-1252"], """
A estação fica atrás do mercado, não muito longe daqui.
Os irmãos não sabiam que a reunião já tinha começado.
Amanhã haverá uma exposição de fotografias na praça.
É possível pagar com cartão até às dezoito horas.
O pão está quente e o café também."""),
    ("it", ["utf-8", "windows-1252"], """
La città è più tranquilla quando i negozi sono chiusi.
Perché non venite anche voi alla festa di venerdì?
Il caffè costa di più al tavolo che al banco.
Ogni lunedì l’università offre una visita gratuita.
Già da bambino sapeva che avrebbe lasciato il paese."""),
    ("sv", ["utf-8", "windows-1252"], """
Båten går från den södra ändan av ön klockan åtta.
På lördag är det öppet även för besökare från andra städer.
Hon köpte äpplen, ägg och en påse mjöl på vägen hem.
Det är svårt att förstå varför dörren är låst.
Förra året växte det blåbär överallt här."""),
    ("pl", ["utf-8", "windows-1250", "iso-8859-2", "iso-8859-2"], """
Wycieczka zaczyna się o dziewiątej przed dworcem głównym.
Czy ktoś wie, gdzie można kupić świeże pieczywo?
Wczoraj wieczorem padał śnieg i drogi były śliskie.
Łódź stoi przy moście, a właściciel już śpi.
Książki należy zwrócić przed końcem miesiąca."""),
    ("cs", ["utf-8", "windows-1250", "iso-8859-2"], """
Vlak do hor odjíždí každý den ráno z prvního nástupiště.
Děti si přály, aby jim dědeček vyprávěl další příběh.
Účet zaplatíme až po večeři, řekl číšníkovi.
Nejbližší lékárna je za rohem vedle školy.
Včera jsme viděli, jak řeka zaplavila louku."""),
    ("hu", ["utf-8", "windows-1250", "iso-8859-2"], """
A könyvtár hétfőn zárva van, de kedden későig nyitva tart.
Nem tudtuk, hogy a következő vonat csak este indul.
Az őszi vásáron mézet, sajtot és gyümölcsöt árulnak.
Kérjük, hogy a bejáratnál mutassák fel a jegyüket.
Régóta szerettük volna megnézni ezt a kis templomot."""),
    ("ro", ["utf-8", "windows-1250"], """
Dimineaţa trenul pleacă mai târziu decât în zilele de lucru.
Copiii învaţă să înoate în lacul de lângă pădure.
Biletele se găsesc şi la casa din faţa gării.
Când plouă, oamenii stau înăuntru şi citesc.
Aceasta este cea mai veche clădire din oraş."""),
    ("tr", ["utf-8", "windows-1254", "windows-1254"], """
Müze pazartesi günleri dışında her gün açıktır.
Çocuklar bahçede büyük bir ağacın altında oynuyordu.
Şehrin en güzel manzarası bu tepeden görülür.
Yağmur yağdığı için gemi öğleden sonra kalkacak.
İstasyona nasıl gidileceğini kimse bilmiyordu."""),
    ("ru", ["utf-8", "windows-1251", "windows-1251", "koi8-r", "ibm866"], """
Поезд отправляется утром и приходит в город поздно вечером.
Дети собирали грибы в лесу за старой мельницей.
Никто не знал, почему закрыли эту маленькую библиотеку.
Билеты продаются у входа, а цены указаны на доске.
Летом здесь можно купаться, зимой кататься на лыжах."""),
    ("uk", ["utf-8", "windows-1251", "koi8-u"], """
Його сестра живе у великому місті біля річки.
Щоранку ми п’ємо чай і читаємо свіжі новини.
Ця стежка веде до джерела, про яке всі забули.
Квитки можна придбати лише в касі театру.
Увечері на площі гратиме невеликий оркестр."""),
    ("bg", ["utf-8", "windows-1251"], """
Автобусът за планината тръгва всяка сутрин от пазара.
Никой не знаеше къде е ключът от старата къща.
През лятото тук идват много хора от съседните села.
Тази книга беше написана преди повече от сто години.
Учениците подготвят изложба за края на годината."""),
    ("el", ["utf-8", "windows-1253", "iso-8859-7"], """
Το πλοίο φεύγει κάθε πρωί από το μικρό λιμάνι.
Κανείς δεν ήξερε πού βρίσκεται το κλειδί της αποθήκης.
Τα παιδιά παίζουν στην αυλή πίσω από το σχολείο.
Τα εισιτήρια πωλούνται μόνο στην είσοδο του θεάτρου.
Το βράδυ θα παίξει μια ορχήστρα στην πλατεία."""),
    ("he", ["utf-8", "windows-1255"], """
הרכבת יוצאת בכל בוקר מהתחנה המרכזית.
הילדים שיחקו בחצר מאחורי בית הספר הישן.
איש לא ידע היכן נמצא המפתח של המחסן.
אפשר לקנות כרטיסים רק בכניסה לתיאטרון.
בערב תנגן תזמורת קטנה בכיכר העיר."""),
    ("ar", ["utf-8", "windows-1256"], """
يغادر القطار المحطة كل صباح في الساعة الثامنة.
كان الأطفال يلعبون في الحديقة خلف المدرسة القديمة.
لم يعرف أحد أين يوجد مفتاح المخزن الكبير.
تباع التذاكر عند مدخل المسرح فقط.
في المساء تعزف فرقة صغيرة في ساحة المدينة."""),
    ("th", ["utf-8", "windows-874"], """
รถไฟออกจากสถานีทุกเช้าเวลาแปดโมง
เด็กๆ เล่นอยู่ในสวนหลังโรงเรียนเก่า
ไม่มีใครรู้ว่ากุญแจห้องเก็บของอยู่ที่ไหน
ตั๋วมีขายที่ทางเข้าโรงละครเท่านั้น
ตอนเย็นจะมีวงดนตรีเล่นที่จัตุรัสกลางเมือง"""),
    ("ja", ["utf-8", "shift_jis", "shift_jis", "euc-jp", "iso-2022-jp"], """
電車は毎朝八時に中央駅を出発します。
子供たちは古い学校の裏の庭で遊んでいました。
倉庫の鍵がどこにあるのか、誰も知らなかった。
切符は劇場の入口だけで売っています。
夕方になると、広場で小さな楽団が演奏します。"""),
    ("ko", ["utf-8", "euc-kr", "euc-kr"], """
기차는 매일 아침 여덟 시에 중앙역을 떠난다.
아이들은 오래된 학교 뒤의 마당에서 놀고 있었다.
창고 열쇠가 어디에 있는지 아무도 몰랐다.
표는 극장 입구에서만 팔고 있습니다.
저녁에는 광장에서 작은 악단이 연주할 것이다."""),
    ("zh-Hans", ["utf-8", "gbk", "gbk"], """
火车每天早上八点从中央车站出发。
孩子们在旧学校后面的院子里玩耍。
没有人知道仓库的钥匙放在哪里。
门票只在剧院的入口处出售。
晚上有一支小乐队在广场上演奏。"""),
    ("zh-Hant", ["utf-8", "big5", "big5"], """
火車每天早上八點從中央車站出發。
孩子們在舊學校後面的院子裡玩耍。
沒有人知道倉庫的鑰匙放在哪裡。
門票只在劇院的入口處出售。
晚上有一支小樂隊在廣場上演奏。"""),
    ("lt", ["utf-8", "windows-1257"], """
Traukinys į miestą išvyksta kiekvieną rytą aštuntą valandą.
Vaikai žaidė kieme už senosios mokyklos.
Niekas nežinojo, kur yra sandėlio raktas.
Bilietai parduodami tik prie teatro įėjimo.
Vakare aikštėje gros nedidelis orkestras."""),
    ("vi", ["utf-8", "utf-8"], """
Tàu rời ga trung tâm vào lúc tám giờ mỗi buổi sáng.
Trẻ em chơi trong sân phía sau ngôi trường cũ.
Không ai biết chìa khóa nhà kho ở đâu.
Vé chỉ được bán ở lối vào nhà hát.
Buổi tối sẽ có một ban nhạc nhỏ chơi ở quảng trường."""),
]
# For these codecs of Python, the Standard has another label.
LABELS = {
    "cp932": "shift_jis",
    "cp949": "euc-kr",
    "uhc": "euc-kr",
    "johab": None,
    "hz": None,
    "mac-cyrillic": "x-mac-cyrillic",
    "mac-roman": "macintosh",
    "macroman": "macintosh",
    "maccyrillic": "x-mac-cyrillic",
    "utf-8-sig": "utf-8",
    "gb2312": "gbk",
    "big5hkscs": "big5",
    "euc-jis-2004": "euc-jp",
    "shift-jis-2004": "shift_jis",
    "cp874": "windows-874",
}


@dataclass
class Pages:
    """Columns of pages, as servers send them, and what their authors wrote."""

    bodies: list[bytes]
    headers: list[str | None]
    texts: list[str]
    declares: list[bool]
    kinds: list[str]

    def part(self, step: int) -> Pages:
        """Every page whose number is divisible by `step`."""
        lists = (self.bodies, self.headers, self.texts, self.declares, self.kinds)
        return Pages(*(values[::step] for values in lists))


def generate(number: int, seed: int) -> Pages:
    """As many pages. The same seed makes the same pages."""
    chance = random.Random(seed)
    pages = Pages([], [], [], [], [])
    languages = [(code, labels, text.split("\n")[1:]) for code, labels, text in LANGUAGES]
    for index in range(number):
        code, labels, sentences = chance.choice(languages)
        label = chance.choice(labels)
        place = chance.choice(["nothing", "nothing", "header", "meta", "both"])
        # From a line to a long article: most pages are short.
        paragraphs = int(2 ** chance.uniform(0, 6))
        title = chance.choice(sentences)
        body = "".join(
            f"<p class=p{chance.randrange(9)}>{' '.join(chance.choices(sentences, k=chance.randint(1, 4)))}</p>\n"
            for _ in range(paragraphs)
        )
        meta = f'<meta charset="{label}">' if place in ("meta", "both") else ""
        # Characters that the encoding lacks are left out, as an editor of its time would.
        text = f"<!doctype html><html><head>{meta}<title>{title}</title></head><body>\n<h1>{index}</h1>\n{body}</body></html>\n"
        body = textcodec.encode(text, label, "ignore")
        pages.bodies.append(body)
        pages.headers.append(f"text/html; charset={label}" if place in ("header", "both") else None)
        pages.texts.append(textcodec.decode(body, label, bom="keep").text)
        pages.declares.append(place != "nothing")
        pages.kinds.append(f"{code} {label}")
    return pages


def label(name: str | None) -> str | None:
    """The label of an encoding that a detector names as Python does."""
    if name is None:
        return None
    name = name.lower().replace("_", "-")
    return LABELS.get(name, name)


def peers() -> dict[str, tuple[Callable[[bytes], str | None], int]]:
    """The detectors that are installed, as functions for `guess`, and the part of the pages that each gets."""
    found: dict[str, tuple[Callable[[bytes], str | None], int]] = {}
    if importlib.util.find_spec("chardet"):
        import chardet

        found[f"chardet {chardet.__version__}"] = (lambda page: label(chardet.detect(page)["encoding"]), 5)
    if importlib.util.find_spec("charset_normalizer"):
        import charset_normalizer

        def normalizer(page: bytes) -> str | None:
            best = charset_normalizer.from_bytes(page).best()
            return label(best.encoding if best else None)

        found[f"charset-normalizer {charset_normalizer.__version__}"] = (normalizer, 10)
    return found


def measure(pages: Pages, **options: object) -> tuple[float, Counter[str], Counter[str], Counter[str]]:
    """The seconds of the processor, the number of right pages by whether they declare something, and by their kind the
    number of pages that declare nothing, and of those that are right."""
    bodies, headers = pyarrow.array(pages.bodies), pyarrow.array(pages.headers, pyarrow.string())
    start = time.process_time()
    result = textcodec.arrow.html(bodies, content_type=headers, **options)
    seconds = time.process_time() - start
    right: Counter[str] = Counter()
    all_kinds: Counter[str] = Counter()
    right_kinds: Counter[str] = Counter()
    found = pyarrow.array(result).field("text").to_pylist()
    for text, expected, declares, kind in zip(found, pages.texts, pages.declares, pages.kinds):
        right["declared" if declares else "undeclared"] += text == expected
        if not declares:
            all_kinds[kind] += 1
            right_kinds[kind] += text == expected
    return seconds, right, all_kinds, right_kinds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--languages", action="store_true", help="show the encodings with wrong pages")
    arguments = parser.parse_args()
    pages = generate(arguments.pages, arguments.seed)
    megabytes = sum(map(len, pages.bodies)) / 1e6
    undeclared = pages.declares.count(False)
    print(f"{len(pages.bodies):,} pages with seed {arguments.seed}: {megabytes:.0f} MB, {undeclared:,} declare nothing.")
    print(f"{platform.python_implementation()} {platform.python_version()}, {date.today()}.\n")
    print("| `guess` | pages | rows/s | declared: right | undeclared: right | wrong |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    rows: list[tuple[str, Pages, dict[str, object]]] = [("none", pages, {}), ('"detect"', pages, {"guess": "detect"})]
    rows += [(name, pages.part(step), {"guess": guess}) for name, (guess, step) in peers().items()]
    details = []
    for name, part, options in rows:
        measure(part.part(100), **options)
        seconds, right, kinds, right_kinds = measure(part, **options)
        total, without = len(part.bodies), part.declares.count(False)
        print(
            f"| {name} | {total:,} | {total / seconds:,.0f} | {100 * right['declared'] / (total - without):.2f} % "
            f"| {100 * right['undeclared'] / without:.2f} % | {without - right['undeclared']:,} of {without:,} |",
            flush=True,
        )
        wrong = [f"{kind} {right_kinds[kind]}/{number}" for kind, number in sorted(kinds.items()) if right_kinds[kind] < number]
        details.append(f"{name}: " + ", ".join(wrong))
    if arguments.languages:
        print("\nRight pages of those that declare nothing, for each language and encoding with wrong ones:\n")
        print("\n".join(details[1:]))


if __name__ == "__main__":
    main()
