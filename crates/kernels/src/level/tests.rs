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
fn two_threads_run_tests_at_different_levels_at_the_same_time() {
    let step = std::sync::Barrier::new(2);
    // A panic in one of the threads would let the other one wait forever.
    let wrong = std::sync::atomic::AtomicUsize::new(0);
    let test = |of_thread| {
        step.wait();
        for _ in 0..2 {
            wrong.fetch_add((level() != of_thread).into(), std::sync::atomic::Ordering::Relaxed);
            std::thread::yield_now();
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            at_every_level(test);
            step.wait();
        });
        // The second thread is always a level behind the first one.
        scope.spawn(|| {
            step.wait();
            at_every_level(test);
        });
    });
    assert_eq!(wrong.into_inner(), 0);
}

/// This is the only test that forces a level.
#[cfg(feature = "std")]
#[cfg_attr(target_arch = "wasm32", ignore = "the target has no threads")]
#[test]
fn a_thread_that_runs_no_test_works_at_the_level_of_the_process() {
    for here in levels() {
        force(Some(here));
        at_every_level(|of_thread| {
            assert_eq!(std::thread::spawn(level).join().unwrap(), here);
            assert_eq!(level(), of_thread);
        });
        assert_eq!(level(), here);
    }
    force(None);
    assert_eq!(Some(level()), levels().last());
}

#[cfg(feature = "std")]
#[test]
fn a_test_within_a_test_restores_the_level() {
    at_every_level(|outer| {
        at_every_level(|inner| assert_eq!(level(), inner));
        assert_eq!(level(), outer);
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
    assert!(super::tested::way().is_none());
    at_every_level(|of_thread| assert_eq!(level(), of_thread));
}
