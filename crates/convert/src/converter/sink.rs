//! The places that a converter writes to.

use alloc::vec::Vec;
use core::convert::Infallible;

/// A place for bytes.
pub trait Sink {
    /// The reason why bytes cannot be written.
    type Error;

    /// Writes all of `bytes`.
    ///
    /// # Errors
    /// The bytes cannot be written.
    fn write(&mut self, bytes: &[u8]) -> Result<(), Self::Error>;

    /// Passes on everything that was written. A converter calls it at the end of each piece of the input.
    ///
    /// # Errors
    /// The bytes cannot be written.
    fn flush(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

impl Sink for Vec<u8> {
    type Error = Infallible;

    fn write(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.extend_from_slice(bytes);
        Ok(())
    }
}

/// Any writer of the standard library as a sink.
#[cfg(feature = "std")]
#[derive(Clone, Debug)]
pub struct Writer<W>(pub W);

#[cfg(feature = "std")]
impl<W: std::io::Write> Sink for Writer<W> {
    type Error = std::io::Error;

    fn write(&mut self, bytes: &[u8]) -> Result<(), std::io::Error> {
        self.0.write_all(bytes)
    }

    fn flush(&mut self) -> Result<(), std::io::Error> {
        self.0.flush()
    }
}
