//! The functions that the scripts call, with all `unsafe` code of this package.
#![allow(unsafe_code)]

use core::{cell::UnsafeCell, panic::PanicInfo};

use crate::shared::Shared;

/// The shared memory.
struct Memory(UnsafeCell<Shared>);

// SAFETY: this module is compiled for wasm32 without threads only, as `compile_error!` below checks. A value cannot be
// seen by two threads where there is one.
unsafe impl Sync for Memory {}

#[cfg(target_feature = "atomics")]
compile_error!("the functions of this library use memory that only one thread may use");

static MEMORY: Memory = Memory(UnsafeCell::new(Shared::NEW));

/// Calls `function` with the shared memory.
#[inline]
fn call(function: fn(&mut Shared) -> i32) -> i32 {
    // SAFETY: this is the only place that makes a reference to the memory, and the reference ends with the call. The
    // library imports nothing, so no function of the host can run meanwhile and call into the library again.
    function(unsafe { &mut *MEMORY.0.get() })
}

/// Declares the functions of the library: each calls the function of a module with the shared memory.
macro_rules! functions {
    ($($(#[$attribute:meta])* $name:ident = $function:path;)+) => {
        $(
            $(#[$attribute])*
            // SAFETY: no other function of this library or of the standard library has this name.
            #[unsafe(no_mangle)]
            pub(crate) extern "C" fn $name() -> i32 {
                call($function)
            }
        )+
    };
}

functions! {
    /// The address of the shared memory.
    memory_address = address;
    /// The name and the labels of each encoding.
    labels = crate::labels::labels;
    /// [Get an encoding](https://encoding.spec.whatwg.org/#concept-encoding-get).
    label_to_encoding = crate::labels::label_to_encoding;
    /// Decodes the source.
    decode = crate::decode::decode;
    /// [BOM sniff](https://encoding.spec.whatwg.org/#bom-sniff).
    bom_sniff = crate::decode::bom_sniff;
    /// Encodes the source.
    #[cfg(feature = "encode")]
    encode = crate::encode::encode;
    /// Percent-encodes the source after encoding it.
    #[cfg(feature = "encode")]
    percent_encode = crate::encode::percent_encode;
    /// Encodes the source, with a record for each unmappable character.
    #[cfg(all(feature = "encode", feature = "detail"))]
    encode_detail = crate::encode::encode_detail;
    /// Decodes the source into a record for each sequence.
    #[cfg(feature = "detail")]
    detail = crate::detail::detail;
    /// The names of the contexts of `sniff`.
    #[cfg(feature = "sniff")]
    contexts = crate::sniff::contexts;
    /// Finds out the encoding of the source.
    #[cfg(feature = "sniff")]
    sniff = crate::sniff::sniff;
}

fn address(shared: &mut Shared) -> i32 {
    core::ptr::from_mut(shared).addr() as i32
}

/// A panic ends the call: the script sees a `WebAssembly.RuntimeError`.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
