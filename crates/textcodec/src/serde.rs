//! An [`Encoding`] as a string: serializes to the name, deserializes from any label. A [`LineColumn`] as a map. The
//! core has the other value types.

use core::fmt;

use ::serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, Visitor},
};

use textcodec_core::serde::{deserialize_pair, serialize_pair};

use crate::{Encoding, LineColumn};

impl Serialize for Encoding {
    /// Writes the [name](Encoding::name).
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Encoding {
    /// Reads a label, with [`Encoding::for_label`]. The error message contains the label.
    ///
    /// ```
    /// use textcodec::{Encoding, SHIFT_JIS};
    ///
    /// let encoding: Encoding = serde_json::from_str(r#""sjis""#)?;
    /// assert_eq!(encoding, SHIFT_JIS);
    /// assert_eq!(serde_json::to_string(&encoding)?, r#""Shift_JIS""#);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Label)
    }
}

struct Label;

impl Visitor<'_> for Label {
    type Value = Encoding;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a label of an encoding")
    }

    fn visit_str<E: Error>(self, label: &str) -> Result<Encoding, E> {
        Encoding::for_label(label).map_err(|error| E::custom(format_args!("{error}: {label:?}")))
    }
}

impl Serialize for LineColumn {
    /// Writes a map with the keys `line` and `column`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_pair(serializer, "LineColumn", ["line", "column"], &self.line, &self.column)
    }
}

impl<'de> Deserialize<'de> for LineColumn {
    /// Reads a map with the keys `line` and `column`.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (line, column) = deserialize_pair(deserializer, "LineColumn", &["line", "column"])?;
        Ok(LineColumn { line, column })
    }
}
