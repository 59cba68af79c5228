//! Writes tables as Rust text, in compact lines that rustfmt leaves alone.

use std::fmt::UpperHex;

/// A static array called `name` of items of the type `item`, in hex.
pub(crate) fn array<T: UpperHex>(doc: &str, name: &str, item: &str, items: &[T]) -> String {
    static_item(doc, name, &format!("[{item}; {}]", items.len()), &format!("[\n{}]", lines(1, 16, &hex(items))))
}

/// A static called `name` with the documentation `doc`.
pub(crate) fn static_item(doc: &str, name: &str, shape: &str, value: &str) -> String {
    let doc = doc.replace('\n', "\n/// ");
    format!("/// {doc}\n#[rustfmt::skip]\npub(crate) static {name}: {shape} = {value};\n")
}

/// The lines of a list in hex, indented for a field of a static.
pub(crate) fn field<T: UpperHex>(items: &[T]) -> String {
    lines(2, 16, &hex(items))
}

/// Every item in hex, with the full number of digits of its type.
pub(crate) fn hex<T: UpperHex>(items: &[T]) -> Vec<String> {
    let digits = 2 * size_of::<T>();
    items.iter().map(|item| format!("0x{item:0digits$X}")).collect()
}

/// `items` in lines of `per_line` items, indented by `levels` levels.
pub(crate) fn lines(levels: usize, per_line: usize, items: &[String]) -> String {
    let indent = "    ".repeat(levels);
    items.chunks(per_line).map(|line| format!("{indent}{},\n", line.join(", "))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_has_sixteen_items_a_line() {
        let text = array("Seventeen\nitems.", "ITEMS", "u16", &[0xA_u16; 17]);
        let full = "0x000A, ".repeat(15);
        assert_eq!(
            text,
            format!(
                "/// Seventeen\n/// items.\n#[rustfmt::skip]\npub(crate) static ITEMS: [u16; 17] = [\n    \
                 {full}0x000A,\n    0x000A,\n];\n"
            )
        );
    }
}
