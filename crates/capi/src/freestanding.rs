//! What a library without the standard library has to define.

use core::panic::PanicInfo;

/// Nothing panics, so nothing calls this function.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {
        core::hint::spin_loop();
    }
}
