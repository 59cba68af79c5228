//! [BOM sniff](https://encoding.spec.whatwg.org/#bom-sniff).

use textcodec_core::{Bom, Name};

use crate::ascii::can_become;

/// [BOM sniff](https://encoding.spec.whatwg.org/#bom-sniff): the encoding of the byte order mark at the start of
/// `bytes`; `None` if there is none. Three bytes are enough. FF FE 00 00 is UTF-16LE.
#[must_use]
pub fn bom_sniff(bytes: &[u8]) -> Option<Name> {
    Bom::sniff(bytes).map(Bom::name)
}

/// Whether `so_far` is the beginning of a byte order mark that may be continued by bytes that have not arrived.
pub(crate) fn can_become_bom(so_far: &[u8]) -> bool {
    Bom::ALL.into_iter().any(|bom| so_far.len() < bom.bytes().len() && can_become(so_far, bom.bytes()))
}
