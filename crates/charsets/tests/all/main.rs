//! The tests of the charsets. They are one program, because each program is linked again.

mod accents;
mod battery;
mod bulk;
mod composing;
mod cut_rules;
mod dicom;
mod escapes;
mod facts;
mod iconv;
mod iso_2022;
mod libraries;
mod mappings;
mod names;
mod pairs;
mod pairs_iconv;
mod tscii;
mod unicode;
