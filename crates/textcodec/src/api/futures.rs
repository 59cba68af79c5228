//! The [readable and writable sides](https://streams.spec.whatwg.org/#generictransformstream) of a stream, as a
//! `Stream` and a `Sink` of `futures`.

use core::{
    borrow::Borrow,
    error::Error,
    fmt,
    marker::PhantomData,
    pin::Pin,
    task::{Context, Poll, ready},
};

use futures_core::Stream;
use futures_sink::Sink;
use pin_project_lite::pin_project;

use super::Transform;

pin_project! {
    /// The readable side of a [`Transform`]. An inner stream of chunks is piped to the writable side.
    ///
    /// It takes a chunk from the inner stream when a caller asks for one. The first error is the last item.
    ///
    /// ```
    /// use futures_util::{StreamExt, stream};
    /// use textcodec::api::{Readable, TextDecoderStream};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), textcodec::api::TypeError> {
    /// let chunks = stream::iter([&b"\xEF\xBB\xBFa\xE2\x82"[..], b"\xAC"]);
    /// let mut text = Readable::new(chunks, TextDecoderStream::default());
    /// assert_eq!(text.next().await.unwrap()?, "a");
    /// assert_eq!(text.next().await.unwrap()?, "€");
    /// assert!(text.next().await.is_none());
    /// # Ok(())
    /// # }
    /// ```
    #[derive(Debug)]
    pub struct Readable<S, T> {
        #[pin]
        inner: S,
        transform: T,
        closed: bool,
    }
}

impl<S, T> Readable<S, T> {
    /// Pipes `inner` through `transform`.
    pub fn new(inner: S, transform: T) -> Self {
        Readable { inner, transform, closed: false }
    }

    /// The transform.
    #[must_use]
    pub fn transform(&self) -> &T {
        &self.transform
    }
}

impl<S: Stream<Item: Borrow<T::Chunk>>, T: Transform> Stream for Readable<S, T> {
    type Item = Result<T::Output, T::Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut this = self.project();
        while !*this.closed {
            let result = match ready!(this.inner.as_mut().poll_next(context)) {
                Some(chunk) => this.transform.transform(chunk.borrow()),
                None => {
                    *this.closed = true;
                    this.transform.flush()
                }
            };
            *this.closed |= result.is_err();
            if let Some(item) = result.transpose() {
                return Poll::Ready(Some(item));
            }
        }
        Poll::Ready(None)
    }
}

pin_project! {
    /// The writable side of a [`Transform`] whose readable side is piped to an inner sink. Closing it flushes the
    /// transform. Chunks have the type `C`, any type that borrows as the chunks of the transform.
    ///
    /// ```
    /// use futures_util::{SinkExt, sink};
    /// use textcodec::api::{TextEncoderStream, Writable};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut bytes = Vec::new();
    /// let mut text = Writable::new(&mut bytes, TextEncoderStream::new());
    /// text.send(&[0x61, 0xD83D][..]).await?;
    /// text.send(&[0xDCA9][..]).await?;
    /// text.close().await?;
    /// assert_eq!(bytes.concat(), "a💩".as_bytes());
    /// # Ok(())
    /// # }
    /// ```
    #[derive(Debug)]
    pub struct Writable<W, T, C> {
        #[pin]
        inner: W,
        transform: T,
        closed: bool,
        chunks: PhantomData<fn(C)>,
    }
}

impl<W, T, C> Writable<W, T, C> {
    /// Pipes `transform` into `inner`.
    pub fn new(inner: W, transform: T) -> Self {
        Writable { inner, transform, closed: false, chunks: PhantomData }
    }

    /// The transform.
    #[must_use]
    pub fn transform(&self) -> &T {
        &self.transform
    }
}

/// The reason why a [`Writable`] did not take a chunk.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WritableError<T, W> {
    /// The error of the transform.
    Transform(T),
    /// The error of the inner sink.
    Sink(W),
}

impl<T: fmt::Display, W: fmt::Display> fmt::Display for WritableError<T, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WritableError::Transform(error) => error.fmt(f),
            WritableError::Sink(error) => error.fmt(f),
        }
    }
}

impl<T: Error, W: Error> Error for WritableError<T, W> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            WritableError::Transform(error) => error.source(),
            WritableError::Sink(error) => error.source(),
        }
    }
}

impl<W: Sink<T::Output>, T: Transform, C: Borrow<T::Chunk>> Sink<C> for Writable<W, T, C> {
    type Error = WritableError<T::Error, W::Error>;

    fn poll_ready(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.project().inner.poll_ready(context).map_err(WritableError::Sink)
    }

    fn start_send(self: Pin<&mut Self>, chunk: C) -> Result<(), Self::Error> {
        let this = self.project();
        match this.transform.transform(chunk.borrow()).map_err(WritableError::Transform)? {
            Some(output) => this.inner.start_send(output).map_err(WritableError::Sink),
            None => Ok(()),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.project().inner.poll_flush(context).map_err(WritableError::Sink)
    }

    fn poll_close(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        let mut this = self.project();
        if !*this.closed {
            ready!(this.inner.as_mut().poll_ready(context)).map_err(WritableError::Sink)?;
            let output = this.transform.flush().map_err(WritableError::Transform)?;
            *this.closed = true;
            if let Some(output) = output {
                this.inner.as_mut().start_send(output).map_err(WritableError::Sink)?;
            }
        }
        this.inner.poll_close(context).map_err(WritableError::Sink)
    }
}
