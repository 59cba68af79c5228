# The program textcodec, for a tap. `packaging/formula ARCHIVE` writes the checksum of a tag's source archive.
# Ruby has checked its syntax; `brew audit` has never seen it.
class Textcodec < Formula
  desc "Converter for text in the encodings of the web and of older systems"
  homepage "https://textcodec.github.io/textcodec/"
  url "https://github.com/textcodec/textcodec/archive/refs/tags/v0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license all_of: [{ any_of: ["Apache-2.0", "MIT"] }, "BSD-3-Clause"]

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args(path: "crates/cli")
    system bin/"textcodec", "man", "man1"
    man1.install Dir["man1/*.1"]
    generate_completions_from_executable(bin/"textcodec", "completions", shells: [:bash, :zsh, :fish])
  end

  test do
    (testpath/"latin1").binwrite "caf\xE9"
    assert_equal "café", shell_output("#{bin}/textcodec convert --from latin1 #{testpath}/latin1")
  end
end
