//! Finds out the encoding of a resource. This crate has the algorithms of HTML, XML, CSS, Fetch, XHR and other
//! standards, and the order in which each standard asks its sources, such as headers, byte order marks and
//! declarations.
//!
//! ```
//! use textcodec_sniff::{Hints, html};
//!
//! let hints = Hints::from_content_type("text/html; charset=unknown");
//! let sniffed = html(b"<!doctype html><meta charset='windows-1251'>", hints);
//! assert_eq!(sniffed.to_string(), "windows-1251, tentative: a meta element declares it");
//! ```
//!
//! The result is a [`Name`]: this crate links no encoding. The module `textcodec::sniff` exports all items of this
//! crate, and decodes.
//!
//! | subject | items |
//! | --- | --- |
//! | resources of one kind, with all bytes at hand | [`html`], [`xml`], [`css`], [`classic_script`], [`xhr_text`], [`xhr_document`], [`text`], [`file_reader`], with [`Hints`] |
//! | all contexts in which bytes become text | [`Context`]: the facts from its standard, and [`Context::sniff`] |
//! | bytes that arrive in pieces | [`Sniffer`] |
//! | declarations that come late | [`MetaElement`], [`change_the_encoding`] |
//! | the place of a declaration | [`Declaration`] |
//! | HTTP's `Content-Type` | [`MimeType`], [`Hints::from_content_type`], [`legacy_extract_an_encoding`] |
//! | HTML's algorithms | [`prescan_a_byte_stream`], [`get_an_attribute`], [`extract_a_character_encoding_from_a_meta_element`], [`get_an_xml_encoding`], [`locale_default`] |
//! | algorithms of other standards | [`bom_sniff`], [`determine_the_fallback_encoding`] of CSS, [`Autodetection`] and [`xml_declaration`] of XML |
//! | menus of encodings | [`browser_ui`] |
//! | guesses from the bytes alone | `structure`, with the feature `structure` |
//!
//! The sources of a context form a *ladder*: the first rung that names an encoding decides. A label that names no
//! encoding counts as no label, and the next rung is asked. `DESIGN.md` in the folder of this crate explains the
//! decisions behind it.
//!
//! # A declaration after the first 1024 bytes
//!
//! The ladder looks for a `meta` element in the first [`PRESCAN_LENGTH`] bytes. A later one is found by the parser,
//! which can tell markup from comments and scripts, and which then [changes the encoding](change_the_encoding). Without
//! a parser, [`prescan_a_byte_stream`] with `usize::MAX` finds most of these elements.
//!
//! This crate is `#![no_std]`. It never allocates, and no bytes cause a panic.
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod ascii;
mod attribute;
mod bom;
pub mod browser_ui;
mod change;
mod context;
mod css;
mod declaration;
mod fetch;
mod hints;
mod http;
mod ladder;
mod locale;
mod meta;
mod mime;
mod parameters;
mod prescan;
#[cfg(feature = "serde")]
mod serde;
mod sniffed;
mod sniffer;
#[cfg(feature = "structure")]
pub mod structure;
mod xml;
mod xml_encoding;

pub use attribute::{Attribute, EndOfBytes, get_an_attribute};
pub use bom::bom_sniff;
pub use change::{Change, change_the_encoding};
pub use context::{Context, ErrorMode, Fallback, Operation, Source};
pub use css::determine_the_fallback_encoding;
pub use declaration::Declaration;
pub use fetch::legacy_extract_an_encoding;
pub use hints::{Heuristic, Hints, Label};
pub use ladder::{classic_script, css, file_reader, html, text, xhr_document, xhr_text, xml};
pub use locale::locale_default;
pub use meta::{MetaElement, extract_a_character_encoding_from_a_meta_element};
pub use mime::{MimeType, Resource};
pub use parameters::{Parameter, Value};
pub use prescan::{PRESCAN_LENGTH, prescan_a_byte_stream};
pub use sniffed::{Confidence, Rung, Sniffed};
pub use sniffer::Sniffer;
pub use textcodec_core::{Bom, Name};
pub use xml::{Autodetection, xml_declaration};
pub use xml_encoding::{DECLARATION_LENGTH, get_an_xml_encoding};
