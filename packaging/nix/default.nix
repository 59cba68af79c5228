# The program textcodec: `nix-build packaging/nix` in a checkout. It has been parsed, and not been built.
{ pkgs ? import <nixpkgs> { } }:

pkgs.rustPlatform.buildRustPackage {
  pname = "textcodec";
  version = "0.1.0";
  src = pkgs.lib.cleanSource ../..;
  cargoLock.lockFile = ../../Cargo.lock;
  cargoBuildFlags = [ "-p" "textcodec-cli" ];
  # The tests of the whole project need other languages. Those of the program need only Rust.
  cargoTestFlags = [ "-p" "textcodec-cli" ];

  nativeBuildInputs = [ pkgs.installShellFiles ];
  postInstall = pkgs.lib.optionalString (pkgs.stdenv.buildPlatform.canExecute pkgs.stdenv.hostPlatform) ''
    $out/bin/textcodec man man
    installManPage man/*.1
    installShellCompletion --cmd textcodec \
      --bash <($out/bin/textcodec completions bash) \
      --zsh <($out/bin/textcodec completions zsh) \
      --fish <($out/bin/textcodec completions fish)
  '';

  meta = {
    description = "Converter for text in the encodings of the web and of older systems";
    homepage = "https://textcodec.github.io/textcodec/";
    # Apache-2.0 or MIT, and BSD-3-Clause for the tables of the Encoding Standard.
    license = with pkgs.lib.licenses; [ asl20 mit bsd3 ];
    mainProgram = "textcodec";
  };
}
