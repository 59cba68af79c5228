//! Several chunks at the same time.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use arrow_array::{Array, ArrayRef};

use crate::Error;

/// Calls `convert` for each chunk of a column, on at most `threads` threads, and returns the results in the order of
/// the chunks. `convert` gets the chunk and the number of the rows before it. Nothing is shared between chunks, so
/// `threads` changes no result.
///
/// # Errors
/// The error of the first chunk that has one. Its row counts from the start of the column.
///
/// ```
/// use std::sync::Arc;
/// use arrow_array::{ArrayRef, BinaryArray};
/// use textcodec_arrow::{DecodeOptions, Labels, decode, on_threads};
///
/// let chunks: [ArrayRef; 2] = [
///     Arc::new(BinaryArray::from(vec![&b"caf\xE9"[..]])),
///     Arc::new(BinaryArray::from(vec![&b"\x80"[..], b"a"])),
/// ];
/// let labels = Labels::one("latin1")?;
/// let text = on_threads(2, &chunks, |chunk, first| {
///     decode(chunk, &labels.slice(first, chunk.len()), &DecodeOptions::default())
/// })?;
/// assert_eq!(text.iter().map(|chunk| chunk.len()).collect::<Vec<_>>(), [1, 2]);
/// # Ok::<(), textcodec_arrow::Error>(())
/// ```
pub fn on_threads<T: Send>(
    threads: usize,
    chunks: &[ArrayRef],
    convert: impl Fn(&ArrayRef, usize) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error> {
    let mut rows = 0;
    let mut starts = Vec::with_capacity(chunks.len());
    for chunk in chunks {
        starts.push(rows);
        rows += chunk.len();
    }
    let run = |chunk: usize| convert(&chunks[chunk], starts[chunk]).map_err(|error| error.after(starts[chunk]));
    let threads = threads.min(chunks.len());
    if threads <= 1 {
        return (0..chunks.len()).map(run).collect();
    }
    let results: Mutex<Vec<Option<Result<T, Error>>>> = Mutex::new(chunks.iter().map(|_| None).collect());
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let chunk = next.fetch_add(1, Ordering::Relaxed);
            if chunk >= chunks.len() {
                return;
            }
            let result = run(chunk);
            if result.is_err() {
                // No thread begins another chunk. The chunks before this one have begun, and will be finished.
                next.store(chunks.len(), Ordering::Relaxed);
            }
            results.lock().unwrap_or_else(PoisonError::into_inner)[chunk] = Some(result);
        }
    };
    thread::scope(|scope| {
        // Where the system refuses more threads, fewer do the work.
        let spawn = || thread::Builder::new().spawn_scoped(scope, work).is_ok();
        (1..threads).take_while(|_| spawn()).for_each(drop);
        work();
    });
    // The first error comes before all chunks that were left out.
    results.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect()
}
