"""Prints what the sequences of one, two, three and four bytes mean to glibc, Python and ICU.

Arguments: the source, its name for the charset, the shape. Each line of the output has the bytes and the code points.
For glibc, lines that start with ">" have a code point and the bytes to which it is encoded.
"""

import ctypes
import errno
import subprocess
import sys

SHIFT_OUT, SHIFT_IN = b"\x0e", b"\x0f"


class Iconv:
    """glibc's iconv(3)."""

    def __init__(self, to, source):
        libc = ctypes.CDLL(None, use_errno=True)
        libc.iconv_open.restype = ctypes.c_void_p
        libc.iconv.argtypes = [ctypes.c_void_p] * 5
        libc.iconv.restype = ctypes.c_size_t
        self.iconv = libc.iconv
        self.descriptor = libc.iconv_open(to.encode(), source.encode())
        if self.descriptor == ctypes.c_void_p(-1).value:
            sys.exit("glibc has no " + source)
        self.space = ctypes.create_string_buffer(64)

    def convert(self, source):
        """The output for `source`; `None` for an error, and "more" if the sequence is incomplete."""
        self.iconv(self.descriptor, None, None, None, None)
        buffer = ctypes.create_string_buffer(source, len(source))
        place, left = ctypes.c_void_p(ctypes.addressof(buffer)), ctypes.c_size_t(len(source))
        to, space = ctypes.c_void_p(ctypes.addressof(self.space)), ctypes.c_size_t(64)
        result = self.iconv(*map(ctypes.cast, [self.descriptor] + [ctypes.byref(x) for x in (place, left, to, space)],
                                 [ctypes.c_void_p] * 5))
        if result == ctypes.c_size_t(-1).value:
            return "more" if ctypes.get_errno() == errno.EINVAL else None
        self.iconv(*map(ctypes.cast, [self.descriptor, None, None] + [ctypes.byref(x) for x in (to, space)],
                        [ctypes.c_void_p] * 5))
        return self.space.raw[: 64 - space.value]


def code_points(utf_32):
    return [int.from_bytes(utf_32[at : at + 4], "big") for at in range(0, len(utf_32), 4)]


def glibc(name):
    iconv = Iconv("UTF-32BE", name)

    def decode(sequence):
        result = iconv.convert(sequence)
        return result if result in (None, "more") else code_points(result) or "more"

    return decode


def python(name):
    def decode(sequence):
        try:
            text = sequence.decode(name)
            return [ord(character) for character in text]
        except UnicodeDecodeError as error:
            return "more" if "incomplete" in error.reason else None

    return decode


class Python:
    """An encoder of Python."""

    def __init__(self, name):
        self.name = name

    def convert(self, source):
        try:
            return chr(int.from_bytes(source, "big")).encode(self.name)
        except UnicodeEncodeError:
            return None


def icu(name):
    def decode_all(sequences, separator):
        source = b"".join(sequence + separator for sequence in sequences)
        command = ["uconv", "-f", name, "-t", "UTF-32BE", "--from-callback", "substitute"]
        output = code_points(subprocess.run(command, input=source, capture_output=True, check=True).stdout)
        results, current = [], []
        for code_point in output:
            if code_point in (0x0A, 0x20) and (separator[-1:] != b"\n" or code_point == 0x0A):
                results.append(current)
                current = []
            else:
                current.append(code_point)
        assert len(results) == len(sequences), (name, len(results), len(sequences))
        return results

    return decode_all


def show(sequence, result):
    print(sequence.hex().upper(), "+".join(f"{code_point:04X}" for code_point in result))


def single(decode, is_shifted):
    """Prints the single bytes, and returns the others."""
    others = []
    for byte in range(0x100):
        if is_shifted and byte in (0x0E, 0x0F):
            continue
        result = decode(bytes([byte]))
        if isinstance(result, list):
            show(bytes([byte]), result)
        else:
            others.append(byte)
    return others


def main():
    source, name, shape = sys.argv[1:]
    is_shifted = shape == "shifts"
    if source == "icu":
        decode_all = icu(name)
        singles = [bytes([byte]) for byte in range(0x100) if byte not in (0x0A, 0x0E, 0x0F) and not (is_shifted and byte in (0x15, 0x25, 0x40))]
        separator = b"\x40" if is_shifted else b"\n"
        if not is_shifted:
            # A line feed is between the sequences, and shifts are controls.
            for byte in (0x0A, 0x0E, 0x0F):
                show(bytes([byte]), [byte])
        known = set()
        for sequence, result in zip(singles, decode_all(singles, separator)):
            if len(result) == 1 and (result[0] not in (0x1A, 0xFFFD) or sequence[0] in (0x1A, 0x1C, 0x3F)):
                known.add(sequence[0])
                show(sequence, result)
        leads = range(0x40, 0xFF) if is_shifted else [byte for byte in range(0x80, 0x100) if byte not in known]
        pairs = [bytes([lead, trail]) for lead in leads for trail in range(0x30, 0x100)]
        whole = [SHIFT_OUT + pair + SHIFT_IN for pair in pairs] if is_shifted else pairs
        for pair, result in zip(pairs, decode_all(whole, separator)):
            if not {0x1A, 0xFFFD}.intersection(result) and (len(result) == 1 and result != [pair[1]] or len(result) == 2 and result[0] > 0xFF and result[1] > 0xFF):
                show(pair, result)
        return
    decode = {"glibc": glibc, "python": python}[source](name)
    if is_shifted:
        single(decode, True)
        for pair in (bytes([lead, trail]) for lead in range(0x40, 0xFF) for trail in range(0x40, 0xFF)):
            result = decode(SHIFT_OUT + pair)
            if isinstance(result, list):
                show(pair, result)
    else:
        begun = [bytes([byte]) for byte in single(decode, False)]
        for length in range(2, 5):
            more = []
            for sequence in begun:
                for byte in range(0x30, 0x100):
                    longer = sequence + bytes([byte])
                    result = decode(longer)
                    if isinstance(result, list):
                        if length > 1 and not (source == "python" and len(result) > 1 and result[-1] == byte):
                            show(longer, result)
                    elif result == "more":
                        more.append(longer)
            # All sequences of four bytes of GB18030 follow from ranges.
            begun = more if shape != "four" else []
    if source != "icu":
        encode = Iconv(name, "UTF-32BE") if source == "glibc" else Python(name)
        ranges = [range(0xD800), range(0xE000, 0x30000), range(0xF0000, 0xF4000)]
        for code_point in (code_point for part in ranges for code_point in part):
            result = encode.convert(code_point.to_bytes(4, "big"))
            if result and result != "more":
                if is_shifted:
                    if result == b"\x3F" and code_point != 0x1A:
                        continue
                    result = result.strip(SHIFT_OUT + SHIFT_IN) if len(result) > 1 else result
                print(f">{code_point:04X}", result.hex().upper())


main()
