import type { Duck } from '../instance.ts'
import { type AggregateCode, IS_CONSTANT } from './aggregate-code.ts'

/** Offsets in a `SumState`: whether there is a sum, and the sum, of 64 or 128 bits. */
const STATE = Object.freeze({ isSet: 0, sum: 8 })

type Finalize = AggregateCode['finalize']

/**
 * Makes unsigned results of 64 bits of the states of a sum of integers that are not negative. `throwTooLarge` is called for a sum that
 * does not fit.
 */
export function finalizeUnsignedSum(
  { api, memory }: Duck,
  throwTooLarge: () => never,
): { narrow: Finalize; wide: Finalize } {
  const finalize =
    (isWide: boolean): Finalize =>
    (states, _, result, count, offset) => {
      const pointers = api.duckdb_vector_get_data(states) / 4
      const values = api.duckdb_vector_get_data(result) / 4
      const step = memory.views().u8[states] === IS_CONSTANT ? 0 : 1
      const [from, rows] = [Number(offset), Number(count)]
      let nulls = 0
      let { u8, u32 } = memory.views()
      for (let index = 0; index < rows; index++) {
        const state = u32[pointers + index * step] ?? 0
        const row = from + index
        if (u8[state + STATE.isSet] === 0) {
          if (nulls === 0) {
            api.duckdb_vector_ensure_validity_writable(result)
            nulls = api.duckdb_vector_get_validity(result)
            ;({ u8, u32 } = memory.views())
          }
          u8[nulls + (row >> 3)] = (u8[nulls + (row >> 3)] ?? 0) & ~(1 << (row & 7))
          continue
        }
        const sum = (state + STATE.sum) / 4
        if (isWide && (u32[sum + 2] !== 0 || u32[sum + 3] !== 0)) throwTooLarge()
        u32[values + 2 * row] = u32[sum] ?? 0
        u32[values + 2 * row + 1] = u32[sum + 1] ?? 0
      }
    }
  return { narrow: finalize(false), wide: finalize(true) }
}
