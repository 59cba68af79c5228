//! `Encoding` to and from encoding_rs's `Encoding`.

use textcodec::Encoding;

#[test]
fn every_encoding_has_the_same_name_on_the_other_side_and_comes_back() {
    let mut count = 0;
    for encoding in Encoding::all() {
        let theirs: &'static encoding_rs::Encoding = encoding.into();
        assert_eq!(theirs.name(), encoding.name());
        assert_eq!(Encoding::try_from(theirs), Ok(encoding));
        count += 1;
    }
    assert_eq!(count, 40);
}
