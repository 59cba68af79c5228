//! Character sets of libraries, of genealogy, and of short messages.

use std::process::Command;

use textcodec_charsets::{Charset, libraries::*};
use textcodec_core::testing::{Subject, battery, check_bytes, check_texts};

fn subject(charset: Charset) -> Subject {
    Subject::new(charset.name(), charset.codec(), 4)
}

#[test]
fn marks_of_ansel_come_before_their_letter() {
    check_texts(
        subject(ANSEL),
        &[
            (b"Kr\xF0Ar\xE2\xE3e\xA1", "Kr\u{41}\u{327}re\u{301}\u{302}Ł"),
            // A mark over two letters has two halves.
            (b"\xEBt\xECs \xFAn\xFBg", "t\u{361}s n\u{360}g"),
            // A letter has at most two marks, and a mark has a letter.
            (b"\xE1\xE2\xE3a", "\u{FFFD}a\u{302}"),
            (b"a\xE1", "a\u{FFFD}"),
            (b"\xE1\x80a\xFF", "\u{FFFD}\u{FFFD}a\u{FFFD}"),
            (b"\xE1\xC8\xE1\xC5", "\u{FFFD}€¿\u{300}"),
            (b"\xC7\xCF\xC8\xA1\xAE\xBE\xCD", "ßß€Łʼ□e"),
        ],
    );
    assert!(ANSEL.new_encoder().is_none());
}

#[test]
fn short_messages_have_an_extension_after_an_escape() {
    let texts: [(&[u8], &str); 3] = [
        (b"\0\x02 a\x1Be\x1B(\x7B\x1B\x0A", "@$ a€{ä\u{C}"),
        (b"\x1Ba", "\u{FFFD}a"),
        (b"a\x80\x1B", "a\u{FFFD}\u{FFFD}"),
    ];
    check_texts(subject(GSM_03_38), &texts);
    check_bytes(subject(GSM_03_38), &[(texts[0].1, texts[0].0), ("Ψ¿ñ|", b"\x17\x60\x7D\x1B@")]);
    assert_eq!(GSM_03_38.encode_or_fail("a`").unwrap_err().code_point, '`');
}

#[test]
fn ansel_passes_the_battery() {
    battery(subject(ANSEL), b"a\xA1\xE1\xE2\xEC\xFF", "");
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes a second")]
fn short_messages_pass_the_battery() {
    battery(subject(GSM_03_38), b"a\x1B\x0Ae\0\xFF", "a@€[é`");
}

/// The text that a script of Perl writes. `None` if Perl or its package is not installed.
fn perl(script: &str) -> Option<String> {
    let output = Command::new("perl").args(["-e", script]).output().ok()?;
    output.status.success().then(|| String::from_utf8(output.stdout).unwrap())
}

#[test]
fn perl_decodes_alike() {
    let gsm = "use Encode; binmode STDOUT, ':utf8'; for my $o (0..0x7F) { next if $o == 0x1B; \
               print decode('gsm0338', chr($o)); }";
    let ansel = "use MARC::Charset qw(marc8_to_utf8); binmode STDOUT, ':utf8'; \
                 for my $o (0xA1..0xC8, 0xE0..0xFA, 0xFE) { print marc8_to_utf8(chr($o) . 'a'), '|'; }";
    let bytes: Vec<u8> = (0..0x80).filter(|byte| *byte != 0x1B).collect();
    match perl(gsm) {
        Some(text) => assert_eq!(GSM_03_38.decode_or_fail(&bytes).unwrap(), text),
        None => println!("Not compared with Perl: Encode is not installed."),
    }
    let Some(text) = perl(ansel) else {
        println!("Not compared with Perl: MARC::Charset is not installed.");
        return;
    };
    for (byte, expected) in (0xA1..=0xC8).chain(0xE0..=0xFA).chain([0xFE]).zip(text.split('|')) {
        // Bytes of GEDCOM, and bytes without a character, which the package leaves out.
        if !["", "a"].contains(&expected) && byte != 0xEC {
            assert_eq!(ANSEL.decode_or_fail(&[byte, b'a']).unwrap(), expected, "{byte:02X}");
        }
    }
}
