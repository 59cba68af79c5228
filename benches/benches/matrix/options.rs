//! The arguments of the benchmark.

use textcodec::Encoding;
use textcodec_benches::{Contestant, Operation};
use textcodec_kernels::level::{Level, level, levels};

pub(crate) const USAGE: &str = "usage: matrix [OPTION]… [ENCODING]…
  ENCODING          part of a name, in any case; only encodings that match are measured
  --table NAME      encodings, ascii, warm, short, one-shot, stream, making, malformed, lacking or
                    labels; may be repeated
  --operation NAME  d8, d16, e8 or e16; may be repeated
  --peer NAME       encoding_rs, textcodec-encoding-rs, simdutf (if built), simdutf8, std, iconv, ICU or memcpy; may be repeated
  --level NAME      the level of the kernels: scalar, sse41, avx2, avx512 or neon
  --kib N           the length of a text in KiB
  --tsv             print one line for each figure, for other programs";

pub(crate) struct Options {
    /// Whether to measure: `cargo bench` passes `--bench`, and `cargo test` does not.
    pub(crate) measure: bool,
    pub(crate) tsv: bool,
    /// The length of a text in bytes.
    pub(crate) length: usize,
    pub(crate) level: Level,
    tables: Vec<Table>,
    operations: Vec<Operation>,
    peers: Vec<Contestant>,
    /// Parts of names of encodings, in lower case.
    encodings: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Table {
    Encodings,
    Ascii,
    Warm,
    Short,
    OneShot,
    Stream,
    Making,
    Malformed,
    Lacking,
    Labels,
}

impl Table {
    pub(crate) const ALL: [Table; 10] = [
        Table::Encodings,
        Table::Ascii,
        Table::Warm,
        Table::Short,
        Table::OneShot,
        Table::Stream,
        Table::Making,
        Table::Malformed,
        Table::Lacking,
        Table::Labels,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Table::Encodings => "encodings",
            Table::Ascii => "ascii",
            Table::Warm => "warm",
            Table::Short => "short",
            Table::OneShot => "one-shot",
            Table::Stream => "stream",
            Table::Making => "making",
            Table::Malformed => "malformed",
            Table::Lacking => "lacking",
            Table::Labels => "labels",
        }
    }
}

impl Options {
    pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        // `--kib=64` is `--kib 64`.
        let mut arguments = arguments.flat_map(|argument| match argument.split_once('=') {
            Some((name, value)) if name.starts_with("--") => vec![name.to_owned(), value.to_owned()],
            _ => vec![argument],
        });
        let mut options = Options {
            measure: false,
            tsv: false,
            length: 1 << 20,
            level: level(),
            tables: vec![],
            operations: vec![],
            peers: vec![],
            encodings: vec![],
        };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
            match argument.as_str() {
                "--bench" => options.measure = true,
                "--tsv" => options.tsv = true,
                "--table" => options.tables.push(named(Table::ALL, |table| table.name().into(), &value()?)?),
                "--operation" => options.operations.push(named(Operation::ALL, |one| one.name().into(), &value()?)?),
                // The name of encoding_rs has a second word in some builds.
                "--peer" => options.peers.push(named(
                    Contestant::OTHERS.iter().copied(),
                    |peer| first_word(&peer.name()),
                    &value()?,
                )?),
                "--level" => options.level = named(levels(), |level| format!("{level:?}"), &value()?)?,
                "--kib" => {
                    let kib: usize = value()?.parse().map_err(|error| format!("--kib: {error}"))?;
                    options.length = kib.max(1).checked_mul(1024).ok_or("--kib: too many")?;
                }
                _ if argument.starts_with('-') => return Err(format!("unknown option {argument}")),
                _ => options.encodings.push(argument.to_ascii_lowercase()),
            }
        }
        if Encoding::all().all(|encoding| !options.takes(encoding.name())) {
            return Err(format!("no encoding matches {}", options.encodings.join(" ")));
        }
        Ok(options)
    }

    /// Whether `table` is wanted. The table of labels belongs to no encoding, so it is left out if encodings are named.
    pub(crate) fn wants(&self, table: Table) -> bool {
        match self.tables.is_empty() {
            true => table != Table::Labels || !self.names_encodings(),
            false => self.tables.contains(&table),
        }
    }

    /// Whether the arguments name encodings.
    pub(crate) fn names_encodings(&self) -> bool {
        !self.encodings.is_empty()
    }

    /// Whether the encoding with this name is wanted.
    pub(crate) fn takes(&self, name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        self.encodings.is_empty() || self.encodings.iter().any(|part| name.contains(part))
    }

    /// The wanted operations of an encoding; `None` for an operation that the encoding does not have.
    pub(crate) fn operations(&self, encoding: Encoding) -> impl Iterator<Item = Option<Operation>> {
        let wanted = self.wanted_operations();
        wanted.into_iter().map(move |operation| operation.exists_in(encoding).then_some(operation))
    }

    pub(crate) fn wanted_operations(&self) -> Vec<Operation> {
        let wants = |operation: &Operation| self.operations.is_empty() || self.operations.contains(operation);
        Operation::ALL.into_iter().filter(wants).collect()
    }

    /// textcodec at the chosen level, and the wanted peers.
    pub(crate) fn contestants(&self) -> Vec<Contestant> {
        let wants = |peer: &Contestant| self.peers.is_empty() || self.peers.contains(peer);
        let peers = Contestant::OTHERS.iter().copied().filter(wants);
        [Contestant::Ours(Some(self.level))].into_iter().chain(peers).collect()
    }
}

/// The first of `values` that has this name, in any case.
fn named<T>(values: impl IntoIterator<Item = T>, name_of: impl Fn(&T) -> String, name: &str) -> Result<T, String> {
    let mut values = values.into_iter();
    values.find(|value| name_of(value).eq_ignore_ascii_case(name)).ok_or_else(|| format!("there is no {name} here"))
}

fn first_word(name: &str) -> String {
    name.split(' ').next().unwrap_or(name).into()
}
