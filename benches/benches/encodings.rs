//! Every encoding and every operation, in text and HTML, measured with criterion. Groups have names such as
//! `Shift_JIS/d8/text`; a filter on the command line chooses among them.

use std::time::Duration;

use criterion::{Criterion, SamplingMode, Throughput};
use textcodec_benches::{Buffers, Contestant, Corpus, Mode, Operation, cases};

/// The approximate length of a text, in bytes of UTF-8.
const LENGTH: usize = 1 << 20;

fn main() {
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(20)
        .configure_from_args();
    for case in cases(&Corpus::from_environment(LENGTH), |_| true) {
        case.check();
        let mut buffers = Buffers::for_pieces(&case.pieces);
        for operation in Operation::ALL.into_iter().filter(|operation| operation.exists_in(case.pair.ours)) {
            let mut group =
                criterion.benchmark_group(format!("{}/{}/{}", case.name, operation.name(), case.kind.name()));
            let length: usize = case.pieces.iter().map(|piece| operation.source_length(piece)).sum();
            group.throughput(Throughput::Bytes(length as u64));
            // Some calls take 50 ms, so a linearly growing number of calls per sample would take minutes.
            group.sampling_mode(SamplingMode::Flat);
            for contestant in [Contestant::Ours(None), Contestant::Compatible, Contestant::EncodingRs] {
                for mut job in contestant.jobs(case.task(operation, Mode::Call)) {
                    group.bench_function(contestant.name(), |bencher| {
                        bencher.iter(|| job(&case.pieces, &mut buffers));
                    });
                }
            }
            group.finish();
        }
    }
    criterion.final_summary();
}
