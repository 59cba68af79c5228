//! Methods that return the fields of a table.

/// Declares a method for each field, which returns a copy of it.
///
/// The fields of a table are private, so that only the table's constructor, which checks them, makes a value.
macro_rules! getters {
    ($($(#[$attribute:meta])* $visibility:vis $field:ident: $type:ty;)+) => {
        $(
            $(#[$attribute])*
            #[inline(always)]
            #[must_use]
            $visibility const fn $field(&self) -> $type {
                self.$field
            }
        )+
    };
}
pub(crate) use getters;
