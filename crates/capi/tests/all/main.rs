//! The tests of libtextcodec.
//!
//! The tests in C are compiled by gcc and clang, as far as they are installed, and linked with the library that cargo
//! has built for these tests.

#[cfg(unix)]
mod c;
mod header;
mod matrix;
#[cfg(unix)]
mod pieces;
