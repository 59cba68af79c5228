//! An encoding as a string: it serializes to its name, and a reference deserializes from any label.

use core::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, Visitor},
};

use crate::Encoding;

impl Serialize for Encoding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name.as_str())
    }
}

impl<'de> Deserialize<'de> for &'static Encoding {
    /// Reads a label, with [`Encoding::for_label`]. The error message contains the label.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Label)
    }
}

struct Label;

impl Visitor<'_> for Label {
    type Value = &'static Encoding;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a label of an encoding")
    }

    fn visit_str<E: Error>(self, label: &str) -> Result<&'static Encoding, E> {
        Encoding::for_label(label.as_bytes())
            .ok_or_else(|| E::custom(format_args!("the Encoding Standard has no label {label:?}")))
    }
}
