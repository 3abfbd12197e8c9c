#!/bin/sh
# usage: scripts/build-wasm.sh            builds src/wasm/core.wasm and codecs.wasm and writes the compiler's version to src/wasm/TOOLCHAIN
#        scripts/build-wasm.sh --check    builds and compares with those files, if the compiler is that of TOOLCHAIN
# The same compiler gives the same bytes in any folder. Another compiler gives others.
set -eu
cd "$(dirname "$0")/.."
RUSTC=${RUSTC:-/usr/bin/rustc} CARGO=${CARGO:-/usr/bin/cargo} LINKER=${WASM_LD:-wasm-ld-22}
for tool in "$RUSTC" "$CARGO" "$LINKER"; do
  command -v "$tool" >/dev/null || { echo "no $tool: apt-get install -y --no-install-recommends rustc-web cargo-web rust-web-src lld-22" >&2; exit 1; }
done

cache=${HALOCLINE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/halocline}
mkdir -p "$cache"
# All checkouts share the cache, so only one may build at a time: it would take the other's module.
exec 9> "$cache/build-wasm.lock"
flock 9
hash=$("$RUSTC" -vV | sed -n 's/^commit-hash: //p')
toolchain=$("$RUSTC" -vV | sed -n 's/^release: /rustc /p; s/^commit-hash: /commit /p; s/^LLVM version: /LLVM /p')
sysroot=$cache/sysroot-$hash-abort
[ -d "$sysroot" ] || RUSTC=$RUSTC CARGO=$CARGO sh scripts/mk-wasm-sysroot.sh "$sysroot" >&2

link=$("$RUSTC" --print sysroot)/lib/rustlib/src/rust
src=$(readlink -f "$link/library")
export RUSTC CARGO_TARGET_DIR="$cache/target-wasm"
# For -Cpanic=immediate-abort, as which the sysroot was built.
export RUSTC_BOOTSTRAP=1
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$LINKER
# The stack has 256 KiB at the beginning of the memory, so that an overflow traps. The loader makes the memory and limits it.
flags="--sysroot $sysroot -Zunstable-options -Cpanic=immediate-abort -Ctarget-feature=+simd128 \
  -Clink-arg=--import-memory -Clink-arg=--stack-first -Clink-arg=-zstack-size=262144 \
  --remap-path-prefix=$link=/rustc/$hash --remap-path-prefix=${src%/library}=/rustc/$hash \
  --remap-path-prefix=$PWD=. --remap-path-prefix=$cache=cache --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"

# Of the core, functions are inlined that have up to 175 instructions (LLVM's default is 250), or 325 and #[inline], and loops are unrolled into
# 100 (300). That leaves out 225 KB, and kernels take 0.98 of their time in the mean (bench/core.ts, bench/evaluate.ts), CASE without nulls 1.19.
small="-Cllvm-args=-unroll-threshold=100 -Cllvm-args=-inline-threshold=175"

# build NAME FOLDER FLAGS: the module src/wasm/NAME.wasm of the crate in FOLDER.
build() {
  export RUSTFLAGS="$flags ${3:-}"
  "$CARGO" build --quiet --locked --release --manifest-path "$2/Cargo.toml" --target wasm32-unknown-unknown >&2
  built=$CARGO_TARGET_DIR/wasm32-unknown-unknown/release/$1_wasm.wasm committed=src/wasm/$1.wasm
  if [ "$mode" != --check ]; then
    cp "$built" "$committed"
    echo "$committed: $(wc -c < "$committed") bytes"
  elif [ "$toolchain" != "$(cat src/wasm/TOOLCHAIN)" ]; then
    echo "$1.wasm was built by another compiler ($(paste -sd' ' src/wasm/TOOLCHAIN)), this one is $(echo "$toolchain" | paste -sd' '): bytes not compared"
  elif cmp "$built" "$committed"; then
    echo "$1.wasm: the same bytes"
  else
    echo "$1.wasm is not what $2/src gives: run npm run build:wasm and commit it" >&2
    exit 1
  fi
}

mode=${1:-}
build core src/wasm "$small"
build codecs src/wasm/codecs
[ "$mode" = --check ] || printf '%s\n' "$toolchain" > src/wasm/TOOLCHAIN
