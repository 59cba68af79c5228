//! The pages: one template each.

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use minijinja::{Environment, Value, context, path_loader};
use serde::Serialize;
use textcodec::Encoding;

use crate::{
    Site, contexts, diagrams,
    encodings::{EncodingData, slug},
    figures,
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
    pages.page(
        "index",
        "index",
        context! { title => "textcodec", has_rustdoc, encodings => encodings.len(), indexes => indexes.len() },
    )?;
    pages.page("compare", "compare", context! { title => "Compare two encodings" })?;
    pages.page("search", "search", context! { title => "Search" })?;
    pages.page(
        "contexts",
        "contexts",
        context! { title => "Contexts and their ladders", contexts => contexts::all() },
    )?;
    pages.page("playground", "playground", context! { title => "Playground", has_wasm })
}

impl Pages<'_> {
    /// Renders the template and writes the page at `path`, a path without extension.
    fn page(&self, template: &str, path: &str, values: Value) -> Result<()> {
        let root = "../".repeat(path.matches('/').count());
        let template = self.templates.get_template(&format!("{template}.html"))?;
        let html = template.render(context! { root, path, ..values }).with_context(|| format!("the page {path}"))?;
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
        self.page("charts", "charts", context! { title => "Charts of the indexes", indexes })?;
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
            self.page("chart", &format!("index/{}", index.slug), context! { title, index, users })?;
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
        self.page("encodings", "encodings", context! { title => "Encodings", families })?;
        for data in encodings {
            let encoding =
                Encoding::for_label(data.name).ok().or_else(|| Encoding::all().find(|e| e.name() == data.name));
            let encoding = encoding.context("the encoding has a name")?;
            let (_, description) = descriptions
                .iter()
                .find(|(name, _)| *name == data.name)
                .with_context(|| format!("xtask/site/text/encodings.md has no section {}", data.name))?;
            let indexes: BTreeSet<&str> = data.sections.iter().filter_map(|section| section.index).collect();
            let indexes: Vec<_> = indexes.iter().map(|name| context! { name, slug => slug(name) }).collect();
            let values = context! {
                title => data.name,
                encoding => data,
                indexes,
                description => Value::from_safe_string(markdown::to_html(description, |link| Some(link.to_owned()))),
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
            context! { title => "Documents", guide, rows, has_rustdoc => self.has_rustdoc },
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
        self.page("document", page, context! { title, file, html => Value::from_safe_string(html) })
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
    use super::joined;

    #[test]
    fn paths_are_relative_to_the_folder_of_the_document() {
        assert_eq!(joined("docs", "../DESIGN.md"), "DESIGN.md");
        assert_eq!(joined("", "docs/kernels.md"), "docs/kernels.md");
    }
}
