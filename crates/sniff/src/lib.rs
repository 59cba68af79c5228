//! Which encoding is it? The algorithms by which HTML, XML, CSS, Fetch, XHR and others find out, and the order in which each
//! listens to whom.
//!
//! ```
//! use textcodec_sniff::{Hints, MimeType, html};
//!
//! let content_type = MimeType::parse(b"text/html; charset=unknown");
//! let hints = Hints { transport: content_type.and_then(|m| m.charset()).map(|c| c.label()), ..Hints::default() };
//! let sniffed = html(b"<!doctype html><meta charset='windows-1251'>", hints);
//! assert_eq!(sniffed.to_string(), "windows-1251, tentative: a meta element declares it");
//! ```
//!
//! The outcome is a [`Name`]: this crate links no encoding. `textcodec::sniff` has all of it, and decodes.
//!
//! | what | where |
//! | --- | --- |
//! | a kind of resource, all bytes there | [`html`], [`xml`], [`css`], [`classic_script`], [`xhr_text`], [`xhr_document`], [`text`], [`file_reader`], with [`Hints`] |
//! | any of the contexts in which bytes become text | [`Context`]: what its standard says, and [`Context::sniff`] |
//! | bytes that arrive by and by | [`Sniffer`] |
//! | where a declaration stands | [`Declaration`] |
//! | a declaration that comes late | [`MetaElement`], [`change_the_encoding`] |
//! | HTTP's `Content-Type` | [`MimeType`], [`legacy_extract_an_encoding`] |
//! | HTML's algorithms | [`prescan_a_byte_stream`], [`get_an_attribute`], [`extract_a_character_encoding_from_a_meta_element`], [`get_an_xml_encoding`], [`locale_default`] |
//! | those of others | [`bom_sniff`], [`determine_the_fallback_encoding`] of CSS, [`Autodetection`] and [`xml_declaration`] of XML |
//! | the bytes alone | `structure`, with the feature `structure` |
//!
//! A label that names no encoding is as good as none: the next rung is asked.
//!
//! # A declaration beyond the first 1024 bytes
//!
//! The ladder looks for a `meta` element in the first [`PRESCAN_LENGTH`] bytes. One that comes later is found by the parser,
//! which knows real markup from comments and scripts, and [changes the encoding](change_the_encoding). Without a parser,
//! [`prescan_a_byte_stream`] with `usize::MAX` finds most of them.
//!
//! `#![no_std]`, no allocation, no panics on any bytes.
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
