//! The crates whose tests run.

/// A crate from crates.io with tests that travel in its package.
pub(super) struct Suite {
    pub(super) name: &'static str,
    pub(super) version: &'static str,
    /// The arguments of Cargo that select features, and the targets if not all of them are tested.
    pub(super) arguments: &'static [&'static str],
    /// The version of encoding_rs that the crate is tested with.
    pub(super) encoding_rs: &'static str,
    /// The part of encoding_rs that the crate calls, for the page.
    pub(super) calls: &'static str,
    pub(super) kind: Kind,
}

/// The parts of a run of a suite.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The tests and the examples in the documentation.
    Tests,
    /// The crate has no tests: it is built only.
    Build,
}

/// The newest version of encoding_rs, which all crates but those with another pin are tested with.
pub(super) const NEWEST: &str = "0.8.44";

const fn tests(name: &'static str, version: &'static str, calls: &'static str) -> Suite {
    Suite { name, version, arguments: &[], encoding_rs: NEWEST, calls, kind: Kind::Tests }
}

const fn build(name: &'static str, version: &'static str, calls: &'static str) -> Suite {
    Suite { kind: Kind::Build, ..tests(name, version, calls) }
}

impl Suite {
    const fn with(self, arguments: &'static [&'static str]) -> Self {
        Suite { arguments, ..self }
    }

    const fn pinned_to(self, encoding_rs: &'static str) -> Self {
        Suite { encoding_rs, ..self }
    }
}

pub(super) const SUITES: [Suite; 16] = [
    tests("encoding_rs_io", "0.1.8", "`for_bom`, decoding streams"),
    tests("encoding_rs_rw", "0.4.3", "decoding and encoding streams"),
    tests("charset", "0.1.5", "`for_label`, `for_bom`, `mem::decode_latin1`, `X_INIT`"),
    tests("chardetng", "1.0.0", "`decode_to_utf16_without_replacement`, `X_INIT`"),
    tests("codepage", "0.1.3", "all encodings and `X_INIT`"),
    tests("tendril", "0.5.1", "`decode_to_utf8_without_replacement`").with(&["--features", "encoding_rs"]),
    tests("multer", "3.1.0", "`for_label`, `decode`").with(&["--all-features"]),
    tests("grep-searcher", "0.1.17", "`for_label_no_replacement`, by way of encoding_rs_io"),
    tests("ripgrep", "15.2.0", "`for_label_no_replacement`, by way of encoding_rs_io"),
    tests("quick-xml", "0.42.0", "`for_label`, `decode_to_string_without_replacement`, `encode`")
        .with(&["--all-features"]),
    tests("lol_html", "3.0.3", "`decode_to_str`, `encode_from_utf8`, `ascii_valid_up_to`"),
    tests("yaml-rust2", "0.13.1", "`for_bom`, `decode_to_string`").pinned_to("0.8.35"),
    tests("mailparse", "0.18.0", "by way of charset"),
    tests("feed-rs", "3.0.0", "by way of quick-xml"),
    build("encoding_c", "0.9.8", "the whole interface but `mem`"),
    build("encoding_c_mem", "0.2.6", "the whole of `mem`"),
];

/// Crates that use encoding_rs and are not tested, with the reason.
pub(super) const NOT_TESTED: [(&str, &str); 8] = [
    ("reqwest 0.13.5, attohttpc 0.31.0, ureq 3.5.2", "most tests need the network"),
    ("calamine 0.38.0", "the files that its tests read are not in the package"),
    ("cssparser 0.38.0", "the files that its tests read are not in the package"),
    ("actix-http 3.20.0", "its tests need packages of its own workspace"),
    ("tiberius 0.13.0", "its tests need a database server"),
    ("deno_web 0.291.0", "it has one test, and needs V8"),
    ("gix-filter 0.36.1", "its tests are not in the package"),
    ("rc-zip 5.4.1", "it has no tests"),
];
