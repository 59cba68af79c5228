//! Markdown as HTML: the guide, the README and other documents of the project.

use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// Converts `markdown`. `link` gives the new target of a link, or `None` to leave only its text.
pub(crate) fn to_html(markdown: &str, link: impl Fn(&str) -> Option<String>) -> String {
    let mut events = Vec::new();
    let mut in_rust = false;
    let mut dropped_links = Vec::new();
    let mut regions = 0;
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let target = link(&dest_url);
                dropped_links.push(target.is_none());
                if let Some(target) = target {
                    events.push(Event::Start(Tag::Link { link_type, dest_url: target.into(), title, id }));
                }
            }
            Event::End(TagEnd::Link) => {
                if dropped_links.pop() != Some(true) {
                    events.push(Event::End(TagEnd::Link));
                }
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                in_rust = match &kind {
                    CodeBlockKind::Fenced(language) => language.is_empty() || language.contains("rust"),
                    CodeBlockKind::Indented => false,
                };
                events.push(region("code", "Code", &mut regions));
                events.push(Event::Start(Tag::CodeBlock(kind)));
            }
            Event::End(TagEnd::CodeBlock) => {
                in_rust = false;
                events.push(Event::End(TagEnd::CodeBlock));
                events.push(Event::Html("</div>".into()));
            }
            // rustdoc hides lines of examples that begin with "# ".
            Event::Text(text) if in_rust => events.push(Event::Text(visible_lines(&text))),
            Event::Start(Tag::Table(alignments)) => {
                events.push(region("wide", "Table", &mut regions));
                events.push(Event::Start(Tag::Table(alignments)));
            }
            Event::End(TagEnd::Table) => {
                events.push(Event::End(TagEnd::Table));
                events.push(Event::Html("</div>".into()));
            }
            event => events.push(event),
        }
    }
    let mut output = String::new();
    html::push_html(&mut output, with_ids(events).into_iter());
    // An empty header cell has no meaning for a screen reader, and an empty header row has none for anybody.
    output.replace("<th></th>", "<td></td>").replace("<thead><tr><td></td><td></td></tr></thead>", "")
}

/// The start of a box that scrolls. A box that scrolls must be reached with the keyboard and needs a name of its own.
fn region<'a>(class: &str, name: &str, regions: &mut u32) -> Event<'a> {
    *regions += 1;
    Event::Html(
        format!("<div class=\"{class}\" tabindex=\"0\" role=\"region\" aria-label=\"{name} {regions}\">").into(),
    )
}

/// Gives each heading the identifier that links on GitHub use: its text in lower case, with hyphens for spaces.
fn with_ids(mut events: Vec<Event<'_>>) -> Vec<Event<'_>> {
    let mut used = Vec::new();
    for i in 0..events.len() {
        let Event::Start(Tag::Heading { .. }) = events[i] else { continue };
        let text: String = events[i..]
            .iter()
            .take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))))
            .filter_map(|event| match event {
                Event::Text(text) | Event::Code(text) => Some(&**text),
                _ => None,
            })
            .collect();
        let mut anchor = anchor(&text);
        while used.contains(&anchor) {
            anchor.push('-');
        }
        used.push(anchor.clone());
        if let Event::Start(Tag::Heading { id, .. }) = &mut events[i] {
            *id = Some(anchor.into());
        }
    }
    events
}

fn anchor(text: &str) -> String {
    let kept =
        text.to_lowercase().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_')).collect::<String>();
    kept.replace(' ', "-")
}

fn visible_lines<'a>(text: &str) -> CowStr<'a> {
    let hidden = |line: &str| line == "#" || line.starts_with("# ") || line == "#\n";
    text.split_inclusive('\n').filter(|line| !hidden(line)).collect::<String>().into()
}

/// The text of the first heading of level 1, or the first line; and the rest.
pub(crate) fn split_title(markdown: &str) -> (&str, &str) {
    let (first, rest) = markdown.trim_start().split_once('\n').unwrap_or((markdown, ""));
    (first.trim_start_matches("# ").trim().trim_end_matches('.'), rest)
}

/// The first paragraph of `markdown` without its markup, cut after the last sentence, or else the last word, that ends
/// within `limit` characters.
pub(crate) fn summary(markdown: &str, limit: usize) -> String {
    let mut in_paragraph = false;
    let mut text = String::new();
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Paragraph) => in_paragraph = true,
            Event::End(TagEnd::Paragraph) if !text.is_empty() => break,
            Event::Text(part) | Event::Code(part) if in_paragraph => text.push_str(&part),
            Event::SoftBreak | Event::HardBreak if in_paragraph => text.push(' '),
            _ => {}
        }
    }
    let Some((end, _)) = text.char_indices().nth(limit) else { return text };
    let start = &text[..end];
    match (start.rfind(". "), start.rfind(' ')) {
        (Some(sentence), _) => start[..=sentence].to_owned(),
        (None, Some(word)) => format!("{} …", &start[..word]),
        (None, None) => start.to_owned(),
    }
}

/// The sections of `markdown` under headings of level 2: the heading and the text.
pub(crate) fn sections(markdown: &str) -> Vec<(&str, &str)> {
    markdown
        .split("\n## ")
        .skip(1)
        .map(|section| section.split_once('\n').unwrap_or((section, "")))
        .map(|(title, text)| (title.trim(), text.trim()))
        .collect()
}

/// `markdown` with every heading one level lower, below the title of a page.
pub(crate) fn lower_headings(html: &str) -> String {
    let mut html = html.to_owned();
    for level in [HeadingLevel::H5, HeadingLevel::H4, HeadingLevel::H3, HeadingLevel::H2, HeadingLevel::H1] {
        let (from, to) = (level as usize, level as usize + 1);
        html = html
            .replace(&format!("<h{from} "), &format!("<h{to} "))
            .replace(&format!("</h{from}>"), &format!("</h{to}>"));
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_lines_of_examples_are_left_out() {
        let html = to_html("```\n# hidden();\nseen();\n#[attribute]\n```\n", |_| None);
        assert!(html.contains("seen();\n#[attribute]") && !html.contains("hidden"), "{html}");
    }

    #[test]
    fn a_link_without_target_keeps_its_text() {
        assert_eq!(to_html("[`a`](crate::a)", |_| None), "<p><code>a</code></p>\n");
        assert_eq!(to_html("[a](b)", |target| Some(format!("x/{target}"))), "<p><a href=\"x/b\">a</a></p>\n");
    }

    #[test]
    fn a_summary_is_the_first_paragraph_and_ends_with_a_sentence_or_a_word() {
        assert_eq!(summary("# A\n\nOne `two`\n[three](b).\n\nFour.", 99), "One two three.");
        assert_eq!(summary("One. Two. Three.", 12), "One. Two.");
        assert_eq!(summary("One two three", 9), "One two …");
    }

    #[test]
    fn headings_have_the_identifiers_of_links() {
        assert_eq!(
            to_html("# Only what you need!", |_| None),
            "<h1 id=\"only-what-you-need\">Only what you need!</h1>\n"
        );
    }
}
