//! All of textcodec in a library without std and without an allocator. If anything in it needed either, this would not
//! link: std brings a panic handler of its own, and an allocator would have to be declared.
#![cfg_attr(feature = "freestanding", no_std)]

#[cfg(feature = "freestanding")]
mod freestanding {
    use core::{panic::PanicInfo, slice};
    use textcodec::{DecoderErrorMode, EncoderErrorMode, Encoding};

    #[panic_handler]
    fn panic(_: &PanicInfo<'_>) -> ! {
        loop {}
    }

    /// Decodes `length` bytes at `source` by the label of `label_length` bytes at `label`, and encodes them again.
    ///
    /// # Safety
    /// Both pointers are to as many bytes as is said.
    #[unsafe(no_mangle)]
    pub unsafe extern "C" fn there_and_back(
        label: *const u8,
        label_length: usize,
        source: *const u8,
        length: usize,
    ) -> usize {
        // SAFETY: the caller vouches for the pointers and lengths.
        let (label, source) =
            unsafe { (slice::from_raw_parts(label, label_length), slice::from_raw_parts(source, length)) };
        let Ok(encoding) = Encoding::for_label(label) else { return 0 };
        let (mut text, mut bytes) = ([0; 64], [0; 64]);
        let decoded = encoding.new_decoder().decode_to_utf8(source, &mut text, true, DecoderErrorMode::Replacement);
        let Ok(text) = core::str::from_utf8(&text[..decoded.written]) else { return 0 };
        encoding.new_encoder().encode_from_utf8(text, &mut bytes, true, EncoderErrorMode::Html).written
    }
}
