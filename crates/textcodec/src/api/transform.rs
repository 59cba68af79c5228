//! [GenericTransformStream](https://streams.spec.whatwg.org/#generictransformstream): the common interface of the two
//! streams.

/// The transform and flush algorithms of a TransformStream.
///
/// They return the chunk that they enqueue. No chunk is empty. An error is the last result of a stream: it errors both
/// sides.
pub trait Transform {
    /// The type of a chunk on the writable side.
    type Chunk: ?Sized;
    /// The type of a chunk on the readable side.
    type Output;
    /// The error that errors the stream.
    type Error;

    /// The transform algorithm.
    ///
    /// # Errors
    /// The errors of the implementation.
    fn transform(&mut self, chunk: &Self::Chunk) -> Result<Option<Self::Output>, Self::Error>;

    /// The flush algorithm: no chunk follows.
    ///
    /// # Errors
    /// The errors of the implementation.
    fn flush(&mut self) -> Result<Option<Self::Output>, Self::Error>;
}
