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
