//! Checks, for every context, that no bytes cause a panic, and that the result does not depend on how the bytes are cut
//! into pieces. Also runs the algorithms that can be called on their own.

use textcodec::sniff::{
    Autodetection, Context, ContextExt, Hints, Label, MimeType, PRESCAN_LENGTH, Resource,
    extract_a_character_encoding_from_a_meta_element, get_an_attribute, get_an_xml_encoding, prescan_a_byte_stream,
    structure, xml_declaration,
};

use crate::Input;

/// Checks what holds for an input.
///
/// # Panics
/// If it does not hold.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let (choice, step) = (input.byte(), input.short());
    let bytes = input.rest();
    let unknown = |bit: u8| (choice & bit != 0).then_some(Label::Unknown);
    let hints = Hints {
        transport: unknown(1),
        override_charset: unknown(2).or((choice & 32 != 0).then(|| "koi8-r".into())),
        resource: [None, Some(Resource::Xml), Some(Resource::Css), Some(Resource::Text)][usize::from(choice >> 2 & 3)],
        ..Hints::default()
    };
    for context in Context::ALL.iter().copied().filter(|context| !context.is_encoding_side()) {
        let whole = context.decode(bytes, hints);
        let (mut text, mut result) = (String::new(), Ok(()));
        let mut decoder = match context.decoder(hints) {
            Ok(decoder) => decoder.with_declaration_limit(usize::MAX),
            Err(error) => {
                assert_eq!(whole, Err(error), "{context}");
                continue;
            }
        };
        for piece in bytes.chunks(usize::from(step) + 1) {
            result = result.and_then(|()| decoder.decode(piece, &mut text, false));
        }
        result = result.and_then(|()| decoder.decode(b"", &mut text, true));
        match whole {
            Ok(whole) => {
                assert_eq!(result, Ok(()), "{context}");
                assert_eq!(text, whole.text, "{context}");
                assert_eq!(decoder.sniffed(), whole.sniffed, "{context}");
            }
            Err(error) => assert_eq!(result, Err(error), "{context}"),
        }
    }

    // The limited prescan finds nothing that the unlimited one does not find, except for an XML declaration in place of
    // a later `meta` element.
    let (limited, unlimited) = (prescan_a_byte_stream(bytes, PRESCAN_LENGTH), prescan_a_byte_stream(bytes, usize::MAX));
    assert!(limited == unlimited || bytes.len() > PRESCAN_LENGTH);
    let mut position = usize::from(step);
    while let Ok(Some(attribute)) = get_an_attribute(bytes, &mut position) {
        assert!(!attribute.name.is_empty() && position <= bytes.len());
    }
    let _ = extract_a_character_encoding_from_a_meta_element(bytes);
    let _ = (get_an_xml_encoding(bytes), xml_declaration(bytes), Autodetection::of(bytes));
    if let Some(mime_type) = MimeType::parse(bytes) {
        // A serialized MIME type is parsed to the same MIME type.
        let serialized = mime_type.to_string();
        let isomorphic: Option<Vec<u8>> = serialized.chars().map(|character| u8::try_from(character).ok()).collect();
        let isomorphic = isomorphic.expect("bytes were isomorphically decoded");
        let again = MimeType::parse(&isomorphic)
            .map(|again| (again.to_string(), again.charset().map(|charset| charset.label())));
        let of_string = MimeType::parse_string(&serialized).map(|mime_type| mime_type.to_string());
        assert_eq!(of_string.as_deref(), Some(&*serialized), "a string and its isomorphic encoding");
        assert_eq!(again, Some((serialized, mime_type.charset().map(|charset| charset.label()))));
    }
    let _ = structure::candidates(bytes, choice & 16 == 0).count();
}
