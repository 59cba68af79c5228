//! [Index EUC-KR](https://encoding.spec.whatwg.org/#index-euc-kr) as a value.

use textcodec_core::index::Index;

use crate::generated::euc_kr;

/// [Index EUC-KR](https://encoding.spec.whatwg.org/#index-euc-kr).
pub const EUC_KR: Index = Index::new(
    "euc-kr",
    126 * 190,
    |pointer| euc_kr::INDEX.index_code_point(pointer),
    |code_point| euc_kr::POINTERS.index_pointer(code_point).map(usize::from),
);

#[cfg(test)]
mod tests {
    use textcodec_core::testing::check_digests;

    use crate::generated::euc_kr;

    /// No conversion reads some entries. A new version of an index changes the digests.
    #[test]
    fn every_entry_of_the_generated_tables_has_the_value_of_the_generator() {
        check_digests(&[
            (&euc_kr::INDEX, 0x30BFD42D2EA8AD05),
            (&euc_kr::GROUPS, 0x538D562D3A19477E),
            (&euc_kr::BLOCKS, 0x6DB539C716209235),
            (&euc_kr::POINTERS, 0xDCB9228D930B4498),
        ]);
    }
}
