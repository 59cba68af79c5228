"""Prints what the sequences of three bytes of EACC mean to YAZ, to Perl's MARC::Charset and to pymarc.

Argument: the source. Each line of the output has the bytes and the code point. Lines that start with ">" have a code
point and the bytes to which it is encoded; pymarc has no encoder.
"""

import re
import subprocess
import sys

BEGIN, END = b"\x1b$1", b"\x1b(B|"
GRAPHIC = range(0x21, 0x7F)


def yaz_iconv(source, to, text):
    program = ["yaz-iconv", "-f", source, "-t", to]
    return subprocess.run(program, input=text, stdout=subprocess.PIPE, check=False).stdout


def encode(characters):
    """The sequences of the characters that YAZ encodes, as many as it has not forgotten."""
    output = yaz_iconv("UTF-8", "MARC-8", "".join(character + "|" for character in characters).encode())
    return re.findall(re.escape(BEGIN) + b"(...)" + re.escape(END), output, re.DOTALL)


def yaz():
    decoded = {}
    # Where a buffer of yaz-iconv ends, it forgets a character: another prefix moves the ends.
    for prefix in b"", b"aaa|", b"aaaaaa|":
        for first in GRAPHIC:
            # The Library of Congress also lists one sequence with the third byte 20.
            sequences = [bytes([first, second, third]) for second in GRAPHIC for third in range(0x20, 0x7F)]
            text = prefix + b"".join(BEGIN + sequence + END for sequence in sequences)
            parts = yaz_iconv("MARC-8", "UTF-8", text).decode().split("|")[prefix.count(b"|") :]
            assert len(parts) == len(sequences) + 1
            decoded |= {
                sequence: ord(part) for sequence, part in zip(sequences, parts) if len(part) == 1 and part != " "
            }
    # The encoder of YAZ has only characters of plane 0.
    encoded = {}
    characters = [chr(code_point) for code_point in sorted(set(decoded.values())) if code_point < 0x10000]
    for at in range(0, len(characters), 100):
        chunk = characters[at : at + 100]
        sequences = encode(chunk)
        if len(sequences) != len(chunk):
            sequences = [sequence for character in chunk for sequence in encode([character])]
        encoded |= dict(zip(map(ord, chunk), sequences, strict=True))
    return decoded, encoded


PERL = """
use MARC::Charset::Table;
my $table = MARC::Charset::Table->new();
my %characters;
for my $first (0x21 .. 0x7E) { for my $second (0x21 .. 0x7E) { for my $third (0x20 .. 0x7E) {
    my $bytes = chr($first) . chr($second) . chr($third);
    my $code = $table->lookup_by_marc8('1', $bytes) or next;
    printf "%s %s\\n", uc unpack('H*', $bytes), $code->ucs;
    $characters{$code->ucs} = 1;
} } }
for my $character (keys %characters) {
    my $code = $table->lookup_by_utf8(chr hex $character) or next;
    printf ">%s %s\\n", $character, uc unpack('H*', $code->marc_value);
}
"""


def pymarc():
    from pymarc import marc8_mapping

    characters = marc8_mapping.CODESETS[ord("1")].items()
    return {number.to_bytes(3, "big"): code_point for number, (code_point, _) in characters}, {}


if sys.argv[1] == "perl":
    sys.exit(subprocess.run(["perl", "-e", PERL], check=False).returncode)
decoded, encoded = yaz() if sys.argv[1] == "yaz" else pymarc()
for sequence, code_point in sorted(decoded.items()):
    print(sequence.hex().upper(), f"{code_point:04X}")
for code_point, sequence in sorted(encoded.items()):
    print(f">{code_point:04X}", sequence.hex().upper())
