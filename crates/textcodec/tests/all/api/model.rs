//! The oracle of these tests: the algorithms of the Standard's chapter, step by step over the Standard's I/O queues.

use textcodec::{
    DecodeErrorMode, Encoding, UTF_8, UTF_16BE, UTF_16LE,
    hooks::{DecoderInstance, IoQueue, Item, ItemResult},
};

/// A TextDecoder or a TextDecoderStream.
pub(crate) struct Model {
    encoding: Encoding,
    decoder: DecoderInstance,
    io_queue: Vec<u8>,
    ignore_bom: bool,
    bom_seen: bool,
    error_mode: DecodeErrorMode,
    do_not_flush: bool,
}

impl Model {
    pub(crate) fn new(encoding: Encoding, fatal: bool, ignore_bom: bool) -> Self {
        Model {
            encoding,
            decoder: DecoderInstance::new(encoding),
            io_queue: Vec::new(),
            ignore_bom,
            bom_seen: false,
            error_mode: if fatal { DecodeErrorMode::Fatal } else { DecodeErrorMode::Replacement },
            do_not_flush: false,
        }
    }

    /// The method `decode`. `Err` is its TypeError.
    pub(crate) fn decode(&mut self, input: &[u8], stream: bool) -> Result<String, ()> {
        if !self.do_not_flush {
            self.decoder = DecoderInstance::new(self.encoding);
            self.io_queue.clear();
            self.bom_seen = false;
        }
        self.do_not_flush = stream;
        self.io_queue.extend(input);
        let mut io_queue: IoQueue<u8> = self.io_queue.drain(..).collect();
        let mut output = IoQueue::new();
        loop {
            let item = io_queue.read();
            if item == Item::EndOfQueue && self.do_not_flush {
                return Ok(self.serialize(&mut output));
            }
            match self.decoder.process_item(item, &mut io_queue, &mut output, self.error_mode) {
                ItemResult::Finished => return Ok(self.serialize(&mut output)),
                // The rest of the queue is lost.
                ItemResult::Error(()) => return Err(()),
                ItemResult::Continue => {}
            }
        }
    }

    /// Serialize I/O queue.
    fn serialize(&mut self, io_queue: &mut IoQueue<char>) -> String {
        let mut output = String::new();
        loop {
            match io_queue.read() {
                Item::EndOfQueue => return output,
                Item::Value(item) => {
                    let has_bom = [UTF_8, UTF_16BE, UTF_16LE].contains(&self.encoding);
                    if has_bom && !self.ignore_bom && !self.bom_seen {
                        self.bom_seen = true;
                        if item == '\u{FEFF}' {
                            continue;
                        }
                    }
                    output.push(item);
                }
            }
        }
    }
}
