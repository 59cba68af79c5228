//! Sentences in all languages of the model, written for these tests.

/// The code of a language, the labels of encodings of it, and a text.
pub(crate) const SENTENCES: &[(&str, &[&str], &str)] = &[
    (
        "en",
        &["windows-1252", "macintosh"],
        "“You can’t park here,” said the guard. “It’s the mayor’s spot, and he’s on his way back from the café.”",
    ),
    (
        "de",
        &["windows-1252", "iso-8859-15", "macintosh"],
        "Im Frühling blühen die Obstbäume, und über den grünen Hügeln hört man wieder die Vögel. Großmutter schließt die \
         Tür.",
    ),
    (
        "fr",
        &["windows-1252", "iso-8859-15", "macintosh"],
        "À l'école, les élèves préparent déjà la fête d'été ; la maîtresse a demandé à chacun d'apporter un gâteau.",
    ),
    (
        "es",
        &["windows-1252", "iso-8859-15", "macintosh"],
        "Mañana por la tarde mi tía vendrá a la estación. ¿Quién irá a buscarla? El niño pequeño dormirá su siesta.",
    ),
    (
        "pt",
        &["windows-1252", "macintosh"],
        "As crianças não conseguiram encontrar o cão, mas a vizinha disse que ele está atrás da estação de comboios.",
    ),
    (
        "it",
        &["windows-1252", "iso-8859-15", "macintosh"],
        "Perché non è più venuto? La città è così bella a metà maggio, e lunedì si potrà già mangiare all'aperto.",
    ),
    (
        "nl",
        &["windows-1252", "iso-8859-15"],
        "De financiële commissie coördineert de ideeën van alle categorieën; één lid vond dat niet voldoende geïnspireerd.",
    ),
    (
        "sv",
        &["windows-1252", "iso-8859-15", "macintosh"],
        "På kvällen går vi över bron till den lilla ön. Där växer blåbär, och man hör måsarna skrika från hamnen.",
    ),
    (
        "da",
        &["windows-1252", "iso-8859-15", "macintosh"],
        "Når det bliver mørkt, tænder hun lygterne på gården. Så kører børnene hjem gennem skoven på deres små cykler.",
    ),
    (
        "nb",
        &["windows-1252", "iso-8859-15", "macintosh"],
        "Det snør på fjellet i dag, så vi må vente til i morgen før vi kjører videre. Hytta er kald, men døra går å låse.",
    ),
    (
        "fi",
        &["windows-1252", "iso-8859-15"],
        "Tänään sää on hyvä, mutta yöllä tämä järvi jäätyy. Isä lämmittää saunan ja äiti leipoo pöydälle jälkiruokaa.",
    ),
    (
        "is",
        &["windows-1252"],
        "Það er kalt í dag en á morgun verður hlýrra. Börnin leika sér í garðinum þó að amma hafi beðið þau að koma inn.",
    ),
    (
        "ca",
        &["windows-1252", "iso-8859-15"],
        "Demà anirem a la plaça perquè això és més fàcil. El meu germà també vindrà, però arribarà després de dinar.",
    ),
    (
        "id",
        &["windows-1252"],
        "“Harga kopi naik lagi,” kata ibu kepada tetangga, “sekarang dua puluh ribu rupiah, padahal gelasnya kecil…”",
    ),
    (
        "ga",
        &["windows-1252"],
        "Tá an aimsir go breá inniu agus beidh sé níos fearr amárach. Chuaigh mé síos go dtí an siopa le mo dheirfiúr.",
    ),
    (
        "gl",
        &["windows-1252"],
        "Mañá pola mañá imos á praia coa miña avoa. A túa irmá non virá, porque ten unha reunión e despois unha cea.",
    ),
    (
        "eu",
        &["windows-1252"],
        "Bihar goizean Iruñera joango gara autobusez, eta arratsaldean Begoñarekin bazkalduko dugu Oñatiko plazan.",
    ),
    (
        "et",
        &["windows-1257"],
        "Täna õhtul läheme külla vanaemale, kes küpsetab alati häid pirukaid. Õues on külm ja müts tuleb pähe panna.",
    ),
    (
        "sq",
        &["windows-1252"],
        "Sot është një ditë e bukur dhe fëmijët po luajnë në oborr. Nëna përgatit drekën, kurse babai rri në punë.",
    ),
    (
        "cs",
        &["windows-1250", "iso-8859-2"],
        "Příští týden pojedeme na výlet k řece. Děti už se těší, že budou moci plavat, a maminka chystá řízky se salátem.",
    ),
    (
        "pl",
        &["windows-1250", "iso-8859-2", "iso-8859-13"],
        "Wczoraj kupiłem książkę o żółwiach, które żyją w dużej rzece. Moja siostra chciałaby ją też przeczytać później.",
    ),
    (
        "hu",
        &["windows-1250", "iso-8859-2"],
        "Az öreg gyümölcsös mögött folyik egy kis patak. Nyáron a gyerekek itt fürödnek, és estére éhesen térnek haza.",
    ),
    (
        "sk",
        &["windows-1250", "iso-8859-2"],
        "Budúci týždeň pôjdeme na výlet k jazeru. Deti sa už tešia, že sa budú môcť kúpať, a otec chystá veľký stan.",
    ),
    (
        "sl",
        &["windows-1250", "iso-8859-2"],
        "Včeraj zvečer smo šli čez most do stare hiše. Žena, ki tam živi, nam je skuhala čaj in pokazala svoje slike.",
    ),
    (
        "hr",
        &["windows-1250", "iso-8859-2"],
        "Sljedeći tjedan idemo na more. Djeca već čekaju da počnu praznici, a mi još tražimo smještaj u maloj kući.",
    ),
    (
        "ro",
        &["windows-1250", "iso-8859-2"],
        "Mâine dimineaţă mergem în oraş să cumpărăm pâine şi brânză. Bunica ne aşteaptă în faţa casei cu toţi nepoţii.",
    ),
    (
        "tr",
        &["windows-1254"],
        "Yarın sabah erkenden köye gideceğiz. Büyükannem bahçede çay hazırlıyor, çocuklar ise ağaçların altında oynuyor.",
    ),
    (
        "lt",
        &["windows-1257", "iso-8859-13"],
        "Rytoj važiuosime į kaimą pas močiutę. Vaikai jau džiaugiasi, kad galės maudytis ežere ir žaisti su šunimis.",
    ),
    (
        "lv",
        &["windows-1257", "iso-8859-13"],
        "Rīt mēs brauksim uz laukiem pie vecmāmiņas. Bērni jau priecājas, ka varēs peldēties ezerā un spēlēties ar suņiem.",
    ),
    (
        "vi",
        &["windows-1258"],
        "Ngày mai chúng tôi đi thăm bà ngoại ở làng. Bà nấu cơm rất ngon, và các cháu thích chơi ngoài vườn cả ngày.",
    ),
    (
        "cy",
        &["iso-8859-14"],
        "Mae'r tŷ ar y bryn yn hen iawn. Yn ôl fy nhad, adeiladwyd ef gan ŵr o Fôn, a'r dŵr yn dod o'r ffynnon gerllaw.",
    ),
    (
        "eo",
        &["iso-8859-3"],
        "Morgaŭ ni veturos al la urbo, ĉar tie okazos granda festo. La infanoj jam ĝojas, kaj ankaŭ ŝia patrino venos.",
    ),
    (
        "ru",
        &["windows-1251", "koi8-r", "iso-8859-5", "ibm866", "x-mac-cyrillic"],
        "Завтра утром мы поедем к бабушке в деревню. Она печёт вкусные пироги, а дети любят играть в её старом саду.",
    ),
    (
        "uk",
        &["windows-1251", "koi8-u", "x-mac-cyrillic"],
        "Завтра вранці ми поїдемо до бабусі в село. Вона пече смачні пироги, а діти люблять гратися в її старому саду.",
    ),
    (
        "be",
        &["windows-1251", "iso-8859-5"],
        "Заўтра раніцай мы паедзем да бабулі ў вёску. Яна пячэ смачныя пірагі, а дзеці любяць гуляць у яе старым садзе.",
    ),
    (
        "bg",
        &["windows-1251", "iso-8859-5"],
        "Утре сутринта ще отидем при баба на село. Тя пече вкусни питки, а децата обичат да играят в старата градина.",
    ),
    (
        "mk",
        &["windows-1251", "iso-8859-5"],
        "Утре наутро ќе одиме кај баба на село. Таа пече вкусни пити, а децата сакаат да играат во нејзината градина.",
    ),
    (
        "sr",
        &["windows-1251", "iso-8859-5"],
        "Сутра ујутру идемо код баке на село. Она пече укусне пите, а деца воле да се играју у њеном старом воћњаку.",
    ),
    (
        "el",
        &["windows-1253", "iso-8859-7"],
        "Αύριο το πρωί θα πάμε στο χωριό της γιαγιάς. Φτιάχνει νόστιμες πίτες, και τα παιδιά παίζουν στον κήπο της.",
    ),
    (
        "he",
        &["windows-1255", "iso-8859-8-i"],
        "מחר בבוקר ניסע לכפר של סבתא. היא אופה עוגות טעימות, והילדים אוהבים לשחק בגינה הישנה שלה עד הערב.",
    ),
    (
        "ar",
        &["windows-1256", "iso-8859-6"],
        "غدا صباحا سنذهب إلى قرية جدتي. هي تخبز كعكا لذيذا، والأطفال يحبون اللعب في حديقتها القديمة حتى المساء.",
    ),
    (
        "fa",
        &["windows-1256"],
        "فردا صبح به روستاي مادربزرگ مي‌رويم. او نان خوشمزه مي‌پزد و بچه‌ها دوست دارند در باغ کوچک او بازي کنند.",
    ),
    ("th", &["windows-874"], "พรุ่งนี้เช้าเราจะไปเยี่ยมคุณยายที่หมู่บ้าน ท่านทำขนมอร่อยมาก และเด็กๆ ชอบเล่นอยู่ในสวนหลังบ้านจนถึงเย็น"),
    (
        "ja",
        &["shift_jis", "euc-jp", "iso-2022-jp"],
        "明日の朝、みんなで祖母の村へ行きます。祖母はおいしいパンを焼いてくれるし、子供たちは古い庭で遊ぶのが好きです。",
    ),
    (
        "ko",
        &["euc-kr"],
        "내일 아침에 우리는 할머니 댁에 갑니다. 할머니는 맛있는 빵을 구워 주시고, 아이들은 마당에서 노는 것을 좋아합니다.",
    ),
    (
        "zh-Hans",
        &["gbk", "gb18030"],
        "明天早上我们去乡下看奶奶。她做的面包很好吃，孩子们喜欢在她的旧花园里玩，一直玩到晚上才肯回家。",
    ),
    (
        "zh-Hant",
        &["big5"],
        "明天早上我們去鄉下看奶奶。她做的麵包很好吃，孩子們喜歡在她的舊花園裡玩，一直玩到晚上才肯回家。",
    ),
];
