//! The value types in data formats: words as strings, a result as a map.

use ::serde::{Deserialize, Deserializer, Serialize, Serializer, ser::SerializeStruct};

use textcodec_core::serde::deserialize_word;

use crate::{Confidence, Context, Rung, Sniffed};

impl Serialize for Sniffed {
    /// Writes a map with the keys `encoding`, `confidence` and `rung`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut writer = serializer.serialize_struct("Sniffed", 3)?;
        writer.serialize_field("encoding", &self.encoding)?;
        writer.serialize_field("confidence", &self.confidence)?;
        writer.serialize_field("rung", &self.rung)?;
        writer.end()
    }
}

impl Serialize for Confidence {
    /// Writes [the word of HTML](Self::as_str), such as `tentative`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Confidence {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const ALL: [Confidence; 3] = [Confidence::Certain, Confidence::Tentative, Confidence::Irrelevant];
        deserialize_word(deserializer, &ALL, Confidence::as_str)
    }
}

impl Serialize for Rung {
    /// Writes [the word that is the same in all versions](Self::as_str), such as `at-charset`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Rung {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_word(deserializer, Rung::ALL, Rung::as_str)
    }
}

impl Serialize for Context {
    /// Writes [the name](Self::name).
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Context {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_word(deserializer, Context::ALL, Context::name)
    }
}
