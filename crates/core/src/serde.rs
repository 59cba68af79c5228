//! The value types in data formats: names as strings, errors as maps.

use core::{fmt, marker::PhantomData};

use ::serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor},
    ser::SerializeStruct,
};

#[cfg(feature = "encode")]
use crate::EncodeErrorMode;
use crate::{Bom, DecodeErrorMode, Malformed, Name, Unmappable, handler::Bytes};

impl Serialize for Name {
    /// Writes the name as the Standard writes it, such as `Shift_JIS`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Name {
    /// Reads any label, with [`Name::for_label`]. The error message contains the label.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Label)
    }
}

struct Label;

impl Visitor<'_> for Label {
    type Value = Name;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a label of an encoding")
    }

    fn visit_str<E: Error>(self, label: &str) -> Result<Name, E> {
        Name::for_label(label.as_bytes()).map_err(|error| E::custom(format_args!("{error}: {label:?}")))
    }
}

impl Serialize for Bom {
    /// Writes the name of the encoding that the byte order mark belongs to, such as `UTF-16LE`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name().as_str())
    }
}

impl<'de> Deserialize<'de> for Bom {
    /// Reads the exact name of an encoding that has a byte order mark.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_word(deserializer, &Bom::ALL, |bom| bom.name().as_str())
    }
}

impl Serialize for DecodeErrorMode {
    /// Writes the Standard's word: `replacement` or `fatal`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(decode_error_mode(*self))
    }
}

impl<'de> Deserialize<'de> for DecodeErrorMode {
    /// Reads the Standard's word: `replacement` or `fatal`.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_word(deserializer, &[DecodeErrorMode::Replacement, DecodeErrorMode::Fatal], decode_error_mode)
    }
}

fn decode_error_mode(mode: DecodeErrorMode) -> &'static str {
    match mode {
        DecodeErrorMode::Replacement => "replacement",
        DecodeErrorMode::Fatal => "fatal",
    }
}

#[cfg(feature = "encode")]
impl Serialize for EncodeErrorMode {
    /// Writes the Standard's word: `html` or `fatal`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(encode_error_mode(*self))
    }
}

#[cfg(feature = "encode")]
impl<'de> Deserialize<'de> for EncodeErrorMode {
    /// Reads the Standard's word: `html` or `fatal`.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_word(deserializer, &[EncodeErrorMode::Html, EncodeErrorMode::Fatal], encode_error_mode)
    }
}

#[cfg(feature = "encode")]
fn encode_error_mode(mode: EncodeErrorMode) -> &'static str {
    match mode {
        EncodeErrorMode::Html => "html",
        EncodeErrorMode::Fatal => "fatal",
    }
}

/// Reads a word as the value that has it.
#[doc(hidden)]
pub fn deserialize_word<'de, D: Deserializer<'de>, T: Copy>(
    deserializer: D,
    values: &[T],
    word: fn(T) -> &'static str,
) -> Result<T, D::Error> {
    deserializer.deserialize_str(Word { values, word })
}

struct Word<'a, T> {
    values: &'a [T],
    word: fn(T) -> &'static str,
}

impl<T: Copy> Visitor<'_> for Word<'_, T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one of the words")?;
        for (index, &value) in self.values.iter().enumerate() {
            write!(f, "{} `{}`", if index == 0 { "" } else { "," }, (self.word)(value))?;
        }
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        let found = self.values.iter().find(|&&value| (self.word)(value) == text);
        found.copied().ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

impl Serialize for Malformed {
    /// Writes a map with the keys `offset` and `bytes`, a list of numbers.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_pair(serializer, "Malformed", ["offset", "bytes"], &self.offset, self.bytes())
    }
}

impl<'de> Deserialize<'de> for Malformed {
    /// Reads a map with the keys `offset` and `bytes`. A malformed sequence of the Standard has one to four
    /// bytes.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (offset, Sequence(bytes)) = deserialize_pair(deserializer, "Malformed", &["offset", "bytes"])?;
        Ok(Malformed::new(offset, bytes))
    }
}

impl Serialize for Unmappable {
    /// Writes a map with the keys `offset` and `code_point`, a character.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_pair(serializer, "Unmappable", ["offset", "code_point"], &self.offset, &self.code_point)
    }
}

impl<'de> Deserialize<'de> for Unmappable {
    /// Reads a map with the keys `offset` and `code_point`.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (offset, code_point) = deserialize_pair(deserializer, "Unmappable", &["offset", "code_point"])?;
        Ok(Unmappable::new(offset, code_point))
    }
}

/// The bytes of a malformed sequence.
struct Sequence(Bytes);

impl<'de> Deserialize<'de> for Sequence {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bounded;

        impl<'de> Visitor<'de> for Bounded {
            type Value = Sequence;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "one to {} bytes", Bytes::CAPACITY)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Sequence, A::Error> {
                let (mut bytes, mut length) = ([0; Bytes::CAPACITY], 0);
                while let Some(byte) = items.next_element()? {
                    *bytes.get_mut(length).ok_or_else(|| A::Error::invalid_length(length + 1, &self))? = byte;
                    length += 1;
                }
                self.visit_bytes(&bytes[..length])
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Sequence, E> {
                match bytes.len() {
                    1..=Bytes::CAPACITY => Ok(Sequence(Bytes::from(bytes))),
                    length => Err(E::invalid_length(length, &self)),
                }
            }
        }

        deserializer.deserialize_seq(Bounded)
    }
}

/// Writes a struct with two fields.
#[doc(hidden)]
pub fn serialize_pair<S: Serializer>(
    serializer: S,
    name: &'static str,
    fields: [&'static str; 2],
    first: &(impl Serialize + ?Sized),
    second: &(impl Serialize + ?Sized),
) -> Result<S::Ok, S::Error> {
    let mut writer = serializer.serialize_struct(name, 2)?;
    writer.serialize_field(fields[0], first)?;
    writer.serialize_field(fields[1], second)?;
    writer.end()
}

/// Reads a struct with two fields, from a map or from a list. As with the derive macro of serde, other keys are
/// ignored.
#[doc(hidden)]
pub fn deserialize_pair<'de, D, A, B>(
    deserializer: D,
    name: &'static str,
    fields: &'static [&'static str; 2],
) -> Result<(A, B), D::Error>
where
    D: Deserializer<'de>,
    A: Deserialize<'de>,
    B: Deserialize<'de>,
{
    deserializer.deserialize_struct(name, fields, Pair { name, fields, values: PhantomData })
}

struct Pair<A, B> {
    name: &'static str,
    fields: &'static [&'static str; 2],
    values: PhantomData<(A, B)>,
}

impl<'de, A: Deserialize<'de>, B: Deserialize<'de>> Visitor<'de> for Pair<A, B> {
    type Value = (A, B);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a {} with the fields `{}` and `{}`", self.name, self.fields[0], self.fields[1])
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut items: S) -> Result<(A, B), S::Error> {
        let first = items.next_element()?.ok_or_else(|| S::Error::invalid_length(0, &self))?;
        let second = items.next_element()?.ok_or_else(|| S::Error::invalid_length(1, &self))?;
        Ok((first, second))
    }

    fn visit_map<M: MapAccess<'de>>(self, mut entries: M) -> Result<(A, B), M::Error> {
        let (mut first, mut second) = (None, None);
        while let Some(index) = entries.next_key_seed(Key(self.fields))? {
            match index {
                Some(0) if first.is_none() => first = Some(entries.next_value()?),
                Some(1) if second.is_none() => second = Some(entries.next_value()?),
                Some(index) => return Err(M::Error::duplicate_field(self.fields[index])),
                None => {
                    entries.next_value::<IgnoredAny>()?;
                }
            }
        }
        let missing = |index: usize| move || M::Error::missing_field(self.fields[index]);
        Ok((first.ok_or_else(missing(0))?, second.ok_or_else(missing(1))?))
    }
}

/// Reads the name of a field as its index, and any other name as `None`.
struct Key(&'static [&'static str; 2]);

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Key {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_u64<E: Error>(self, index: u64) -> Result<Self::Value, E> {
        Ok(usize::try_from(index).ok().filter(|&index| index < self.0.len()))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        self.visit_bytes(name.as_bytes())
    }

    fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<Self::Value, E> {
        Ok(self.0.iter().position(|field| field.as_bytes() == name))
    }
}

#[cfg(test)]
mod tests {
    use ::serde::de::{
        Expected,
        value::{SeqDeserializer, StrDeserializer},
    };

    use super::*;

    /// An error with its message, which serde's own errors have only with its feature `std`.
    #[derive(PartialEq, Debug)]
    struct Message(String);

    impl fmt::Display for Message {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(&self.0)
        }
    }

    impl core::error::Error for Message {}

    impl Error for Message {
        fn custom<T: fmt::Display>(message: T) -> Self {
            Message(message.to_string())
        }
    }

    /// The value that a text is read as, or the message.
    fn read<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, String> {
        T::deserialize(StrDeserializer::<Message>::new(text)).map_err(|Message(message)| message)
    }

    #[test]
    fn the_message_for_a_word_that_is_none_has_the_word_and_those_that_there_are() {
        let of_words =
            |text: &str, words: &str| format!("invalid value: string {text:?}, expected one of the words {words}");
        for text in ["", "utf8 ", "UTF-32", "Fatal", "latin-1", "\u{E9}\n"] {
            if text != "utf8 " {
                assert_eq!(read::<Name>(text), Err(format!("unknown encoding label: {text:?}")));
            }
            assert_eq!(read::<Bom>(text), Err(of_words(text, "`UTF-8`, `UTF-16BE`, `UTF-16LE`")));
            assert_eq!(read::<DecodeErrorMode>(text), Err(of_words(text, "`replacement`, `fatal`")));
            #[cfg(feature = "encode")]
            assert_eq!(read::<EncodeErrorMode>(text), Err(of_words(text, "`html`, `fatal`")));
        }
        assert_eq!((read("utf8 "), read("fatal")), (Ok(Name::Utf8), Ok(DecodeErrorMode::Fatal)));
    }

    #[test]
    fn a_list_with_less_than_two_values_is_refused() {
        for items in [&[][..], &[2_u64]] {
            let list: SeqDeserializer<_, Message> = SeqDeserializer::new(items.iter().copied());
            let error = deserialize_pair::<_, u64, u64>(list, "Place", &["line", "column"]).unwrap_err();
            let expected =
                format!("invalid length {}, expected a Place with the fields `line` and `column`", items.len());
            assert_eq!(error, Message(expected));
        }
    }

    #[test]
    fn errors_say_what_was_expected() {
        let key: &dyn Expected = &Key(&["offset", "bytes"]);
        assert_eq!(key.to_string(), "the name of a field");
    }
}
