import type { Span } from '../plan/unit.ts'
import type { Column, Mask, Order } from '../wasm/column.ts'
import type { Core } from '../wasm/core.ts'

/** A unit whose rows are decoded and filtered, or an answer that is finished, ready to be encoded from any row on. */
export interface DecodedUnit {
  /** Rows in the unit, of a text file those that pass alone, of an order those in it; row 0 counts as row `from`. */
  readonly rows: number
  readonly from: number
  /** Columns of the projection, in its order; a column may stand there twice. */
  readonly columns: readonly Column[]
  /** Null: every row passes. */
  readonly mask: Mask | null
  /** Null: rows go out as they lie. */
  readonly order: Order | null
  readonly rowsScanned: number
  /** Of a text file. */
  readonly span: Span | null
}

/**
 * Decoded units that wait to be resumed, the least recently used given up first. It only saves work: a unit that is
 * gone is decoded again.
 */
export interface DecodedUnits {
  take(key: string): DecodedUnit | undefined
  keep(key: string, unit: DecodedUnit): void
  /** Frees waiting units until the core uses at most so many bytes. */
  shrink(usedBytes: number): void
  release(unit: DecodedUnit): void
}

export function createDecodedUnits(core: Core): DecodedUnits {
  const waiting = new Map<string, DecodedUnit>()
  const release = (unit: DecodedUnit): void => {
    for (const column of new Set(unit.columns)) core.free(column)
    if (unit.mask !== null) core.freeMask(unit.mask)
    if (unit.order !== null) core.freeOrder(unit.order)
  }
  return {
    release,
    take(key) {
      const unit = waiting.get(key)
      waiting.delete(key)
      return unit
    },
    keep(key, unit) {
      waiting.set(key, unit)
    },
    shrink(usedBytes) {
      for (const [key, unit] of waiting) {
        if (core.usedBytes() <= usedBytes) break
        waiting.delete(key)
        release(unit)
      }
    },
  }
}
