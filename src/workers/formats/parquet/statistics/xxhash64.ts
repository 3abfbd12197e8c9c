/** The 64-bit xxHash with seed 0 (xxhash_spec.md of Cyan4973/xxHash), by which Parquet's bloom filters hash values. */
export function xxhash64(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const { length } = bytes
  let at = 0
  let hash = P5
  if (length >= 32) {
    let [a, b, c, d] = [wrap(P1 + P2), P2, 0n, wrap(-P1)]
    for (; at + 32 <= length; at += 32) {
      a = round(a, view.getBigUint64(at, true))
      b = round(b, view.getBigUint64(at + 8, true))
      c = round(c, view.getBigUint64(at + 16, true))
      d = round(d, view.getBigUint64(at + 24, true))
    }
    hash = wrap(rotate(a, 1n) + rotate(b, 7n) + rotate(c, 12n) + rotate(d, 18n))
    for (const lane of [a, b, c, d]) hash = wrap((hash ^ round(0n, lane)) * P1 + P4)
  }
  hash = wrap(hash + BigInt(length))
  for (; at + 8 <= length; at += 8)
    hash = wrap(rotate(hash ^ round(0n, view.getBigUint64(at, true)), 27n) * P1 + P4)
  for (; at + 4 <= length; at += 4)
    hash = wrap(rotate(hash ^ wrap(BigInt(view.getUint32(at, true)) * P1), 23n) * P2 + P3)
  for (; at < length; at++) hash = wrap(rotate(hash ^ wrap(BigInt(view.getUint8(at)) * P5), 11n) * P1)
  hash = wrap((hash ^ (hash >> 33n)) * P2)
  hash = wrap((hash ^ (hash >> 29n)) * P3)
  return hash ^ (hash >> 32n)
}

const P1 = 0x9e3779b185ebca87n
const P2 = 0xc2b2ae3d27d4eb4fn
const P3 = 0x165667b19e3779f9n
const P4 = 0x85ebca77c2b2ae63n
const P5 = 0x27d4eb2f165667c5n

function wrap(value: bigint): bigint {
  return BigInt.asUintN(64, value)
}

function rotate(value: bigint, bits: bigint): bigint {
  return wrap((value << bits) | (value >> (64n - bits)))
}

function round(lane: bigint, word: bigint): bigint {
  return wrap(rotate(wrap(lane + word * P2), 31n) * P1)
}
