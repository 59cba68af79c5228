//! What the processor has, chosen once.
//!
//! Every function that is worth it has one body per [`Level`]. They stand in a table of their own, indexed by level, so that a
//! program links only the bodies of the functions that it calls. A body calls others of its own level directly: nothing is
//! chosen twice inside a loop.

/// Whether the processor has all these features.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
macro_rules! has {
    ($($feature:tt),+) => { $(std::arch::is_x86_feature_detected!($feature))&&+ };
}

/// Whether the build target promises all these features.
#[cfg(all(target_arch = "x86_64", not(feature = "std")))]
macro_rules! has {
    ($($feature:tt),+) => { cfg!(all($(target_feature = $feature),+)) };
}

/// A set of instructions, and the bodies that are written with them. A later one is better than an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Level {
    /// What every processor has: the reference for all others.
    Scalar,
    /// AVX2, BMI1 and BMI2, LZCNT, POPCNT: 32 bytes at once.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX-512 with VBMI, VBMI2, VPOPCNTDQ and VL, and all of AVX2's: 64 bytes at once.
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// NEON: 16 bytes at once.
    #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
    Neon,
}

impl Level {
    /// All levels of this architecture, whether the processor has them or not.
    const ALL: &[Self] = &[
        Self::Scalar,
        #[cfg(target_arch = "x86_64")]
        Self::Avx2,
        #[cfg(target_arch = "x86_64")]
        Self::Avx512,
        #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
        Self::Neon,
    ];

    /// Whether this processor has it.
    fn is_here(self) -> bool {
        match self {
            Self::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => has!("avx2", "bmi1", "bmi2", "lzcnt", "popcnt"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                Self::Avx2.is_here()
                    && has!("avx512f", "avx512bw", "avx512vl", "avx512vbmi", "avx512vbmi2", "avx512vpopcntdq")
            }
            #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
            Self::Neon => true,
        }
    }
}

/// Whether loading from many places at once is faster than one by one. AMD's processors do it by microcode, one by one and slower.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
fn gathers_fast() -> bool {
    // SAFETY: every processor of this architecture has the instruction.
    #[allow(unused_unsafe, reason = "safe in later versions of Rust")]
    let vendor = unsafe { core::arch::x86_64::__cpuid(0) };
    // The first third of "AuthenticAMD".
    vendor.ebx != u32::from_le_bytes(*b"Auth")
}

/// How many levels this architecture has: the length of every table of bodies.
pub(crate) const LEVELS: usize = Level::ALL.len();

/// The levels that this processor can run, for tests that go through all of them.
pub fn levels() -> impl Iterator<Item = Level> {
    Level::ALL.iter().copied().filter(|level| level.is_here())
}

/// The level at which every function of this crate works.
#[inline]
#[must_use]
pub fn level() -> Level {
    Level::ALL[index()]
}

#[cfg(target_arch = "x86_64")]
pub(crate) use choice::gathers;
pub(crate) use choice::index;
#[cfg(feature = "std")]
#[doc(hidden)]
pub use choice::{at_every_level, force};

/// The processor is asked once.
#[cfg(feature = "std")]
mod choice {
    use super::{LEVELS, Level, levels};
    use core::sync::atomic::{AtomicU8, Ordering::Relaxed};
    use std::sync::{Mutex, MutexGuard, PoisonError};

    const UNKNOWN: u8 = u8::MAX;
    static CHOSEN: AtomicU8 = AtomicU8::new(UNKNOWN);
    #[cfg(target_arch = "x86_64")]
    static GATHERS: AtomicU8 = AtomicU8::new(UNKNOWN);

    /// Whether to gather from long tables rather than to load one by one. The processor is asked once, for in a virtual machine its
    /// answer takes long. A function of its own for size.
    #[cfg(target_arch = "x86_64")]
    #[inline(never)]
    pub(crate) fn gathers() -> bool {
        if GATHERS.load(Relaxed) == UNKNOWN {
            GATHERS.store(super::gathers_fast().into(), Relaxed);
        }
        GATHERS.load(Relaxed) != 0
    }

    /// The place of [`level`](super::level) in every table of bodies.
    #[inline]
    pub(crate) fn index() -> usize {
        let chosen = usize::from(CHOSEN.load(Relaxed));
        if chosen < LEVELS { chosen } else { choose(None) }
    }

    /// Makes all functions work at `level`; at the best one of this processor for `None`. For benches: it changes the speed of the
    /// whole process, never a result, and nothing keeps another thread from doing the same. Tests, which run side by side, go
    /// through [`at_every_level`].
    ///
    /// # Panics
    /// If this processor does not have that level.
    pub fn force(level: Option<Level>) {
        choose(level);
    }

    /// Runs `test` with all functions at each level of this processor in turn. Other threads that come here meanwhile wait, so that
    /// no test runs at the level of another; for this reason `test` must not come here itself.
    pub fn at_every_level(mut test: impl FnMut(Level)) {
        let _forced = Forced::alone();
        for level in levels() {
            force(Some(level));
            test(level);
            #[cfg(target_arch = "x86_64")]
            if level == Level::Avx512 {
                // The other way.
                GATHERS.store((!gathers()).into(), Relaxed);
                test(level);
            }
        }
    }

    /// While this is there, nobody else has one. Afterwards, also after a panic, the level is the best one again.
    struct Forced(#[expect(dead_code, reason = "holding it is its use")] MutexGuard<'static, ()>);

    impl Forced {
        fn alone() -> Self {
            static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
            // A test that failed has left nothing behind.
            Forced(ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner))
        }
    }

    impl Drop for Forced {
        fn drop(&mut self) {
            #[cfg(target_arch = "x86_64")]
            GATHERS.store(UNKNOWN, Relaxed);
            force(None);
        }
    }

    #[cold]
    fn choose(level: Option<Level>) -> usize {
        let level = levels().filter(|&here| level.is_none_or(|level| here == level)).last();
        let level = level.expect("this processor does not have that level");
        CHOSEN.store(level as u8, Relaxed);
        level as usize
    }
}

/// The build target decides.
#[cfg(not(feature = "std"))]
mod choice {
    /// Who made the processor is not known.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn gathers() -> bool {
        true
    }

    /// The place of [`level`](super::level) in every table of bodies.
    #[inline]
    pub(crate) fn index() -> usize {
        super::levels().last().map_or(0, |level| level as usize)
    }
}

/// Calls the body of a function at the chosen level. The bodies have the function's path inside the module of each level.
macro_rules! dispatch {
    ($module:ident::$function:ident($($argument:ident: $type:ty),+) -> $result:ty) => {{
        static BODIES: [unsafe fn($($type),+) -> $result; $crate::level::LEVELS] = [
            $crate::scalar::$module::$function,
            #[cfg(target_arch = "x86_64")]
            $crate::x86_64::avx2::$module::$function,
            #[cfg(target_arch = "x86_64")]
            $crate::x86_64::avx512::$module::$function,
            #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
            $crate::aarch64::$module::$function,
        ];
        let body = BODIES[$crate::level::index()];
        // SAFETY: the bodies are safe functions but for the processor features that they need; they stand in the order of
        // `Level`, and `index` is that of a level for which `Level::is_here` has found all of its features.
        unsafe { body($($argument),+) }
    }};
}
pub(crate) use dispatch;

/// Returns what the body of AVX-512 does, if that is the chosen level: for functions that the other levels make of others.
macro_rules! return_avx512 {
    ($module:ident::$function:ident($($argument:expr),+)) => {
        #[cfg(target_arch = "x86_64")]
        if $crate::level::level() == $crate::level::Level::Avx512 {
            // SAFETY: the body is a safe function but for the processor features that it needs, which are that level's.
            return unsafe { $crate::x86_64::avx512::$module::$function($($argument),+) };
        }
    };
}
pub(crate) use return_avx512;

/// What the body of AVX2 has read and written, if that or a better level is the chosen one: for functions that go on from there
/// without vectors.
macro_rules! with_avx2 {
    ($module:ident::$function:ident($($argument:ident),+)) => {{
        #[cfg(target_arch = "x86_64")]
        if $crate::level::level() >= $crate::level::Level::Avx2 {
            // SAFETY: the body is a safe function but for the processor features that it needs, which both levels have.
            Some(unsafe { $crate::x86_64::avx2::$module::$function($($argument),+) })
        } else {
            None
        }
        #[cfg(not(target_arch = "x86_64"))]
        None::<(usize, usize)>
    }};
}
pub(crate) use with_avx2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_has_its_own_place_in_the_tables() {
        for (place, &level) in Level::ALL.iter().enumerate() {
            assert_eq!(level as usize, place);
        }
    }

    #[cfg(feature = "std")]
    #[test]
    fn no_test_runs_at_the_level_of_another() {
        let test = |forced| {
            for _ in 0..100 {
                assert_eq!(level(), forced);
                std::thread::yield_now();
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..50).for_each(|_| at_every_level(test)));
            }
        });
    }

    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    #[test]
    fn both_ways_to_look_up_are_tested() {
        let mut ways = Vec::new();
        at_every_level(|level| ways.push((level, gathers())));
        for way in [true, false] {
            assert_eq!(ways.contains(&(Level::Avx512, way)), Level::Avx512.is_here());
        }
    }

    #[cfg(feature = "std")]
    #[test]
    fn a_test_that_fails_fails_no_other() {
        let failing = || at_every_level(|_| std::panic::resume_unwind(Box::new("on purpose")));
        assert!(std::panic::catch_unwind(failing).is_err());
        at_every_level(|forced| assert_eq!(level(), forced));
    }
}
