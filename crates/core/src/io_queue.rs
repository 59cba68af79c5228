//! [I/O queues](https://encoding.spec.whatwg.org/#concept-stream), in both of the Standard's uses.
//!
//! An *immediate* queue has all of its items from the start. A *streaming* queue gets its items from a [`Producer`] on
//! another thread, and its reader waits for them.
//!
//! ```
//! use textcodec_core::{handler::Item, io_queue::IoQueue};
//!
//! let mut queue = IoQueue::from_iter(*b"\x92\xA9");
//! queue.restore(&[0xF0, 0x9F]);
//! assert_eq!(queue.peek(3), [0xF0, 0x9F, 0x92]);
//! assert_eq!(queue.read_all::<Vec<u8>>(), [0xF0, 0x9F, 0x92, 0xA9]);
//! assert_eq!(queue.read(), Item::EndOfQueue);
//! ```

use alloc::{collections::VecDeque, vec::Vec};

use crate::handler::{Item, Restore};

/// The source of further items for a queue that is empty.
pub trait ItemSource<T> {
    /// Waits for the next item. `None` if there will be no more items.
    fn wait(&mut self) -> Option<T>;
}

/// The source of an immediate queue, which gives no items.
#[derive(Clone, Copy, Default, Debug)]
pub struct Immediate;

impl<T> ItemSource<T> for Immediate {
    fn wait(&mut self) -> Option<T> {
        None
    }
}

/// An [I/O queue](https://encoding.spec.whatwg.org/#concept-stream) of bytes, scalar values or code units.
///
/// [`IoQueue::new`] makes the Standard's « ». In the Standard, reading from it when it is empty would wait forever;
/// here it returns end-of-queue. A queue that is made from items ends with end-of-queue.
#[derive(Clone, Debug)]
pub struct IoQueue<T, S = Immediate> {
    items: VecDeque<T>,
    /// Whether end-of-queue is in the queue, as its last item.
    ended: bool,
    source: S,
}

impl<T> IoQueue<T> {
    /// The empty queue « », without end-of-queue: for output.
    #[must_use]
    pub const fn new() -> Self {
        IoQueue { items: VecDeque::new(), ended: false, source: Immediate }
    }
}

impl<T> Default for IoQueue<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> FromIterator<T> for IoQueue<T> {
    /// [Converts](https://encoding.spec.whatwg.org/#to-i-o-queue-convert) items to a queue: the items, then
    /// end-of-queue.
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        IoQueue { items: items.into_iter().collect(), ended: true, source: Immediate }
    }
}

impl<T: Copy, S: ItemSource<T>> IoQueue<T, S> {
    /// [Reads](https://encoding.spec.whatwg.org/#concept-stream-read) an item. End-of-queue stays in the queue and can
    /// be read again.
    pub fn read(&mut self) -> Item<T> {
        self.wait_for(1);
        self.items.pop_front().map_or(Item::EndOfQueue, Item::Value)
    }

    /// [Reads `number` items](https://encoding.spec.whatwg.org/#concept-stream-read); fewer if the queue ends earlier.
    pub fn read_several(&mut self, number: usize) -> Vec<T> {
        self.wait_for(number);
        let number = number.min(self.items.len());
        self.items.drain(..number).collect()
    }

    /// Reads all items up to end-of-queue:
    /// [converts the queue](https://encoding.spec.whatwg.org/#from-i-o-queue-convert) to a list, string or byte
    /// sequence.
    pub fn read_all<C: FromIterator<T>>(&mut self) -> C {
        self.wait_for(usize::MAX);
        self.items.drain(..).collect()
    }

    /// [Peeks](https://encoding.spec.whatwg.org/#i-o-queue-peek): the first `number` items, which stay in the queue;
    /// fewer if the queue ends earlier.
    pub fn peek(&mut self, number: usize) -> Vec<T> {
        self.wait_for(number);
        self.items.iter().take(number).copied().collect()
    }

    /// [Pushes](https://encoding.spec.whatwg.org/#concept-stream-push) an item. If end-of-queue is in the queue
    /// already, the item goes before it, and a second end-of-queue is ignored.
    pub fn push(&mut self, item: Item<T>) {
        match item {
            Item::Value(value) => self.items.push_back(value),
            Item::EndOfQueue => self.ended = true,
        }
    }

    /// Pushes items one after the other.
    pub fn push_several(&mut self, items: impl IntoIterator<Item = T>) {
        self.items.extend(items);
    }

    /// [Restores](https://encoding.spec.whatwg.org/#concept-stream-prepend) items: puts them at the front of the queue,
    /// in their order. Only the algorithms of the Encoding Standard should use this.
    pub fn restore(&mut self, items: &[T]) {
        items.iter().rev().for_each(|&item| self.items.push_front(item));
    }

    /// Waits until there are `number` items or the queue has ended.
    fn wait_for(&mut self, number: usize) {
        while self.items.len() < number && !self.ended {
            match self.source.wait() {
                Some(value) => self.items.push_back(value),
                None => break,
            }
        }
    }
}

impl<T: Copy, S: ItemSource<T>> Restore<T> for IoQueue<T, S> {
    fn restore(&mut self, items: &[T]) {
        self.restore(items);
    }
}

#[cfg(feature = "std")]
pub use streaming::{Producer, Streaming, streaming};

#[cfg(feature = "std")]
mod streaming {
    use std::sync::mpsc::{self, Receiver, Sender};

    use super::{IoQueue, ItemSource, VecDeque};
    use crate::handler::Item;

    /// The end of a streaming queue for pushing items. The queue ends when end-of-queue is pushed, or when the producer
    /// is dropped.
    #[derive(Debug)]
    pub struct Producer<T>(Option<Sender<T>>);

    /// The source of a streaming queue.
    #[derive(Debug)]
    pub struct Streaming<T>(Receiver<T>);

    /// An empty [streaming](https://encoding.spec.whatwg.org/#concept-stream) queue, and its producer.
    ///
    /// ```
    /// use textcodec_core::{handler::Item, io_queue::streaming};
    ///
    /// let (mut producer, mut queue) = streaming();
    /// let reader = std::thread::spawn(move || queue.read_all::<Vec<u8>>());
    /// producer.push(Item::Value(0xE2));
    /// producer.push(Item::EndOfQueue);
    /// assert_eq!(reader.join().unwrap(), [0xE2]);
    /// ```
    #[must_use]
    pub fn streaming<T>() -> (Producer<T>, IoQueue<T, Streaming<T>>) {
        let (sender, receiver) = mpsc::channel();
        (Producer(Some(sender)), IoQueue { items: VecDeque::new(), ended: false, source: Streaming(receiver) })
    }

    impl<T> Producer<T> {
        /// Pushes an item. This does nothing after end-of-queue, and when the queue has been dropped.
        pub fn push(&mut self, item: Item<T>) {
            match item {
                Item::EndOfQueue => self.0 = None,
                Item::Value(value) => {
                    let is_gone = self.0.as_ref().is_some_and(|sender| sender.send(value).is_err());
                    if is_gone {
                        self.0 = None;
                    }
                }
            }
        }
    }

    impl<T> ItemSource<T> for Streaming<T> {
        fn wait(&mut self) -> Option<T> {
            self.0.recv().ok()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn end_of_queue_is_returned_and_stays() {
        let mut queue = IoQueue::from_iter([1]);
        assert_eq!(queue.read(), Item::Value(1));
        assert_eq!(queue.read(), Item::EndOfQueue);
        assert_eq!(queue.read(), Item::EndOfQueue);
        assert_eq!(queue.read_several(3), []);
    }

    #[test]
    fn pushes_go_before_end_of_queue_and_a_second_one_is_ignored() {
        let mut queue = IoQueue::from_iter([1]);
        queue.push(Item::EndOfQueue);
        queue.push(Item::Value(2));
        queue.push_several([3, 4]);
        assert_eq!(queue.read_all::<Vec<_>>(), [1, 2, 3, 4]);
        assert_eq!(queue.read(), Item::EndOfQueue);
    }

    #[test]
    fn reads_and_peeks_can_be_short() {
        let mut queue = IoQueue::from_iter([1, 2, 3]);
        assert_eq!(queue.peek(2), [1, 2]);
        assert_eq!(queue.peek(9), [1, 2, 3]);
        assert_eq!(queue.read_several(2), [1, 2]);
        assert_eq!(queue.read_several(2), [3]);
        assert_eq!(queue.peek(1), []);
    }

    #[test]
    fn restored_items_keep_their_order_at_the_front() {
        let mut queue = IoQueue::from_iter([0x92, 0xA9]);
        queue.restore(&[0xF0, 0x9F]);
        assert_eq!(queue.read_all::<Vec<u8>>(), [0xF0, 0x9F, 0x92, 0xA9]);
        queue.restore(&[7]);
        assert_eq!(queue.read(), Item::Value(7));
    }

    #[test]
    fn a_handler_restores_into_a_queue() {
        fn restore(queue: &mut impl Restore<u8>) {
            queue.restore(&[0xF0, 0x9F]);
        }
        let mut queue = IoQueue::from_iter([0x92, 0xA9]);
        restore(&mut queue);
        assert_eq!(queue.read_all::<Vec<u8>>(), [0xF0, 0x9F, 0x92, 0xA9]);
    }

    #[test]
    fn a_streaming_queue_makes_its_reader_wait() {
        let (mut producer, mut queue) = streaming();
        let reader = std::thread::spawn(move || {
            let peeked = queue.peek(2);
            let first = queue.read();
            queue.restore(&[9]);
            (peeked, first, queue.read_several(2), queue.read())
        });
        for value in [1, 2] {
            std::thread::sleep(std::time::Duration::from_millis(5));
            producer.push(Item::Value(value));
        }
        producer.push(Item::EndOfQueue);
        producer.push(Item::Value(3));
        assert_eq!(reader.join().unwrap(), (vec![1, 2], Item::Value(1), vec![9, 2], Item::EndOfQueue));
    }

    #[test]
    fn each_way_to_read_a_streaming_queue_takes_all_items_that_it_asks_for() {
        let queue = || {
            let (mut producer, queue) = streaming();
            [1, 2, 3].into_iter().for_each(|value| producer.push(Item::Value(value)));
            (producer, queue)
        };
        let (_producer, mut several) = queue();
        assert_eq!((several.read_several(2), several.read_several(1)), (vec![1, 2], vec![3]));
        let (_producer, mut peeked) = queue();
        assert_eq!((peeked.peek(2), peeked.peek(3), peeked.read()), (vec![1, 2], vec![1, 2, 3], Item::Value(1)));
        let (mut producer, mut all) = queue();
        producer.push(Item::EndOfQueue);
        assert_eq!(all.read_all::<Vec<_>>(), [1, 2, 3]);
    }

    #[test]
    fn an_end_that_the_reader_pushes_comes_before_later_items() {
        let (mut producer, mut queue) = streaming();
        producer.push(Item::Value(1));
        queue.push(Item::EndOfQueue);
        assert_eq!(queue.read(), Item::EndOfQueue);
        assert_eq!(queue.peek(1), []);
    }

    #[test]
    fn a_producer_pushes_nothing_when_the_queue_has_been_dropped() {
        let (mut producer, queue) = streaming();
        producer.push(Item::Value(1));
        drop(queue);
        for item in [Item::Value(2), Item::Value(3), Item::EndOfQueue, Item::Value(4), Item::EndOfQueue] {
            producer.push(item);
        }
    }

    #[test]
    fn a_streaming_queue_ends_when_its_producer_is_dropped() {
        let (producer, mut queue) = streaming::<u8>();
        drop(producer);
        assert_eq!(queue.read(), Item::EndOfQueue);
    }
}
