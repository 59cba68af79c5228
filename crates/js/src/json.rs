//! Writes JSON.

use alloc::string::String;
use core::fmt::{Display, Write as _};

/// An object of JSON that is being written.
pub(crate) struct Object<'a> {
    json: &'a mut String,
    is_empty: bool,
}

impl<'a> Object<'a> {
    /// Writes an object whose members `write` adds.
    pub(crate) fn write(json: &'a mut String, write: impl FnOnce(&mut Object<'_>)) {
        json.push('{');
        let mut object = Object { json, is_empty: true };
        write(&mut object);
        object.json.push('}');
    }

    /// The place for the value of the member `name`.
    fn key(&mut self, name: &str) -> &mut String {
        if !self.is_empty {
            self.json.push(',');
        }
        self.is_empty = false;
        string(self.json, name);
        self.json.push(':');
        self.json
    }

    /// Adds a number or a boolean, or null.
    pub(crate) fn plain(&mut self, name: &str, value: Option<impl Display>) {
        let json = self.key(name);
        match value {
            // Writing to a string does not fail.
            Some(value) => _ = write!(json, "{value}"),
            None => json.push_str("null"),
        }
    }

    /// Adds a string, or null.
    pub(crate) fn string(&mut self, name: &str, value: Option<&str>) {
        let json = self.key(name);
        match value {
            Some(value) => string(json, value),
            None => json.push_str("null"),
        }
    }

    /// Adds an array.
    pub(crate) fn array<T>(
        &mut self,
        name: &str,
        items: impl IntoIterator<Item = T>,
        item: impl FnMut(&mut String, T),
    ) {
        array(self.key(name), items, item);
    }
}

/// Writes an array, whose items `item` writes.
pub(crate) fn array<T>(json: &mut String, items: impl IntoIterator<Item = T>, mut item: impl FnMut(&mut String, T)) {
    json.push('[');
    for (at, value) in items.into_iter().enumerate() {
        if at > 0 {
            json.push(',');
        }
        item(json, value);
    }
    json.push(']');
}

/// Writes a number.
pub(crate) fn number(json: &mut String, value: impl Display) {
    // Writing to a string does not fail.
    _ = write!(json, "{value}");
}

/// Writes a string.
pub(crate) fn string(json: &mut String, text: &str) {
    json.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => json.extend(['\\', character]),
            '\0'..='\x1F' => _ = write!(json, "\\u{:04x}", u32::from(character)),
            _ => json.push(character),
        }
    }
    json.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped_and_members_are_separated() {
        let mut json = String::new();
        Object::write(&mut json, |object| {
            object.string("a\"", Some("\\\n☃"));
            object.string("b", None);
            object.plain("c", Some(0.5));
            object.plain("d", None::<u8>);
            object.array("e", [1, 2], number);
            object.array("f", [(); 0], |_, ()| {});
        });
        assert_eq!(json, r#"{"a\"":"\\\u000a☃","b":null,"c":0.5,"d":null,"e":[1,2],"f":[]}"#);
    }
}
