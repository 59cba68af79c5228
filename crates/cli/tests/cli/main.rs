//! Tests that run the program as a user runs it.

mod check;
mod convert;
mod declarations;
mod errors;
mod list;
mod many;
#[cfg(unix)]
mod many_unix;
#[cfg(unix)]
mod output;
mod room;
mod sniff;
mod text;
