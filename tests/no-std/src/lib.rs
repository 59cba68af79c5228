//! All of textcodec in a library without std and without an allocator. If textcodec needed one of them, this library
//! would not link: std has a panic handler of its own, and the library declares no allocator.
#![cfg_attr(feature = "freestanding", no_std)]

#[cfg(feature = "freestanding")]
mod freestanding {
    use core::panic::PanicInfo;
    use textcodec::{DecodeErrorMode, EncodeErrorMode, Encoding, Name};

    #[panic_handler]
    fn panic(_: &PanicInfo<'_>) -> ! {
        loop {}
    }

    /// Decodes eight bytes by the label that `number` selects, and encodes the text again. Returns the number of bytes
    /// of the result.
    #[unsafe(no_mangle)]
    pub extern "C" fn there_and_back(number: usize, source: u64) -> usize {
        let labels = Name::ALL[number % Name::ALL.len()].labels();
        let Some(Ok(encoding)) = labels.map(Encoding::for_label).next() else { return 0 };
        let (mut text, mut bytes) = ([0; 64], [0; 64]);
        let mut decoder = encoding.new_decoder();
        let decoded = decoder.decode_to_utf8(&source.to_ne_bytes(), &mut text, true, DecodeErrorMode::Replacement);
        let Ok(text) = core::str::from_utf8(&text[..decoded.written]) else { return 0 };
        encoding.new_encoder().encode_str(text, &mut bytes, true, EncodeErrorMode::Html).written
    }
}
