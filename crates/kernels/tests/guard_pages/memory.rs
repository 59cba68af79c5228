//! Slices that begin or end exactly at an unmapped page, and a message that says which slice a kernel left.

use core::{
    fmt::{self, Write},
    sync::atomic::{AtomicPtr, AtomicUsize, Ordering::Relaxed},
};

/// The side of a slice on which the next byte belongs to an unmapped page.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Edge {
    /// The byte before the slice is unmapped.
    Start,
    /// The byte after the slice is unmapped.
    End,
}

/// A type of which every bit pattern is a value: bytes and code units.
pub(crate) trait Item: Copy + 'static {}
impl Item for u8 {}
impl Item for u16 {}
impl Item for u32 {}
impl Item for [u16; 2] {}
impl Item for textcodec_kernels::to_double_byte::Block {}

/// Readable and writable pages between two pages that nobody may touch.
pub(crate) struct Guarded {
    first: *mut u8,
    capacity: usize,
}

impl Guarded {
    /// Maps at least `capacity` bytes between two unmapped pages. The pages are never given back.
    pub(crate) fn new(capacity: usize) -> Self {
        // SAFETY: `sysconf` only reads a number.
        let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).expect("a page has a size");
        let capacity = capacity.next_multiple_of(page);
        let (access, kind) = (libc::PROT_NONE, libc::MAP_PRIVATE | libc::MAP_ANON);
        // SAFETY: a new mapping at an address that the system chooses changes no memory that is in use.
        let all = unsafe { libc::mmap(core::ptr::null_mut(), capacity + 2 * page, access, kind, -1, 0) };
        assert!(all != libc::MAP_FAILED, "the system maps no memory");
        // SAFETY: the mapping is `capacity` and two pages long, so one page after its start is inside of it.
        let first = unsafe { all.cast::<u8>().add(page) };
        // SAFETY: the `capacity` bytes from `first` on belong to the mapping, and nothing refers to them yet.
        let result = unsafe { libc::mprotect(first.cast(), capacity, libc::PROT_READ | libc::PROT_WRITE) };
        assert_eq!(result, 0, "the system does not make the pages writable");
        Guarded { first, capacity }
    }

    /// The slice of `length` items at this edge of the pages.
    pub(crate) fn slice<T: Item>(&mut self, edge: Edge, length: usize) -> &mut [T] {
        let bytes = length * size_of::<T>();
        assert!(bytes <= self.capacity, "{bytes} bytes do not fit into {}", self.capacity);
        let offset = match edge {
            Edge::Start => 0,
            Edge::End => self.capacity - bytes,
        };
        // SAFETY: `offset` is at most `capacity`, and that many bytes are mapped from `first` on.
        let from = unsafe { self.first.add(offset) }.cast::<T>();
        assert!(from.is_aligned());
        // SAFETY: `length` items from `from` on lie in the mapped pages by the assertion on `bytes`, and are aligned.
        // Pages are zero at first, every bit pattern is a `T`, and the borrow of `self` keeps other slices away.
        unsafe { core::slice::from_raw_parts_mut(from, length) }
    }

    /// The slice of `length` items at this edge, filled with the first items of `from`.
    pub(crate) fn copy<T: Item>(&mut self, edge: Edge, from: &[T]) -> &mut [T] {
        let slice = self.slice(edge, from.len());
        slice.copy_from_slice(from);
        slice
    }
}

/// A copy of `table` for the rest of the process, after which an unmapped page begins.
pub(crate) fn guarded_table<T: Item>(table: &[T]) -> &'static [T] {
    Box::leak(Box::new(Guarded::new(size_of_val(table)))).copy(Edge::End, table)
}

/// The call that runs now, for the signal handler.
static NAME: AtomicPtr<&'static str> = AtomicPtr::new(core::ptr::null_mut());
static LEVEL: AtomicPtr<&'static str> = AtomicPtr::new(core::ptr::null_mut());
/// The addresses of the first byte and of the byte after the last, and how many bytes an item has.
static SOURCE: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];
static DESTINATION: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];

/// Names the level for the message of a kernel that leaves its slices.
pub(crate) fn announce_level(level: &'static &'static str) {
    LEVEL.store(core::ptr::from_ref(level).cast_mut(), Relaxed);
}

/// Names the function and its slices for the message of a kernel that leaves them.
pub(crate) fn announce<S, D>(name: &'static &'static str, source: &[S], destination: &[D]) {
    NAME.store(core::ptr::from_ref(name).cast_mut(), Relaxed);
    for (place, number) in SOURCE.iter().zip(described(source)) {
        place.store(number, Relaxed);
    }
    for (place, number) in DESTINATION.iter().zip(described(destination)) {
        place.store(number, Relaxed);
    }
}

fn described<T>(slice: &[T]) -> [usize; 3] {
    let range = slice.as_ptr_range();
    [range.start.addr(), range.end.addr(), size_of::<T>()]
}

/// Makes an access to an unmapped page print which kernel did it and where, before the process dies of it.
pub(crate) fn explain_faults() {
    for signal in [libc::SIGSEGV, libc::SIGBUS] {
        // SAFETY: all zeros are a valid `sigaction`: no flags, an empty mask, the default action.
        let mut action: libc::sigaction = unsafe { core::mem::zeroed() };
        action.sa_flags = libc::SA_SIGINFO;
        let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) = explain;
        action.sa_sigaction = handler as libc::sighandler_t;
        // SAFETY: `action` is initialized, and its handler has the signature that `SA_SIGINFO` asks for.
        let result = unsafe { libc::sigaction(signal, &action, core::ptr::null_mut()) };
        assert_eq!(result, 0, "the system takes no signal handler");
    }
}

/// The signal handler. It prints the message and returns with the default action in place, so that the repeated access
/// ends the process.
extern "C" fn explain(signal: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: the system hands a valid `info` to a handler that was installed with `SA_SIGINFO`.
    let address = unsafe { (*info).si_addr() }.addr();
    let mut message = Message { text: [0; 400], length: 0 };
    // A message that is too long is cut off.
    let _ = describe(&mut message, address);
    // SAFETY: the first `length` bytes of `text` are initialized, as the whole array is.
    unsafe { libc::write(2, message.text.as_ptr().cast(), message.length) };
    // SAFETY: the default action is always valid for this signal.
    unsafe { libc::signal(signal, libc::SIG_DFL) };
}

fn describe(message: &mut Message, address: usize) -> fmt::Result {
    let text = |place: &AtomicPtr<&'static str>| {
        // SAFETY: the pointer is null or was made of a `&'static &'static str`.
        unsafe { place.load(Relaxed).as_ref() }.copied().unwrap_or("(nothing)")
    };
    write!(message, "\nguard page: {} at level {} left its slices", text(&NAME), text(&LEVEL))?;
    for (name, place) in [("source", &SOURCE), ("destination", &DESTINATION)] {
        let [start, end, item] = [0, 1, 2].map(|at| place[at].load(Relaxed));
        let item = item.max(1);
        write!(message, ";\n  the {name} has {} items of {item} bytes", (end - start) / item)?;
        if (end..end + NEAR).contains(&address) {
            write!(message, ", and byte {} after its end was accessed", address - end)?;
        } else if (start.saturating_sub(NEAR)..start).contains(&address) {
            write!(message, ", and byte {} before its start was accessed", start - address)?;
        }
    }
    writeln!(message, ";\n  if neither slice was left, it was a table: address {address:#x}")
}

/// An address that is at most this far from a slice is explained by that slice.
const NEAR: usize = 4096;

/// Text in an array, because a signal handler must not allocate.
struct Message {
    text: [u8; 400],
    length: usize,
}

impl Write for Message {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        let to = self.text.get_mut(self.length..self.length + more.len()).ok_or(fmt::Error)?;
        to.copy_from_slice(more.as_bytes());
        self.length += more.len();
        Ok(())
    }
}

/// Runs `access` in a child process and returns whether a signal for a bad address ended the child.
pub(crate) fn is_fatal(access: impl FnOnce()) -> bool {
    // SAFETY: the child only runs `access`, which touches memory and calls nothing that another thread may have locked.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "the system starts no child process");
    if child == 0 {
        for signal in [libc::SIGSEGV, libc::SIGBUS] {
            // SAFETY: the default action is always valid for this signal.
            unsafe { libc::signal(signal, libc::SIG_DFL) };
        }
        access();
        // SAFETY: ends the child without running anything else of the parent's.
        unsafe { libc::_exit(0) };
    }
    let mut status = 0;
    // SAFETY: `child` is a child of this process, and `status` is writable.
    assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child);
    libc::WIFSIGNALED(status) && [libc::SIGSEGV, libc::SIGBUS].contains(&libc::WTERMSIG(status))
}
