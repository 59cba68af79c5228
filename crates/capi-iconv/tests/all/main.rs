//! The tests of libtextcodec-iconv.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod behaviours;
#[cfg(unix)]
mod c;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod glibc;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod matrix;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod mutated;

/// The rows of the table of differences from glibc: a suffix, a charset, the ways, and the reason.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn differences() -> impl Iterator<Item = [&'static str; 4]> {
    let lines = include_str!("../differences.tsv").lines().skip(1);
    lines.map(|line| line.split('\t').collect::<Vec<_>>().try_into().expect("a row has four columns"))
}
