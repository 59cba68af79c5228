//! Code units of two and four bytes: UTF-16, UTF-32, UCS-2 and UCS-4, with a byte order mark or in a known order.

use textcodec_core::{
    Bom, Codec, CutRule, DecodeErrorMode, DecoderFunctions,
    handler::{
        Bytes, CodePoints, DecoderHandler, HandlerResult, Item, Restore, Unchanged, Utf8Space, Utf8Written,
        scalar_value_from_surrogates,
    },
};
#[cfg(feature = "encode")]
use textcodec_core::{
    EncoderHalf,
    handler::{EncoderHandler, MaxBytes},
};
use textcodec_kernels::utf16;

/// What distinguishes the forms.
#[derive(Clone, Copy)]
struct Form {
    /// The number of bytes of a code unit: 2 or 4.
    width: usize,
    /// The order of bytes; with a mark, the order of a text without one, and the order in which texts are written.
    is_big_endian: bool,
    /// Whether a byte order mark at the start says the order, and is written.
    has_mark: bool,
    /// Whether two code units, which are surrogates, can be a character.
    has_surrogates: bool,
}

/// A form as a parameter of types.
trait Of: Copy {
    const FORM: Form;
}

/// The codec called `$name` of the form `$form`, with facts that it has.
macro_rules! codec {
    ($(#[$doc:meta])* $name:ident, $of:ident, $form:expr $(, $fact:ident $arguments:tt)*) => {
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $of;

        impl Of for $of {
            const FORM: Form = $form;
        }

        $(#[$doc])*
        pub(crate) static $name: Codec = {
            static DECODER: DecoderFunctions = DecoderFunctions::of::<UnitsDecoder<$of>>();
            let codec = Codec::new(&DECODER)$(.$fact $arguments)*;
            #[cfg(feature = "encode")]
            let codec = {
                static ENCODER: EncoderHalf = EncoderHalf::new::<UnitsEncoder<$of>>();
                codec.with_encoder(&ENCODER)
            };
            codec
        };
    };
}

codec!(
    /// UTF-16 with a byte order mark. A text without one is little-endian, as in glibc.
    UTF_16, Utf16,
    Form { width: 2, is_big_endian: false, has_mark: true, has_surrogates: true },
    that_encodes_everything()
);
codec!(
    /// UTF-16BE, whose encoder the Standard does not have.
    UTF_16BE, Utf16Be,
    Form { width: 2, is_big_endian: true, has_mark: false, has_surrogates: true },
    that_encodes_everything(),
    with_bom(Bom::Utf16Be),
    with_cut_rule(CutRule::AfterCodeUnit { is_big_endian: true })
);
codec!(
    /// UTF-16LE, whose encoder the Standard does not have.
    UTF_16LE, Utf16Le,
    Form { width: 2, is_big_endian: false, has_mark: false, has_surrogates: true },
    that_encodes_everything(),
    with_bom(Bom::Utf16Le),
    with_cut_rule(CutRule::AfterCodeUnit { is_big_endian: false })
);
codec!(
    /// UCS-2 with a byte order mark, which glibc calls UNICODE. A text without one is little-endian.
    UNICODE, Unicode,
    Form { width: 2, is_big_endian: false, has_mark: true, has_surrogates: false }
);
codec!(
    /// UCS-2, big-endian.
    UCS_2BE, Ucs2Be,
    Form { width: 2, is_big_endian: true, has_mark: false, has_surrogates: false },
    with_bom(Bom::Utf16Be)
);
codec!(
    /// UCS-2, little-endian.
    UCS_2LE, Ucs2Le,
    Form { width: 2, is_big_endian: false, has_mark: false, has_surrogates: false },
    with_bom(Bom::Utf16Le)
);
codec!(
    /// UTF-32 with a byte order mark. A text without one is little-endian, as in glibc.
    UTF_32, Utf32,
    Form { width: 4, is_big_endian: false, has_mark: true, has_surrogates: false },
    that_encodes_everything()
);
codec!(
    /// UTF-32BE, which is UCS-4, too.
    UTF_32BE, Utf32Be,
    Form { width: 4, is_big_endian: true, has_mark: false, has_surrogates: false },
    that_encodes_everything()
);
codec!(
    /// UTF-32LE.
    UTF_32LE, Utf32Le,
    Form { width: 4, is_big_endian: false, has_mark: false, has_surrogates: false },
    that_encodes_everything()
);

/// The order of the bytes of a code unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    /// That of the form. With a mark: the start of the text, where a mark may come.
    OfForm,
    /// The mark, or the lack of one, has decided.
    Big,
    Little,
}

/// The decoder of all forms.
#[derive(Clone, Copy, Debug)]
struct UnitsDecoder<F> {
    order: Order,
    /// The bytes of the character so far.
    bytes: [u8; 3],
    length: u8,
    form: core::marker::PhantomData<F>,
}

impl<F: Of> UnitsDecoder<F> {
    const NEW: Self = UnitsDecoder { order: Order::OfForm, bytes: [0; 3], length: 0, form: core::marker::PhantomData };

    fn is_big_endian(&self) -> bool {
        match self.order {
            Order::OfForm => F::FORM.is_big_endian,
            order => order == Order::Big,
        }
    }

    /// The code unit of `bytes`, which are as many as the form has.
    fn unit(&self, bytes: &[u8]) -> u32 {
        let add = |unit: u32, byte: &u8| unit << 8 | u32::from(*byte);
        if self.is_big_endian() { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) }
    }

    /// Decides the order by the first code unit, whose bytes these are. Returns whether they are a mark.
    fn decide(&mut self, bytes: &[u8]) -> bool {
        if !F::FORM.has_mark || self.order != Order::OfForm {
            return false;
        }
        for order in [Order::Big, Order::Little] {
            self.order = order;
            if self.unit(bytes) == 0xFEFF {
                return true;
            }
        }
        self.order = if F::FORM.is_big_endian { Order::Big } else { Order::Little };
        false
    }
}

impl<F: Of> DecoderHandler for UnitsDecoder<F> {
    const UNCHANGED: Unchanged = Unchanged::Nothing;
    const BEGUN: u64 = 0x300;
    const STATES_BETWEEN: u8 = if F::FORM.has_mark { 3 } else { 1 };

    fn handler<Q: Restore<u8>>(&mut self, io_queue: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
        let length = usize::from(self.length);
        let Item::Value(byte) = byte else {
            *self = Self::NEW;
            return if length > 0 { HandlerResult::Error(()) } else { HandlerResult::Finished };
        };
        if (length + 1) % F::FORM.width != 0 {
            self.bytes[length] = byte;
            self.length += 1;
            return HandlerResult::Continue;
        }
        let [first, second, third] = self.bytes;
        let bytes = [first, second, third, byte];
        self.length = 0;
        if F::FORM.width == 2 && length == 3 {
            let (leading, trailing) = (self.unit(&[first, second]) as u16, self.unit(&[third, byte]) as u16);
            if let 0xDC00..=0xDFFF = trailing {
                return HandlerResult::Items(scalar_value_from_surrogates(leading, trailing).into());
            }
            io_queue.restore(&[third, byte]);
            return HandlerResult::Error(());
        }
        let bytes = if F::FORM.width == 2 { [first, byte, 0, 0] } else { bytes };
        let bytes = &bytes[..F::FORM.width];
        if self.decide(bytes) {
            return HandlerResult::Continue;
        }
        let unit = self.unit(bytes);
        if F::FORM.has_surrogates {
            if let 0xD800..=0xDBFF = unit {
                self.bytes = [first, byte, 0];
                self.length = 2;
                return HandlerResult::Continue;
            }
        }
        char::from_u32(unit).map_or(HandlerResult::Error(()), |code_point| HandlerResult::Items(code_point.into()))
    }

    fn pending(&self) -> Bytes {
        self.bytes[..usize::from(self.length.min(3))].into()
    }

    fn can_convert(&self) -> bool {
        self.length == 0 && !(F::FORM.has_mark && self.order == Order::OfForm)
    }

    fn convert(&mut self, source: &[u8], destination: &mut [u16], mode: DecodeErrorMode) -> (usize, usize) {
        if F::FORM.width == 4 {
            return self.convert_four_bytes(source, destination, mode);
        }
        let replacing = mode == DecodeErrorMode::Replacement && F::FORM.has_surrogates;
        let from_bytes = match (self.is_big_endian(), replacing) {
            (true, false) => utf16::from_be_bytes,
            (true, true) => utf16::from_be_bytes_replacing,
            (false, false) => utf16::from_le_bytes,
            (false, true) => utf16::from_le_bytes_replacing,
        };
        if F::FORM.has_surrogates {
            let length = from_bytes(source, destination);
            return (2 * length, length);
        }
        // A pair of surrogates is two errors. Converting parts keeps the work before an error short.
        const PART: usize = 512;
        let mut done = 0;
        loop {
            let source = &source[2 * done..];
            let capacity = destination.len().min(done + PART);
            let part = &mut destination[done..capacity];
            let length = from_bytes(&source[..source.len().min(2 * PART)], part);
            let kept = part[..length].iter().position(|unit| matches!(unit, 0xD800..=0xDFFF)).unwrap_or(length);
            done += kept;
            if kept < PART {
                return (2 * done, done);
            }
        }
    }

    fn convert_to_utf8<'id>(
        &mut self,
        source: &[u8],
        destination: Utf8Space<'id>,
        mode: DecodeErrorMode,
    ) -> (usize, Utf8Written<'id>) {
        if !F::FORM.has_surrogates {
            return textcodec_core::convert::decode_to_utf8(self, source, destination, mode);
        }
        match (self.is_big_endian(), mode) {
            (true, DecodeErrorMode::Fatal) => destination.utf16_be(source),
            (true, DecodeErrorMode::Replacement) => destination.utf16_be_replacing(source),
            (false, DecodeErrorMode::Fatal) => destination.utf16_le(source),
            (false, DecodeErrorMode::Replacement) => destination.utf16_le_replacing(source),
        }
    }

    /// Bits 0 and 1: the order. Bits 8 and 9: the number of bytes. The bytes follow.
    fn pack(self) -> u64 {
        let mut word = u64::from(self.order as u8) | u64::from(self.length) << 8;
        for (place, byte) in self.bytes[..usize::from(self.length.min(3))].iter().enumerate() {
            word |= u64::from(*byte) << (16 + 8 * place);
        }
        word
    }

    fn unpack(_: &'static Codec, word: u64) -> Self {
        let order = match word & 3 {
            1 => Order::Big,
            2 => Order::Little,
            _ => Order::OfForm,
        };
        let bytes = [(word >> 16) as u8, (word >> 24) as u8, (word >> 32) as u8];
        UnitsDecoder { order, bytes, length: (word >> 8 & 3) as u8, form: core::marker::PhantomData }
    }
}

/// The number of code units of four bytes that are converted at once if all of them are below the surrogates.
const LANES: usize = 8;

impl<F: Of> UnitsDecoder<F> {
    fn convert_four_bytes(&self, source: &[u8], destination: &mut [u16], mode: DecodeErrorMode) -> (usize, usize) {
        let is_big_endian = self.is_big_endian();
        let unit = |bytes: &[u8]| {
            let bytes = [bytes[0], bytes[1], bytes[2], bytes[3]];
            if is_big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
        };
        let (mut read, mut written) = (0, 0);
        loop {
            while let (Some(from), Some(to)) =
                (source.get(read..read + 4 * LANES), destination.get_mut(written..written + LANES))
            {
                let mut all = 0;
                for (to, bytes) in to.iter_mut().zip(from.chunks_exact(4)) {
                    let unit = unit(bytes);
                    // Zero if and only if the code unit is below 0xD800.
                    all |= unit.saturating_sub(0xD7FF);
                    *to = unit as u16;
                }
                if all != 0 {
                    break;
                }
                (read, written) = (read + 4 * LANES, written + LANES);
            }
            let Some(bytes) = source.get(read..read + 4) else { return (read, written) };
            let code_point = match (char::from_u32(unit(bytes)), mode) {
                (Some(code_point), _) => code_point,
                (None, DecodeErrorMode::Replacement) => char::REPLACEMENT_CHARACTER,
                (None, DecodeErrorMode::Fatal) => return (read, written),
            };
            let Some(length) = CodePoints::from(code_point).write_utf16(&mut destination[written..]) else {
                return (read, written);
            };
            (read, written) = (read + 4, written + length);
        }
    }
}

/// The encoder of all forms.
#[cfg(feature = "encode")]
#[derive(Clone, Copy, Debug)]
struct UnitsEncoder<F> {
    /// Whether the mark has been written.
    has_begun: bool,
    form: core::marker::PhantomData<F>,
}

/// The bytes of a code unit.
#[cfg(feature = "encode")]
fn bytes_of<F: Of>(unit: u32) -> [u8; 4] {
    match F::FORM {
        Form { width: 4, is_big_endian: true, .. } => unit.to_be_bytes(),
        Form { is_big_endian: false, .. } => unit.to_le_bytes(),
        Form { .. } => (unit << 16).to_be_bytes(),
    }
}

#[cfg(feature = "encode")]
impl<F: Of> EncoderHandler for UnitsEncoder<F> {
    const STATES: u16 = if F::FORM.has_mark { 2 } else { 1 };
    const HAS_ASCII: bool = false;
    const KEEPS_STATE: bool = !F::FORM.has_mark;
    /// In UCS-2, `&#1114111;` has 20 bytes for two code units, which are four bytes of UTF-8.
    const MAX_BYTES_HTML: MaxBytes = MaxBytes { per_utf8_byte: 5, per_code_unit: 10, ..Self::MAX_BYTES_FATAL };
    const MAX_BYTES_FATAL: MaxBytes = MaxBytes {
        per_utf8_byte: F::FORM.width as u8,
        per_code_unit: F::FORM.width as u8,
        // For the mark.
        at_end: if F::FORM.has_mark { F::FORM.width as u8 } else { 0 },
    };

    fn handler<Q: Restore<char>>(&mut self, io_queue: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char> {
        let Item::Value(code_point) = code_point else {
            self.has_begun = false;
            return HandlerResult::Finished;
        };
        if F::FORM.width == 2 && !F::FORM.has_surrogates && code_point.len_utf16() > 1 {
            return HandlerResult::Error(code_point);
        }
        if F::FORM.has_mark && !self.has_begun {
            self.has_begun = true;
            io_queue.restore(&[code_point]);
            return HandlerResult::Items(bytes_of::<F>(0xFEFF)[..F::FORM.width].into());
        }
        if F::FORM.width == 4 {
            return HandlerResult::Items(bytes_of::<F>(code_point.into()).into());
        }
        let mut bytes = Bytes::EMPTY;
        for unit in code_point.encode_utf16(&mut [0; 2]) {
            bytes_of::<F>(u32::from(*unit))[..2].iter().for_each(|byte| bytes.push(*byte));
        }
        HandlerResult::Items(bytes)
    }

    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        if F::FORM.has_mark && !self.has_begun {
            return (0, 0);
        }
        let fitting = &source[..source.len().min(destination.len() / 2)];
        if F::FORM.width == 2 {
            let length = if F::FORM.has_surrogates {
                utf16::valid_up_to(fitting)
            } else {
                fitting.iter().position(|unit| matches!(unit, 0xD800..=0xDFFF)).unwrap_or(fitting.len())
            };
            for (to, unit) in destination.chunks_exact_mut(2).zip(&fitting[..length]) {
                to.copy_from_slice(&bytes_of::<F>(u32::from(*unit))[..2]);
            }
            return (length, 2 * length);
        }
        let (mut read, mut written) = (0, 0);
        loop {
            while let (Some(from), Some(to)) =
                (source.get(read..read + LANES), destination.get_mut(written..written + 4 * LANES))
            {
                if from.iter().fold(false, |any, unit| any | matches!(unit, 0xD800..=0xDFFF)) {
                    break;
                }
                for (to, unit) in to.chunks_exact_mut(4).zip(from) {
                    to.copy_from_slice(&bytes_of::<F>((*unit).into()));
                }
                (read, written) = (read + LANES, written + 4 * LANES);
            }
            let code_point = char::decode_utf16(source[read..].iter().copied()).next();
            let (Some(Ok(code_point)), Some(to)) = (code_point, destination.get_mut(written..written + 4)) else {
                return (read, written);
            };
            to.copy_from_slice(&bytes_of::<F>(code_point.into()));
            (read, written) = (read + code_point.len_utf16(), written + 4);
        }
    }

    fn pack(self) -> u16 {
        self.has_begun.into()
    }

    fn unpack(_: &'static EncoderHalf, word: u16) -> Self {
        UnitsEncoder { has_begun: word != 0, form: core::marker::PhantomData }
    }
}
