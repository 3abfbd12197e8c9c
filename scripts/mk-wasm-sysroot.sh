#!/bin/sh
# usage: scripts/mk-wasm-sysroot.sh DIR
# Builds the standard library for wasm32-unknown-unknown into DIR/lib/rustlib, from the sources that Debian packages. It takes
# about 30 s and is needed once. After that
#   RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 RUSTFLAGS="--sysroot DIR -Zunstable-options -Cpanic=immediate-abort" \
#     cargo build --target wasm32-unknown-unknown
# works without -Zbuild-std and source replacement. A panic is a trap at once, since nobody would read its message: without messages and places
# of panics the modules are smaller and faster. All crates of a module have to be compiled so.
# Debian 12: apt-get install -y --no-install-recommends rustc-web cargo-web rust-web-src lld-22
set -eu
dest=$1
RUSTC=${RUSTC:-/usr/bin/rustc} CARGO=${CARGO:-/usr/bin/cargo}
command -v "$RUSTC" "$CARGO" >/dev/null || { echo "no $RUSTC or $CARGO: see the apt-get line in $0" >&2; exit 1; }

link=$("$RUSTC" --print sysroot)/lib/rustlib/src/rust
src=$(readlink -f "$link/library")
hash=$("$RUSTC" -vV | sed -n 's/^commit-hash: //p')
remap="--remap-path-prefix=$link=/rustc/$hash --remap-path-prefix=${src%/library}=/rustc/$hash"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/src"
printf '[package]\nname="empty"\nversion="0.0.0"\nedition="2021"\n[lib]\n' > "$work/Cargo.toml"
: > "$work/src/lib.rs"
cd "$work"
RUSTC=$RUSTC RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$work/target \
  RUSTFLAGS="-Cembed-bitcode=yes -Zforce-unstable-if-unmarked -Zunstable-options -Cpanic=immediate-abort $remap" \
  "$CARGO" build --offline --release --target wasm32-unknown-unknown -Zbuild-std=std,panic_abort \
  --config 'source.crates-io.replace-with="v"' --config "source.v.directory=\"$src/vendor\""

# Moved into place in one step, so that an interrupted build leaves no partial library.
lib=lib/rustlib/wasm32-unknown-unknown/lib
mkdir -p "$work/out/$lib"
cp target/wasm32-unknown-unknown/release/deps/*.rlib "$work/out/$lib"
rm -f "$work/out/$lib"/libempty-*
rm -rf "$dest"
mkdir -p "$(dirname "$dest")"
cp -R "$work/out" "$dest.new.$$"
mv "$dest.new.$$" "$dest"
