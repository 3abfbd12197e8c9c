import type { Span } from '../../plan/source/text.ts'
import type { Column, Mask, Order } from '../../wasm/core/column.ts'
import type { Core } from '../../wasm/core/core.ts'

/** A unit that is decoded and filtered, or a finished answer. Its rows can be encoded from any row on. */
export interface DecodedUnit {
  /** The number of rows: of a text unit, those that pass; if there is an order, those in it. */
  readonly rows: number
  /** The number that row 0 has in the unit: 0. In a finished answer with an offset, minus the offset. */
  readonly from: number
  /** The columns of the projection in its order. A column may occur more than once. */
  readonly columns: readonly Column[]
  /** Null: every row passes. */
  readonly mask: Mask | null
  /** Null: rows are encoded in their order in the columns. */
  readonly order: Order | null
  readonly rowsScanned: number
  /** The rows that the filter lets pass. */
  readonly rowsPassed: number
  /** Where the records of a text unit lay. */
  readonly span: Span | null
  /** The row at which the rest of the unit begins, which is decoded apart. Absent: there is none. */
  readonly next?: number
}

/**
 * A cache of decoded units that are to be resumed. The least recently used are evicted first; an evicted unit is decoded
 * again.
 */
export interface DecodedUnits {
  take(key: string): DecodedUnit | undefined
  /** Takes over a unit. The flag `cancel` is set when its query is over, however it has ended. */
  keep(key: string, unit: DecodedUnit, cancel: SharedArrayBuffer): void
  /** Frees the units of queries that are over. */
  releaseEnded(): void
  /** Evicts units until the core uses at most this many bytes. */
  shrink(usedBytes: number): void
  release(unit: DecodedUnit): void
  /** The number of units that wait. */
  readonly size: number
}

export function createDecodedUnits(core: Core): DecodedUnits {
  const waiting = new Map<string, { readonly unit: DecodedUnit; readonly cancel: Int32Array }>()
  const release = (unit: DecodedUnit): void => {
    for (const column of new Set(unit.columns)) core.free(column)
    if (unit.mask !== null) core.freeMask(unit.mask)
    if (unit.order !== null) core.freeOrder(unit.order)
  }
  return {
    release,
    get size() {
      return waiting.size
    },
    take(key) {
      const entry = waiting.get(key)
      waiting.delete(key)
      return entry?.unit
    },
    keep(key, unit, cancel) {
      waiting.set(key, { unit, cancel: new Int32Array(cancel) })
    },
    releaseEnded() {
      for (const [key, { unit, cancel }] of waiting) {
        if (Atomics.load(cancel, 0) === 0) continue
        waiting.delete(key)
        release(unit)
      }
    },
    shrink(usedBytes) {
      for (const [key, { unit }] of waiting) {
        if (core.usedBytes() <= usedBytes) break
        waiting.delete(key)
        release(unit)
      }
    },
  }
}
