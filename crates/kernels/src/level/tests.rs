//! The choice of a level, and running tests at each.

use super::*;

#[test]
fn a_level_as_a_number_is_its_place_among_all_levels() {
    for (place, &level) in Level::ALL.iter().enumerate() {
        assert_eq!(level as usize, place);
    }
}

#[cfg(feature = "std")]
#[cfg_attr(target_arch = "wasm32", ignore = "the target has no threads")]
#[test]
fn at_every_level_lets_one_test_run_at_a_time() {
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

#[cfg(all(feature = "std", vectors = "x86_64"))]
#[test]
fn at_every_level_runs_avx512_with_and_without_gathers() {
    let mut ways = Vec::new();
    at_every_level(|level| ways.push((level, gathers())));
    for way in [true, false] {
        assert_eq!(ways.contains(&(Level::Avx512, way)), Level::Avx512.is_here());
    }
}

#[cfg(feature = "std")]
#[cfg_attr(target_arch = "wasm32", ignore = "a panic ends the program")]
#[test]
fn at_every_level_works_after_a_test_that_panicked() {
    let failing = || at_every_level(|_| std::panic::resume_unwind(Box::new("on purpose")));
    assert!(std::panic::catch_unwind(failing).is_err());
    at_every_level(|forced| assert_eq!(level(), forced));
}
