//! Every body of every level that this processor has, against the scalar one.
