//! Which vector instructions the processor has, found out once, and the choice of a function's body by it.
//!
//! A public function of this crate has one body for each [`Level`]. The bodies of one function stand in a table of that
//! function, indexed by level, so that a program contains only the bodies of the functions that it calls. A body calls
//! other bodies of its own level directly, so that no loop chooses a level again.

#[cfg(all(vectors = "x86_64", feature = "run-time"))]
mod features;
#[cfg(test)]
mod tests;

/// A set of instructions, and the bodies that are written with these instructions. Of two levels that a processor has,
/// the later one is faster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Level {
    /// No vector instructions. Every processor has this level, and the bodies of all other levels are tested against
    /// it.
    Scalar,
    /// SSSE3, SSE4.1 and POPCNT: vectors of 16 bytes. This level exists only with the feature `sse41` of this crate.
    #[cfg(vectors = "sse41")]
    Sse41,
    /// AVX2, BMI1, BMI2, LZCNT and POPCNT: vectors of 32 bytes.
    #[cfg(vectors = "x86_64")]
    Avx2,
    /// AVX-512 with VBMI, VBMI2, VPOPCNTDQ and VL, and all features of AVX2's level: vectors of 64 bytes.
    #[cfg(vectors = "x86_64")]
    Avx512,
    /// NEON: vectors of 16 bytes. Every processor with this architecture has it.
    #[cfg(vectors = "aarch64")]
    Neon,
    /// The feature simd128 of WebAssembly: vectors of 16 bytes. A library that is built with it runs only where it
    /// exists.
    #[cfg(vectors = "wasm32")]
    Simd128,
}

impl Level {
    /// All levels of this architecture, including levels that the running processor does not have.
    const ALL: &[Self] = &[
        Self::Scalar,
        #[cfg(vectors = "sse41")]
        Self::Sse41,
        #[cfg(vectors = "x86_64")]
        Self::Avx2,
        #[cfg(vectors = "x86_64")]
        Self::Avx512,
        #[cfg(vectors = "aarch64")]
        Self::Neon,
        #[cfg(vectors = "wasm32")]
        Self::Simd128,
    ];

    /// Whether this processor has the level.
    fn is_here(self) -> bool {
        match self {
            Self::Scalar => true,
            #[cfg(vectors = "sse41")]
            Self::Sse41 => features::has_sse41(),
            #[cfg(vectors = "x86_64")]
            Self::Avx2 => features::has_avx2(),
            #[cfg(vectors = "x86_64")]
            Self::Avx512 => features::has_avx512(),
            #[cfg(vectors = "aarch64")]
            Self::Neon => true,
            #[cfg(vectors = "wasm32")]
            Self::Simd128 => true,
        }
    }
}

/// The features that the build target guarantees.
#[cfg(all(vectors = "x86_64", not(feature = "run-time")))]
mod features {
    /// Whether the target has the level of SSE4.1.
    #[cfg(vectors = "sse41")]
    pub(super) const fn has_sse41() -> bool {
        cfg!(all(target_feature = "ssse3", target_feature = "sse4.1", target_feature = "popcnt"))
    }

    /// Whether the target has the level of AVX2.
    pub(super) const fn has_avx2() -> bool {
        cfg!(all(
            target_feature = "avx2",
            target_feature = "bmi1",
            target_feature = "bmi2",
            target_feature = "lzcnt",
            target_feature = "popcnt"
        ))
    }

    /// Whether the target has the level of AVX-512.
    pub(super) const fn has_avx512() -> bool {
        has_avx2()
            && cfg!(all(
                target_feature = "avx512f",
                target_feature = "avx512bw",
                target_feature = "avx512vl",
                target_feature = "avx512vbmi",
                target_feature = "avx512vbmi2",
                target_feature = "avx512vpopcntdq"
            ))
    }
}

/// Whether a gather instruction is faster than as many single loads. On AMD's processors it is slower: their microcode
/// splits a gather into single loads.
#[cfg(all(vectors = "x86_64", feature = "run-time"))]
fn gathers_fast() -> bool {
    let [_, ebx, _] = features::cpuid(0);
    // AMD's processors say "AuthenticAMD", of which `ebx` holds the first four bytes.
    ebx != u32::from_le_bytes(*b"Auth")
}

/// The number of levels of this architecture.
const LEVELS: usize = Level::ALL.len();

/// The length of every table of bodies: a power of two, so that no index needs to be compared with it. The places after
/// those of the levels have a function that chooses a level.
pub(crate) const PLACES: usize = if LEVELS == 1 { 1 } else { (LEVELS + 1).next_power_of_two() };

/// The levels that this processor has, in ascending order.
pub fn levels() -> impl Iterator<Item = Level> {
    Level::ALL.iter().copied().filter(|level| level.is_here())
}

/// The level at which all functions of this crate work.
#[inline]
#[must_use]
pub fn level() -> Level {
    Level::ALL[chosen().unwrap_or_else(choose)]
}

/// Whether this process has already chosen `level` or a better one. Before the first choice the answer is no. The
/// caller then goes on without this level, by a function that makes the choice, and has the same result.
#[inline]
#[cfg(vectors = "x86_64")]
pub(crate) fn is_at_least(level: Level) -> bool {
    chosen().is_some_and(|chosen| chosen >= level as usize)
}

/// As [`is_at_least`], for this level only.
#[inline]
#[cfg(any(vectors = "x86_64", vectors = "aarch64"))]
pub(crate) fn is(level: Level) -> bool {
    chosen() == Some(level as usize)
}

use choice::chosen;
#[cfg(any(test, feature = "forced"))]
pub use choice::force;
#[cfg(vectors = "x86_64")]
pub(crate) use choice::gathers;
pub(crate) use choice::{choose, place};
#[cfg(any(test, feature = "testing"))]
pub use tested::at_every_level;

/// With `run-time`, the running processor is asked once, and the answer is kept.
#[cfg(feature = "run-time")]
mod choice {
    #[cfg(any(test, feature = "testing"))]
    use super::tested;
    use super::{LEVELS, Level, PLACES, levels};
    use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

    /// A place in the tables of bodies after those of the levels.
    const UNKNOWN: u8 = (PLACES - 1) as u8;
    static CHOSEN: AtomicU8 = AtomicU8::new(UNKNOWN);
    #[cfg(vectors = "x86_64")]
    static GATHERS: AtomicU8 = AtomicU8::new(UNKNOWN);

    /// Whether to look up many places of a long table by gathers rather than by single loads. The answer is kept,
    /// because `cpuid` takes long in a virtual machine. Never inlined: the inlined copies would cost more code than the
    /// call.
    #[cfg(vectors = "x86_64")]
    #[inline(never)]
    pub(crate) fn gathers() -> bool {
        #[cfg(any(test, feature = "testing"))]
        if let Some(way) = tested::way() {
            return way.gathers;
        }
        if GATHERS.load(Relaxed) == UNKNOWN {
            GATHERS.store(super::gathers_fast().into(), Relaxed);
        }
        GATHERS.load(Relaxed) != 0
    }

    /// The number of the current [`level`](crate::level), or [`UNKNOWN`].
    #[inline]
    fn current() -> u8 {
        #[cfg(any(test, feature = "testing"))]
        if let Some(way) = tested::way() {
            return way.level as u8;
        }
        CHOSEN.load(Relaxed)
    }

    /// The place of the body to call in every table of bodies: that of the current [`level`](crate::level). Before the
    /// first [`choose`] of the process, the place of a function that calls it.
    #[inline]
    #[cfg_attr(not(vectors), expect(clippy::modulo_one, reason = "without vectors the tables have one place"))]
    pub(crate) fn place() -> usize {
        if LEVELS == 1 { 0 } else { usize::from(current()) % PLACES }
    }

    /// The number of the current [`level`](crate::level). `None` before the first [`choose`] of the process.
    #[inline]
    pub(super) fn chosen() -> Option<usize> {
        let chosen = if LEVELS == 1 { 0 } else { usize::from(current()) };
        (chosen < LEVELS).then_some(chosen)
    }

    /// Makes all functions of this process work at `level`, or at the best level of this processor for `None`. This is
    /// for benchmarks. The level changes the speed of all threads, but never a result. Two threads can overwrite each
    /// other's choice; tests, which run in parallel, use [`at_every_level`](super::at_every_level) instead.
    ///
    /// # Panics
    /// If this processor does not have the level.
    #[cfg(any(test, feature = "forced"))]
    pub fn force(level: Option<Level>) {
        let level = super::kept_levels().iter().rfind(|&&here| level.is_none_or(|level| here == level));
        let level = *level.expect("this processor does not have the requested level");
        CHOSEN.store(level as u8, Relaxed);
    }

    /// Asks the processor for its best level, keeps the answer, and returns the number of the level.
    #[cold]
    #[inline(never)]
    pub(crate) fn choose() -> usize {
        let level = levels().last().unwrap_or(Level::Scalar);
        CHOSEN.store(level as u8, Relaxed);
        level as usize
    }
}

/// The levels that [`levels`] returns. They are kept, because asking the processor can take 0.1 ms in a virtual
/// machine, and benchmarks and tests ask before each conversion.
#[cfg(any(test, feature = "forced", feature = "testing"))]
fn kept_levels() -> &'static [Level] {
    static LEVELS: std::sync::LazyLock<std::vec::Vec<Level>> = std::sync::LazyLock::new(|| levels().collect());
    &LEVELS
}

/// Tests at every level: while a thread runs one, its functions work at the level of the test, and not at the level of
/// the process. So tests at different levels run at the same time.
#[cfg(any(test, feature = "testing"))]
mod tested {
    use super::{Level, kept_levels};
    use std::{cell::Cell, thread_local};

    thread_local! {
        /// How the functions work that this thread calls. `None` while the thread runs no test.
        static WAY: Cell<Option<Way>> = const { Cell::new(None) };
    }

    /// How functions work during a test.
    #[derive(Clone, Copy)]
    pub(super) struct Way {
        pub(super) level: Level,
        /// Whether to look up many places of a long table by gathers.
        #[cfg(vectors = "x86_64")]
        pub(super) gathers: bool,
    }

    /// How the functions work that this thread calls. `None` while the thread runs no test.
    #[inline]
    pub(super) fn way() -> Option<Way> {
        WAY.get()
    }

    /// Runs `test` once for each level of this processor, with all functions that this thread calls at that level.
    /// Other threads work at their own levels meanwhile. So a thread that `test` starts works at the best level, unless
    /// it calls this function itself.
    pub fn at_every_level(mut test: impl FnMut(Level)) {
        /// Dropping the value, also during a panic, restores how the functions worked before.
        struct Restore(Option<Way>);
        impl Drop for Restore {
            fn drop(&mut self) {
                WAY.set(self.0);
            }
        }
        let _restore = Restore(way());
        for &level in kept_levels() {
            // AVX-512 has two ways of looking up places of a table. The test runs with both.
            #[cfg(vectors = "x86_64")]
            for gathers in if level == Level::Avx512 { &[false, true][..] } else { &[false] } {
                WAY.set(Some(Way { level, gathers: *gathers }));
                test(level);
            }
            #[cfg(not(vectors = "x86_64"))]
            {
                WAY.set(Some(Way { level }));
                test(level);
            }
        }
    }
}

/// Without `run-time`, the features that the build target guarantees decide.
#[cfg(not(feature = "run-time"))]
mod choice {
    /// Without `run-time`, the crate does not ask for the maker of the processor, and takes gathers to be fast.
    #[cfg(vectors = "x86_64")]
    pub(crate) fn gathers() -> bool {
        true
    }

    /// The number of the best level that the build target guarantees, which is its place in every table of bodies.
    #[inline]
    pub(crate) fn choose() -> usize {
        super::levels().last().map_or(0, |level| level as usize)
    }

    /// As [`choose`]. There is no first call, before which the level is unknown.
    #[inline]
    pub(crate) fn place() -> usize {
        choose()
    }

    /// As [`choose`].
    #[inline]
    pub(super) fn chosen() -> Option<usize> {
        Some(choose())
    }
}

/// Calls the body of a function at the current level. In the module of each level, the body has the same path as the
/// function.
macro_rules! dispatch {
    ($function:ident($($argument:ident: $type:ty),+) -> $result:ty) => {{
        static BODIES: [unsafe fn($($type),+) -> $result; $crate::level::PLACES] = {
            let mut bodies: [unsafe fn($($type),+) -> $result; $crate::level::PLACES] = [first; $crate::level::PLACES];
            bodies[$crate::level::Level::Scalar as usize] = scalar::$function;
            #[cfg(vectors = "sse41")]
            {
                bodies[$crate::level::Level::Sse41 as usize] = v128::$function;
            }
            #[cfg(vectors = "x86_64")]
            {
                bodies[$crate::level::Level::Avx2 as usize] = avx2::$function;
                bodies[$crate::level::Level::Avx512 as usize] = avx512::$function;
            }
            #[cfg(vectors = "aarch64")]
            {
                bodies[$crate::level::Level::Neon as usize] = v128::$function;
            }
            #[cfg(vectors = "wasm32")]
            {
                bodies[$crate::level::Level::Simd128 as usize] = v128::$function;
            }
            bodies
        };
        /// Chooses the level in the first call of a process. This is a function of its own with the same arguments, so
        /// that every other call is a jump to the body, and saves no register for the choice.
        #[cold]
        fn first($($argument: $type),+) -> $result {
            let body = BODIES[$crate::level::choose()];
            // SAFETY: as below.
            unsafe { body($($argument),+) }
        }
        // SAFETY: a body is unsafe to call only because it needs processor features. `BODIES` has the body of each
        // level at the number of the level, and `place` and `choose` return the number of a level for which
        // `Level::is_here` has found all features. Before there is one, `place` returns the place of `first`, which
        // needs none.
        unsafe { BODIES[$crate::level::place()]($($argument),+) }
    }};
}
pub(crate) use dispatch;

/// The result of the body at the current level, without a table: the body for vectors of 32 bytes, also where the
/// processor has longer ones, that for vectors of 16 bytes, or the scalar one. It serves functions that longer vectors
/// would make larger, and hardly faster.
macro_rules! by_level {
    ($function:ident($($argument:expr),+)) => {
        match $crate::level::level() {
            // SAFETY: the body is unsafe to call only because it needs the features of AVX2's level, which
            // `Level::is_here` also demands of AVX-512's. The current level is one of the two.
            #[cfg(vectors = "x86_64")]
            $crate::level::Level::Avx2 | $crate::level::Level::Avx512 => unsafe { avx2::$function($($argument),+) },
            // SAFETY: the body is unsafe to call only because it needs the features of the level, which is the current
            // one.
            #[cfg(vectors = "sse41")]
            $crate::level::Level::Sse41 => unsafe { v128::$function($($argument),+) },
            // The features of NEON and of WebAssembly are known when a program is compiled, so that the bodies are safe
            // to call.
            #[cfg(vectors = "aarch64")]
            $crate::level::Level::Neon => v128::$function($($argument),+),
            #[cfg(vectors = "wasm32")]
            $crate::level::Level::Simd128 => v128::$function($($argument),+),
            $crate::level::Level::Scalar => scalar::$function($($argument),+),
        }
    };
}
pub(crate) use by_level;

/// The result of a body that exists at one level only, if this is the level that has been chosen; otherwise `None`. It
/// serves functions that call or combine other functions at the other levels. `from avx2` stands for AVX2's level and
/// those after it.
macro_rules! at_level {
    (avx512: $($call:tt)+) => {
        $crate::level::at_level!("x86_64", is(Avx512), avx512::$($call)+)
    };
    (avx2: $($call:tt)+) => {
        $crate::level::at_level!("x86_64", is(Avx2), avx2::$($call)+)
    };
    (from avx2: $($call:tt)+) => {
        $crate::level::at_level!("x86_64", is_at_least(Avx2), avx2::$($call)+)
    };
    (neon: $($call:tt)+) => {{
        #[cfg(vectors = "aarch64")]
        let result = $crate::level::is($crate::level::Level::Neon).then(|| v128::$($call)+);
        #[cfg(not(vectors = "aarch64"))]
        let result = None;
        result
    }};
    ($vectors:literal, $test:ident($level:ident), $module:ident::$function:ident($($argument:expr),+)) => {{
        #[cfg(vectors = $vectors)]
        let result = if $crate::level::$test($crate::level::Level::$level) {
            // SAFETY: the body is unsafe to call only because it needs the features of a level. The arms above name the
            // level of each module; it is the current level, or one whose features the current level has, too.
            Some(unsafe { $module::$function($($argument),+) })
        } else {
            None
        };
        #[cfg(not(vectors = $vectors))]
        let result = None;
        result
    }};
}
pub(crate) use at_level;
