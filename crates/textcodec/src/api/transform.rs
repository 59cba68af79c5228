//! [GenericTransformStream](https://streams.spec.whatwg.org/#generictransformstream): what the two streams have in common.

/// The algorithms that a TransformStream is set up with.
///
/// What they enqueue is returned, and nothing is enqueued that is empty. An error is the last thing that comes of a stream: it errors both
/// sides.
pub trait Transform {
    /// What a chunk on the writable side is.
    type Chunk: ?Sized;
    /// What a chunk on the readable side is.
    type Output;
    /// What errors the stream.
    type Error;

    /// The transform algorithm.
    ///
    /// # Errors
    /// As the implementation says.
    fn transform(&mut self, chunk: &Self::Chunk) -> Result<Option<Self::Output>, Self::Error>;

    /// The flush algorithm: no chunk follows.
    ///
    /// # Errors
    /// As the implementation says.
    fn flush(&mut self) -> Result<Option<Self::Output>, Self::Error>;
}
