//! Tests that run the program as a user runs it.

#[cfg(unix)]
mod beside;
mod check;
#[cfg(unix)]
mod collisions;
mod convert;
mod damage;
mod declarations;
mod errors;
#[cfg(target_os = "linux")]
mod examples;
#[cfg(target_os = "linux")]
mod faults;
#[cfg(unix)]
mod git_filter;
mod guess;
mod iconv;
mod list;
mod many;
#[cfg(unix)]
mod many_unix;
#[cfg(target_os = "linux")]
mod matrix;
#[cfg(target_os = "linux")]
mod names;
mod names_zip;
mod old_files;
#[cfg(unix)]
mod output;
mod repair;
mod room;
mod show;
#[cfg(unix)]
mod signals;
mod sniff;
#[cfg(target_os = "linux")]
mod terminal;
mod text;
mod tree;
