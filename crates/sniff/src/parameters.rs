//! The [parameters](https://mimesniff.spec.whatwg.org/#mime-type-parameters) of a MIME type, read where they stand in
//! the header.

use core::{
    cmp::Ordering,
    fmt::{self, Write},
    iter::Take,
};

use textcodec_core::Name;

use crate::{
    Label,
    ascii::{find, is_whitespace},
    http::{is_http_whitespace, is_quoted_string_byte, is_token, quoted_string, strip_trailing_http_whitespace},
};

/// A parameter of a MIME type.
#[derive(Clone, Copy, Debug)]
pub struct Parameter<'a> {
    /// A token of ASCII bytes. Names are compared without regard to ASCII case.
    pub name: &'a [u8],
    /// The value.
    pub value: Value<'a>,
}

impl Parameter<'_> {
    pub(crate) fn has_name(&self, name: &[u8]) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }
}

/// The value of a parameter, as it stands in the header.
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    /// The bytes of the header, without the quotes of a quoted string. All of them stand for code points up to U+00FF.
    raw: &'a [u8],
    is_quoted: bool,
    form: Form,
}

/// How the bytes of a header stand for code points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// Each byte is a code point, as in [isomorphic decode](https://infra.spec.whatwg.org/#isomorphic-decode).
    Isomorphic,
    /// The bytes are a `str`.
    Utf8,
}

impl<'a> Value<'a> {
    /// The code points of the value, of which none is above U+00FF, as one byte each. In a quoted string, a backslash
    /// stands for the code point after it.
    pub fn bytes(&self) -> impl Iterator<Item = u8> + Clone + use<'a> {
        let Value { raw: mut rest, is_quoted, form } = *self;
        core::iter::from_fn(move || {
            // A backslash at the end stands for itself.
            match rest {
                [b'\\', escaped @ ..] if is_quoted && !escaped.is_empty() => rest = escaped,
                _ => {}
            }
            let byte = match rest {
                [lead @ (0xC2 | 0xC3), trail, after @ ..] if form == Form::Utf8 => {
                    rest = after;
                    lead << 6 | trail & 0x3F
                }
                [byte, after @ ..] => {
                    rest = after;
                    *byte
                }
                [] => return None,
            };
            Some(byte)
        })
    }

    /// [Get an encoding](https://encoding.spec.whatwg.org/#concept-encoding-get) from the value; `None` if the value is
    /// no label.
    #[must_use]
    pub fn encoding(&self) -> Option<Name> {
        // The longest label has 19 bytes. White space before the label is skipped, white space after it may be cut off.
        let (mut label, mut length) = ([0; 64], 0);
        for byte in self.bytes().skip_while(|&byte| is_whitespace(byte)) {
            match label.get_mut(length) {
                Some(slot) => *slot = byte,
                None if is_whitespace(byte) => continue,
                None => return None,
            }
            length += 1;
        }
        Name::for_label(&label[..length]).ok()
    }

    /// The result of *get an encoding* in the form that [`Hints`](crate::Hints) take.
    #[must_use]
    pub fn label(&self) -> Label {
        self.encoding().map_or(Label::Unknown, Label::Encoding)
    }

    /// Whether all code points are [HTTP quoted-string token code
    /// points](https://mimesniff.spec.whatwg.org/#http-quoted-string-token-code-point).
    fn is_valid(&self) -> bool {
        // In UTF-8, the code points from U+0080 to U+00FF are led by C2 or C3, and all others above U+007F by a greater
        // byte.
        let is_valid = |byte| is_quoted_string_byte(byte) && (self.form == Form::Isomorphic || byte <= 0xC3);
        (self.is_quoted || !self.raw.is_empty()) && self.raw.iter().copied().all(is_valid)
    }
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.bytes().try_for_each(|byte| f.write_char(byte.into()))
    }
}

/// The valid parameters of a header, including those whose name occurred before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameters<'a> {
    /// The part of the header that has not been read. It is empty or begins with `;`.
    rest: &'a [u8],
    form: Form,
}

impl<'a> Parameters<'a> {
    /// `header` is empty or begins with the `;` before the first parameter.
    pub(crate) const fn new(header: &'a [u8], form: Form) -> Self {
        Parameters { rest: header, form }
    }
}

impl<'a> Iterator for Parameters<'a> {
    type Item = Parameter<'a>;

    fn next(&mut self) -> Option<Parameter<'a>> {
        while let [_, rest @ ..] = self.rest {
            let rest = &rest[rest.iter().take_while(|&&byte| is_http_whitespace(byte)).count()..];
            let end = find(rest, 0, |byte| matches!(byte, b';' | b'=')).unwrap_or(rest.len());
            let (name, rest) = rest.split_at(end);
            let [b'=', rest @ ..] = rest else {
                self.rest = rest;
                continue;
            };
            let (raw, is_quoted, rest) = match rest {
                [b'"', rest @ ..] => {
                    let (raw, rest) = quoted_string(rest);
                    // The bytes between the closing quote and the next `;` are ignored.
                    (raw, true, &rest[find(rest, 0, |byte| byte == b';').unwrap_or(rest.len())..])
                }
                _ => {
                    let (raw, rest) = rest.split_at(find(rest, 0, |byte| byte == b';').unwrap_or(rest.len()));
                    (strip_trailing_http_whitespace(raw), false, rest)
                }
            };
            self.rest = rest;
            let value = Value { raw, is_quoted, form: self.form };
            if is_token(name) && value.is_valid() {
                return Some(Parameter { name, value });
            }
        }
        None
    }
}

/// The parameters whose name did not occur before them.
///
/// To know whether a name occurred before, the iterator reads a block of parameters ahead, sorts their names, and then
/// reads all parameters before the block once. For a block of `N` names and `n` bytes before it, this takes
/// `O(n log N)` time. The first block is small, because nearly all headers have few parameters.
#[derive(Clone, Debug)]
pub(crate) struct FirstOfEachName<'a> {
    /// All parameters, from the first of the header on.
    all: Parameters<'a>,
    /// The parameters that the iterator has not passed yet.
    rest: Parameters<'a>,
    /// The number of parameters before the current block.
    before_block: usize,
    /// The number of parameters in the current block.
    block_length: usize,
    /// The number of parameters of the current block that the iterator has passed.
    passed: usize,
    /// One bit for each parameter of the current block: whether its name did not occur before it.
    is_first: Bits,
}

/// The number of parameters in the first block. Their names take 288 bytes of stack.
const FIRST_BLOCK_PARAMETERS: usize = 16;

/// The number of parameters in each further block. Their names take 18 KB of stack, for the duration of one call of
/// `next`. A header of 128 KB has at most 32 such blocks.
const BLOCK_PARAMETERS: usize = 1024;

type Bits = [u64; BLOCK_PARAMETERS / 64];

impl<'a> FirstOfEachName<'a> {
    pub(crate) const fn new(all: Parameters<'a>) -> Self {
        let is_first = [0; BLOCK_PARAMETERS / 64];
        FirstOfEachName { all, rest: all, before_block: 0, block_length: 0, passed: 0, is_first }
    }

    fn start_next_block(&mut self) {
        self.before_block += self.block_length;
        self.passed = 0;
        let earlier = self.all.take(self.before_block);
        (self.block_length, self.is_first) = match self.before_block {
            0 => first_of_a_block::<FIRST_BLOCK_PARAMETERS>(earlier, self.rest),
            _ => first_of_a_block::<BLOCK_PARAMETERS>(earlier, self.rest),
        };
    }
}

impl<'a> Iterator for FirstOfEachName<'a> {
    type Item = Parameter<'a>;

    fn next(&mut self) -> Option<Parameter<'a>> {
        loop {
            if self.passed == self.block_length {
                self.start_next_block();
            }
            let parameter = self.rest.next()?;
            let is_first = self.is_first[self.passed / 64] >> (self.passed % 64) & 1 == 1;
            self.passed += 1;
            if is_first {
                return Some(parameter);
            }
        }
    }
}

/// [`first_of_each_name`] for the first `N` parameters of `block`. Not inlined, so that the first block does not take
/// the stack of a large one.
#[inline(never)]
fn first_of_a_block<'a, const N: usize>(earlier: Take<Parameters<'a>>, block: Parameters<'a>) -> (usize, Bits) {
    first_of_each_name(earlier, block, &mut [&[][..]; N], &mut [0; N])
}

/// The number of parameters in a block, which is as many parameters of `block` as `names` and `order` have space for,
/// and one bit for each of them: whether its name occurs neither in `earlier` nor before it in the block.
fn first_of_each_name<'a>(
    earlier: Take<Parameters<'a>>,
    block: Parameters<'a>,
    names: &mut [&'a [u8]],
    order: &mut [u16],
) -> (usize, Bits) {
    let mut length = 0;
    for (parameter, (name, number)) in block.zip(names.iter_mut().zip(&mut *order)) {
        *name = parameter.name;
        *number = length;
        length += 1;
    }
    let length = usize::from(length);
    let name = |number: u16| names[usize::from(number)];
    let order = &mut order[..length];
    order.sort_unstable_by(|&a, &b| compare(name(a), name(b)).then(a.cmp(&b)));
    // Equal names are neighbours now. Among parameters of equal name, the one that occurs first in the block comes
    // first.
    let mut is_first: Bits = [0; BLOCK_PARAMETERS / 64];
    let bit = |number: u16| (usize::from(number / 64), 1_u64 << (number % 64));
    for (at, &number) in order.iter().enumerate() {
        if at == 0 || compare(name(order[at - 1]), name(number)) != Ordering::Equal {
            let (word, bit) = bit(number);
            is_first[word] |= bit;
        }
    }
    for parameter in earlier {
        let at = order.partition_point(|&number| compare(name(number), parameter.name) == Ordering::Less);
        let found = order.get(at).filter(|&&number| compare(name(number), parameter.name) == Ordering::Equal);
        if let Some(&number) = found {
            let (word, bit) = bit(number);
            is_first[word] &= !bit;
        }
    }
    (length, is_first)
}

/// Compares names without regard to ASCII case.
fn compare(a: &[u8], b: &[u8]) -> Ordering {
    a.iter().map(u8::to_ascii_lowercase).cmp(b.iter().map(u8::to_ascii_lowercase))
}
