#!/bin/bash -eu
# OSS-Fuzz's build of this project. It has never run there: nobody has asked OSS-Fuzz to take the project yet.
#
# Each target gets its seeds and its dictionary. The targets `iconv` and `charsets` compare with glibc where the image
# has glibc's tables, and otherwise run alone. The target `arrow` is left out: it compiles arrow's crates.
cd "$SRC/textcodec"
cargo fuzz build --release
for source in fuzz/fuzz_targets/*.rs; do
    target=$(basename "$source" .rs)
    [ "$target" != arrow ] || continue
    cp "fuzz/target/x86_64-unknown-linux-gnu/release/$target" "$OUT/"
    zip --quiet --junk-paths "$OUT/${target}_seed_corpus.zip" "fuzz/seeds/$target"/*
    case $target in
        sniff | sniff_model | convert) cp fuzz/markup.dict "$OUT/$target.dict" ;;
        *) cp fuzz/escapes.dict "$OUT/$target.dict" ;;
    esac
done
