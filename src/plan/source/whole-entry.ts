/** The core writes such entries too (`src/wasm/src/bounds.rs`). Little-endian: field u32, flags u32, values f64, nulls f64, minimum and maximum of 8 bytes each. */
export const ENTRY_BYTES = 40

/**
 * There is a minimum and a maximum, which are doubles or else 64-bit integers. Only integers may be unsigned. Bounds that are bytes (`TEXT`) lie
 * in further entries of the field, which have it in front of 36 bytes: the minimum, and the maximum behind it. Their lengths, u32 each, are in
 * place of the bounds.
 */
export const BOUNDED = 1
export const DOUBLE = 2
export const UNSIGNED = 4
export const MIN_EXACT = 8
export const MAX_EXACT = 16
export const TEXT = 32

/** The bytes of bounds in one further entry. */
export const TEXT_BYTES = ENTRY_BYTES - 4

/** Where the parts of an entry begin. */
export const FLAGS_AT = 4
export const VALUES_AT = 8
export const NULLS_AT = 16
export const MIN_AT = 24
export const MAX_AT = 32

/** A bound of 8 bytes, of an entry with these flags. */
export function boundAt(view: DataView, at: number, flags: number): number | bigint {
  if ((flags & DOUBLE) !== 0) return view.getFloat64(at, true)
  return (flags & UNSIGNED) === 0 ? view.getBigInt64(at, true) : view.getBigUint64(at, true)
}

export function setBound(view: DataView, at: number, bound: number | bigint): void {
  if (typeof bound === 'number') view.setFloat64(at, bound, true)
  else view.setBigInt64(at, bound, true)
}
