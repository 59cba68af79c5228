//! Writes on a thread of its own, so that a long conversion and the writing of its result share the processors.

use std::{
    io::{self, Write},
    mem,
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread::{self, JoinHandle},
};

/// The number of bytes that are handed over at once. With 256 KiB, writing 3 GB to a memory file system takes no longer
/// than with 1 MiB.
const PIECE: usize = 256 * 1024;

/// The number of pieces that wait to be written.
const WAITING: usize = 4;

/// A writer whose pieces another thread writes to `W`.
#[derive(Debug)]
pub struct Overlapped<W> {
    piece: Vec<u8>,
    /// `None` after the end.
    sender: Option<SyncSender<Vec<u8>>>,
    /// Pieces that are written come back.
    empty: Receiver<Vec<u8>>,
    thread: Option<JoinHandle<io::Result<W>>>,
}

impl<W: Write + Send + 'static> Overlapped<W> {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system has no thread.
    pub fn new(mut output: W) -> io::Result<Self> {
        let (sender, pieces) = sync_channel::<Vec<u8>>(WAITING);
        let (give_back, empty) = sync_channel(WAITING + 2);
        let write = move || {
            for mut piece in pieces {
                output.write_all(&piece)?;
                piece.clear();
                // Nobody needs the piece after the end.
                let _ = give_back.send(piece);
            }
            output.flush()?;
            Ok(output)
        };
        let thread = Some(thread::Builder::new().spawn(write)?);
        Ok(Overlapped { piece: Vec::with_capacity(PIECE), sender: Some(sender), empty, thread })
    }

    fn hand_over(&mut self) -> io::Result<()> {
        let next = self.empty.try_recv().unwrap_or_else(|_| Vec::with_capacity(PIECE));
        let piece = mem::replace(&mut self.piece, next);
        match self.sender.as_ref().is_some_and(|sender| sender.send(piece).is_ok()) {
            true => Ok(()),
            // The thread has ended with an error.
            false => self.join().and_then(|_| Err(io::Error::other("writing has ended"))),
        }
    }

    fn join(&mut self) -> io::Result<W> {
        self.sender = None;
        let ended = self.thread.take().map(JoinHandle::join);
        ended.unwrap_or_else(|| Ok(Err(io::Error::other("writing has ended")))).unwrap_or_else(|panic| {
            std::panic::resume_unwind(panic);
        })
    }

    /// Writes the rest, and returns the output.
    ///
    /// # Errors
    /// The bytes cannot be written.
    pub fn end(mut self) -> io::Result<W> {
        self.hand_over()?;
        self.join()
    }
}

impl<W> Drop for Overlapped<W> {
    /// Waits for the other thread, which owns the output. A file without a name, or with a temporary one, must be gone
    /// before the program ends.
    fn drop(&mut self) {
        self.sender = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl<W: Write + Send + 'static> Write for Overlapped<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.piece.len() == PIECE {
            self.hand_over()?;
        }
        let length = bytes.len().min(PIECE - self.piece.len());
        self.piece.extend_from_slice(&bytes[..length]);
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bytes_arrive_in_their_order() {
        let bytes: Vec<u8> = (0..3_000_000_u32).map(|number| (number % 251) as u8).collect();
        for length in [0, 1, PIECE, PIECE + 1, bytes.len()] {
            let mut writer = Overlapped::new(Vec::new()).unwrap();
            bytes[..length].chunks(100_003).for_each(|chunk| writer.write_all(chunk).unwrap());
            assert!(writer.end().unwrap() == bytes[..length]);
        }
    }

    #[test]
    fn an_output_that_is_given_up_is_gone_when_the_call_returns() {
        let output = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
        struct Shared(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);

        impl Write for Shared {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0.lock().unwrap().write(bytes)
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }

        let mut writer = Overlapped::new(Shared(output.clone())).unwrap();
        writer.write_all(&[7; PIECE + 1]).unwrap();
        drop(writer);
        assert_eq!(std::sync::Arc::strong_count(&output), 1);
        assert_eq!(output.lock().unwrap().len(), PIECE);
    }

    #[test]
    fn an_error_of_writing_is_reported() {
        struct Full;

        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }

        let mut writer = Overlapped::new(Full).unwrap();
        let error = loop {
            if let Err(error) = writer.write_all(&[0; PIECE]) {
                break error;
            }
        };
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        let mut writer = Overlapped::new(Full).unwrap();
        writer.write_all(b"a").unwrap();
        assert!(writer.end().is_err());
    }
}
