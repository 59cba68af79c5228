//! The pages: one template each.

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use minijinja::{Environment, Value, context, path_loader};
use serde::Serialize;
use textcodec::Encoding;

use crate::{
    Site, contexts, diagrams,
    encodings::{EncodingData, slug},
    figures, home,
    indexes::IndexData,
    markdown,
    systems::Systems,
    text::grouped,
};

/// The pages of the guide, in the order of the task: the file without its extension.
const GUIDE: [&str; 12] = [
    "decode-a-file",
    "decode-a-stream",
    "which-encoding-is-it",
    "replace-errors",
    "encode-a-form-field",
    "http-responses",
    "csv",
    "xml",
    "mail",
    "use-what-you-need",
    "use-one-encoding-only",
    "replace-encoding-rs",
];

/// Documents of the project: the file, and the page without its extension.
const DOCUMENTS: [(&str, &str); 7] = [
    ("README.md", "readme"),
    ("CHANGELOG.md", "changelog"),
    ("DESIGN.md", "design"),
    ("docs/kernels.md", "kernels"),
    ("docs/experiments.md", "experiments"),
    ("docs/program.md", "program"),
    ("docs/sizes.md", "sizes"),
];

/// The address of the files of this release.
const SOURCE: &str = concat!("https://github.com/textcodec/textcodec/blob/v", env!("CARGO_PKG_VERSION"), "/");
/// The address of the picture in the README.
const PICTURE: &str = concat!(
    "https://raw.githubusercontent.com/textcodec/textcodec/v",
    env!("CARGO_PKG_VERSION"),
    "/benches/report.svg"
);

/// The repository.
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");
/// The address of the site.
const HOMEPAGE: &str = env!("CARGO_PKG_HOMEPAGE");
/// The greatest length of a description for search engines, in characters.
const DESCRIPTION: usize = 160;

/// Documents to which the site adds the tables of all figures.
const MEASURED: [(&str, &str); 2] = [("benches/REPORT.md", "performance"), ("benches/NEON.md", "neon")];

struct Pages<'a> {
    site: &'a Site<'a>,
    templates: Environment<'static>,
    has_rustdoc: bool,
}

/// Writes all pages.
pub(crate) fn write(
    site: &Site<'_>,
    encodings: &[EncodingData],
    indexes: &[IndexData],
    has_wasm: bool,
    has_rustdoc: bool,
) -> Result<()> {
    let mut templates = Environment::new();
    templates.set_loader(path_loader(site.root.join("xtask/site/templates")));
    templates.add_filter("grouped", grouped);
    templates.add_filter("hex", |code_point: u32| format!("{code_point:04X}"));
    templates.add_filter("percent", |part: usize, whole: usize| format!("{:.0}", part as f64 / whole as f64 * 100.0));
    let pages = Pages { site, templates, has_rustdoc };
    pages.charts(encodings, indexes)?;
    pages.encodings(encodings)?;
    pages.documents()?;
    let contexts = contexts::all();
    pages.page(
        "index",
        "index",
        context! {
            title => "textcodec: text in every encoding of the web",
            description => format!(
                "A library and program that convert text in the {} encodings of the WHATWG Encoding Standard, exactly as \
                 browsers do: for Rust, Python, JavaScript, C and the command line.",
                encodings.len()
            ),
            has_rustdoc,
            has_wasm,
            encodings => encodings.len(),
            indexes => indexes.len(),
            ladder => contexts::sources("HTML parser"),
            contexts => contexts.len(),
            ..home::values(site)?
        },
    )?;
    pages.page(
        "compare",
        "compare",
        context! {
            title => "Compare two encodings",
            description => "Two encodings of the web over each other: the characters or bytes that only one has, that are \
                the same in both, and that differ.",
        },
    )?;
    pages.page(
        "search",
        "search",
        context! {
            title => "Search",
            description => "Find a character, a code point, bytes or a label in all encodings of the web.",
        },
    )?;
    pages.page(
        "contexts",
        "contexts",
        context! {
            title => "Contexts and their ladders",
            description => "Where a page, a style sheet, a script or a form gets its encoding from: the sources that the \
                standards of the web ask, in their order.",
            contexts,
        },
    )?;
    pages.page(
        "playground",
        "playground",
        context! {
            title => "Playground",
            description => "Drop a file and see its bytes and characters side by side, find out its encoding, and encode \
                it in another one. The bytes stay on your machine.",
            has_wasm,
        },
    )
}

impl Pages<'_> {
    /// Renders the template and writes the page at `path`, a path without extension.
    fn page(&self, template: &str, path: &str, values: Value) -> Result<()> {
        let root = "../".repeat(path.matches('/').count());
        let template = self.templates.get_template(&format!("{template}.html"))?;
        let html = template
            .render(context! { root, path, repository => REPOSITORY, homepage => HOMEPAGE, ..values })
            .with_context(|| format!("the page {path}"))?;
        self.site.write(&format!("{path}.html"), &html)
    }

    fn charts(&self, encodings: &[EncodingData], indexes: &[IndexData]) -> Result<()> {
        #[derive(Serialize)]
        struct User<'a> {
            name: &'a str,
            slug: &'a str,
            decoded: usize,
            both: usize,
        }
        self.page(
            "charts",
            "charts",
            context! {
                title => "Charts of the indexes",
                description => "Every index of the WHATWG Encoding Standard as a chart, with its coverage of Unicode.",
                indexes,
            },
        )?;
        for index in indexes {
            let users: Vec<User<'_>> = encodings
                .iter()
                .flat_map(|encoding| encoding.sections.iter().map(move |section| (encoding, section)))
                .filter(|(_, section)| section.index == Some(index.name))
                .map(|(encoding, section)| User {
                    name: encoding.name,
                    slug: &encoding.slug,
                    decoded: section.decoded,
                    both: section.both,
                })
                .collect();
            let title = format!("Index {}", index.name);
            let description = format!(
                "Index {} of the WHATWG Encoding Standard as a chart: bytes, characters, and coverage of Unicode.",
                index.name
            );
            let values = context! { title, description, index, users };
            self.page("chart", &format!("index/{}", index.slug), values)?;
        }
        Ok(())
    }

    fn encodings(&self, encodings: &[EncodingData]) -> Result<()> {
        let systems = Systems::read(self.site)?;
        let descriptions = self.site.read("xtask/site/text/encodings.md")?;
        let descriptions = markdown::sections(&descriptions);
        let families: Vec<_> = FAMILIES
            .iter()
            .map(|(title, family)| {
                let members: Vec<_> = encodings.iter().filter(|encoding| family_of(encoding.name) == *family).collect();
                context! { title, members }
            })
            .collect();
        self.page(
            "encodings",
            "encodings",
            context! {
                title => "Encodings",
                description => "The 40 encodings of the WHATWG Encoding Standard: their labels, bytes and characters.",
                families,
            },
        )?;
        for data in encodings {
            let encoding =
                Encoding::for_label(data.name).ok().or_else(|| Encoding::all().find(|e| e.name() == data.name));
            let encoding = encoding.context("the encoding has a name")?;
            let (_, text_of) = descriptions
                .iter()
                .find(|(name, _)| *name == data.name)
                .with_context(|| format!("xtask/site/text/encodings.md has no section {}", data.name))?;
            let indexes: BTreeSet<&str> = data.sections.iter().filter_map(|section| section.index).collect();
            let indexes: Vec<_> = indexes.iter().map(|name| context! { name, slug => slug(name) }).collect();
            let values = context! {
                title => data.name,
                description => format!("{} in the WHATWG Encoding Standard. {}", data.name, markdown::summary(text_of, 100)),
                encoding => data,
                indexes,
                text => Value::from_safe_string(markdown::to_html(text_of, |link| Some(link.to_owned()))),
                output => encoding.output_encoding().name(),
                ascii => encoding.is_ascii_compatible(),
                everything => encoding.can_encode_everything(),
                diagram => diagrams::svg(encoding.id()).map(Value::from_safe_string),
                systems => systems.of(data.name),
                not_compared => systems.without(encoding.id()),
            };
            self.page("encoding", &format!("encoding/{}", data.slug), values)?;
        }
        Ok(())
    }

    fn documents(&self) -> Result<()> {
        let mut guide = Vec::new();
        for name in GUIDE {
            let text = self.site.read(&format!("crates/textcodec/guide/{name}.md"))?;
            let (title, _) = markdown::split_title(&text);
            guide.push(context! { title, path => format!("guide/{name}") });
            self.document(&text, &format!("crates/textcodec/guide/{name}.md"), &format!("guide/{name}"))?;
        }
        let rows: Vec<_> =
            DOCUMENTS.iter().chain(&MEASURED).map(|(file, page)| context! { title => file, path => page }).collect();
        self.page(
            "documents",
            "documents",
            context! {
                title => "Documents",
                description => "The guide to textcodec, a page for each task, and the documents of the project.",
                guide,
                rows,
                has_rustdoc => self.has_rustdoc,
            },
        )?;
        for (file, page) in DOCUMENTS {
            self.document(&self.site.read(file)?, file, page)?;
        }
        self.site.write("report.svg", &self.site.read("benches/report.svg")?)?;
        for ((file, page), tables) in
            MEASURED.iter().zip([figures::of_report(self.site)?, figures::of_neon(self.site)?])
        {
            self.document(&(self.site.read(file)? + &tables), file, page)?;
        }
        Ok(())
    }

    /// Writes the page of a document in Markdown; `file` is its path in the project.
    fn document(&self, text: &str, file: &str, page: &str) -> Result<()> {
        // A document that a command writes says so in its first line.
        let text = if text.starts_with("<!-- ") { text.split_once('\n').map_or(text, |(_, rest)| rest) } else { text };
        let (title, rest) = markdown::split_title(text);
        let html = markdown::to_html(rest, |link| self.link(link, file, page));
        let html = if html.contains("<h1 ") { markdown::lower_headings(&html) } else { html };
        let html = html.replace("<table>", "<table class=\"document\">");
        // The picture of the report is at the root of the site.
        let html = html.replace(&format!("src=\"{PICTURE}\""), "src=\"report.svg\"");
        let html = if page == "performance" { picture_first(&html)? } else { html };
        let description = format!("{title}, a document of textcodec: {}", markdown::summary(rest, DESCRIPTION));
        self.page("document", page, context! { title, description, file, html => Value::from_safe_string(html) })
    }

    /// The target in the site of a link in the document `file`; `None` if the site does not have it.
    fn link(&self, link: &str, file: &str, page: &str) -> Option<String> {
        if link.starts_with('#') {
            return Some(link.to_owned());
        }
        if link.starts_with("https://") {
            // The site has some files of the repository as pages; the others are there only.
            let page = link.strip_prefix(SOURCE).and_then(|path| self.link(path, "README.md", page));
            return Some(page.unwrap_or_else(|| link.to_owned()));
        }
        let root = "../".repeat(page.matches('/').count());
        if let Some(item) = link.strip_prefix("crate::").or_else(|| link.strip_prefix("super::")) {
            return Some(format!("{root}{}", self.item(item)?));
        }
        let (path, fragment) =
            link.split_once('#').map_or((link, String::new()), |(path, id)| (path, format!("#{id}")));
        let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
        let path = joined(folder, path);
        let (_, page) = DOCUMENTS.iter().chain(&MEASURED).find(|(file, _)| *file == path)?;
        Some(format!("{root}{page}.html{fragment}"))
    }

    /// The page of an item of the crate textcodec: a page of the guide, or what rustdoc wrote.
    fn item(&self, item: &str) -> Option<String> {
        let (item, _) = item.split_once('#').unwrap_or((item, ""));
        if let Some(page) = item.strip_prefix("guide::") {
            return Some(format!("guide/{}.html", page.replace('_', "-")));
        }
        let parts: Vec<&str> = item.trim_end_matches("()").split("::").collect();
        let mut folder = "rustdoc/textcodec".to_owned();
        for (i, part) in parts.iter().enumerate() {
            for kind in ["struct", "enum", "trait", "fn", "constant", "macro", "type", "static"] {
                let path = format!("{folder}/{kind}.{part}.html");
                if self.site.output.join(&path).exists() {
                    let member = parts.get(i + 1).map(|member| format!("#{}.{member}", member_kind(kind, member)));
                    return Some(path + &member.unwrap_or_default());
                }
            }
            folder = format!("{folder}/{part}");
        }
        let path = format!("{folder}/index.html");
        self.site.output.join(&path).exists().then_some(path)
    }
}

/// The kind of a member of a type, in rustdoc's anchors.
fn member_kind(kind: &str, member: &str) -> &'static str {
    match (kind, member.starts_with(char::is_uppercase)) {
        ("enum", true) => "variant",
        (_, true) => "associatedconstant",
        _ => "method",
    }
}

/// The report with its picture after the first paragraph. What stood between them, how the figures were measured, opens
/// after the picture.
fn picture_first(html: &str) -> Result<String> {
    let (first, rest) = html.split_once("</p>").context("the report has no paragraph")?;
    let (measured, picture) = rest.split_once("<p><img ").context("the report has no picture in a paragraph")?;
    let (picture, rest) = picture.split_once("</p>").context("the paragraph of the picture has no end")?;
    Ok(format!(
        "{first}</p>\n<p>The columns d8 and d16 decode bytes to UTF-8 and UTF-16; e8 and e16 encode UTF-8 and UTF-16 to bytes.\
         </p>\n<div class=\"wide picture-of-speed\" tabindex=\"0\" role=\"region\" aria-label=\"Picture\"><img {picture}\
         </div>\n<details><summary>How the figures were measured</summary>{measured}</details>{rest}"
    ))
}

/// The path `path`, relative to `folder`.
fn joined(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        if part == ".." {
            parts.pop();
        } else if part != "." {
            parts.push(part);
        }
    }
    parts.join("/")
}

/// The families in the list of encodings: the title, and the name that [`family_of`] gives.
const FAMILIES: [(&str, &str); 6] = [
    ("Unicode", "unicode"),
    ("Single-byte", "single-byte"),
    ("Chinese", "chinese"),
    ("Japanese", "japanese"),
    ("Korean", "korean"),
    ("Miscellaneous", "miscellaneous"),
];

fn family_of(name: &str) -> &'static str {
    match name {
        "UTF-8" | "UTF-16BE" | "UTF-16LE" => "unicode",
        "GBK" | "gb18030" | "Big5" => "chinese",
        "EUC-JP" | "ISO-2022-JP" | "Shift_JIS" => "japanese",
        "EUC-KR" => "korean",
        "replacement" | "x-user-defined" => "miscellaneous",
        _ => "single-byte",
    }
}

#[cfg(test)]
mod tests {
    use super::{joined, picture_first};

    #[test]
    fn the_picture_of_the_report_stands_before_the_way_of_measuring() {
        let html = picture_first("<p>a</p><table></table><p>b</p><p><img src=\"c\"></p><h2>d</h2>").unwrap();
        let places = ["a</p>", "<img", "<details>", "<table>", "<p>b", "</details><h2>d"].map(|part| html.find(part));
        assert!(places.is_sorted() && places[0].is_some(), "{html}");
        assert!(picture_first("<p>a</p>").is_err());
    }

    #[test]
    fn paths_are_relative_to_the_folder_of_the_document() {
        assert_eq!(joined("docs", "../DESIGN.md"), "DESIGN.md");
        assert_eq!(joined("", "docs/kernels.md"), "docs/kernels.md");
    }
}
