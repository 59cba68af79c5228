//! The time for finding out the encoding of a page, beside the time for decoding it: a table in Markdown.
//!
//! ```text
//! cargo bench -p textcodec-benches --bench sniff
//! ```
//!
//! Pages have about [`LENGTH`] bytes, in an encoding that was usual for their language. They begin with a `meta`
//! element, with no declaration, or with markup that is made to take long. A second list has the time for a start that
//! arrives one byte at a time.

use std::{env, hint::black_box, time::Duration};

use textcodec::{
    DecodeErrorMode, Encoding,
    sniff::{Context, Hints, Sniffer},
};
use textcodec_benches::{Corpus, Kind, Language, race};

/// The approximate length of a page, in bytes of UTF-8. Pages of today are longer, but a prescan does not take longer
/// for that.
const LENGTH: usize = 128 << 10;
/// The approximate time for a cell.
const BUDGET: Duration = Duration::from_millis(60);

/// A row of the table, with times in nanoseconds.
struct Row {
    name: &'static str,
    length: usize,
    sniffing: f64,
    decoding: f64,
}

fn main() {
    let measures = env::args().any(|argument| argument == "--bench");
    let corpus = if measures { Corpus::from_environment(LENGTH) } else { Corpus::made_up(LENGTH) };
    let rows: Vec<Row> =
        pages(&corpus).into_iter().map(|(name, encoding, page)| row(name, encoding, &page, measures)).collect();
    if !measures {
        // `cargo test` runs benchmarks, too. In that case only the results are checked, without measurements.
        return;
    }
    println!("Pages of about {} KiB, {}.\n", LENGTH / 1024, corpus.origin());
    println!("| page | KiB | sniffing, ns | decoding, ns | of it |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    for Row { name, length, sniffing, decoding } in rows {
        let (kib, percent) = (length / 1024, 100.0 * sniffing / decoding);
        println!("| {name} | {kib} | {sniffing:.0} | {decoding:.0} | {percent:.1} % |");
    }
    by_and_by();
}

/// The pages, each with its name and its encoding.
fn pages(corpus: &Corpus) -> Vec<(&'static str, Encoding, Vec<u8>)> {
    let page = |language, label: &str, start: &str| {
        let encoding = Encoding::for_label(label).expect("it is a label");
        // A page of the corpus may contain a declaration of its own.
        let text = start.to_owned() + &corpus.text(language, Kind::Html).replace("<meta", "<made");
        (encoding, encoding.encode(&text).bytes.into_owned())
    };
    let meta = |label: &str| format!("<!DOCTYPE html><html><head>\n<meta charset={label}>\n<title>");
    let declared = [
        ("English, UTF-8", Language::En, "utf-8"),
        ("Russian, windows-1251", Language::Ru, "windows-1251"),
        ("Japanese, Shift_JIS", Language::Ja, "shift_jis"),
        ("Japanese, UTF-8", Language::Ja, "utf-8"),
        ("Chinese, GBK", Language::ZhCn, "gbk"),
    ]
    .map(|(name, language, label)| (name, page(language, label, &meta(label))));
    let undeclared = [
        ("English, nothing declared", "<!DOCTYPE html><html><head>"),
        ("English, one long comment", "<!--"),
        ("English, one long attribute", "<p title='"),
        ("English, many tags", &"<a ".repeat(400)),
        ("English, many attributes", &format!("<a {}>", "b=c ".repeat(300))),
        ("English, many metas", &"<meta charset=x>".repeat(100)),
        ("English, many less-than signs", &"<".repeat(1100)),
    ]
    .map(|(name, start)| (name, page(Language::En, "windows-1252", start)));
    declared.into_iter().chain(undeclared).map(|(name, (encoding, bytes))| (name, encoding, bytes)).collect()
}

fn row(name: &'static str, encoding: Encoding, page: &[u8], measures: bool) -> Row {
    let found = Context::HtmlParser.sniff(page, Hints::default()).map(|sniffed| sniffed.encoding);
    assert_eq!(found, Some(encoding.id()), "{name}");
    let mut buffer = vec![0; page.len() * 3];
    if !measures {
        return Row { name, length: page.len(), sniffing: 0.0, decoding: 0.0 };
    }
    let times = race(
        BUDGET,
        &[1],
        &mut buffer,
        &mut [
            Box::new(|_, _| sniff(page)),
            Box::new(|buffer, _| {
                let mode = DecodeErrorMode::Replacement;
                let _ = black_box(encoding.new_decoder().decode_to_utf8(black_box(page), buffer, true, mode));
            }),
        ],
    );
    Row { name, length: page.len(), sniffing: times[0].cost, decoding: times[1].cost }
}

fn sniff(page: &[u8]) {
    black_box(Context::HtmlParser.sniff(black_box(page), Hints::default()));
}

/// Measures the slowest case of two slow starts: one byte arrives at a time.
fn by_and_by() {
    let pages = [("no markup", "a".repeat(1024)), ("one long comment", "<!--".to_owned() + &"a".repeat(1020))];
    println!("\nArriving a byte at a time:\n");
    for (name, page) in pages {
        let times = race(
            BUDGET,
            &[1],
            &mut (),
            &mut [
                Box::new(|(), _| {
                    let mut sniffer = Sniffer::new(Context::HtmlParser, Hints::default());
                    let mut lengths = 1..=page.len();
                    let length = lengths.find(|&length| sniffer.sniff(&page.as_bytes()[..length], false).is_some());
                    black_box(length);
                }),
                Box::new(|(), _| sniff(page.as_bytes())),
            ],
        );
        let (slowly, at_once) = (times[0].cost, times[1].cost);
        println!("- {name}: {slowly:.0} ns for all 1024 steps, {at_once:.0} ns at once");
    }
}
