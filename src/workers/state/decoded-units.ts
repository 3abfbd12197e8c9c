import type { Span } from '../../plan/source/text.ts'
import type { Column, Mask, Order } from '../../wasm/core/column.ts'
import type { Core } from '../../wasm/core/core.ts'

/** A unit whose rows are decoded and filtered, or an answer that is finished, ready to be encoded from any row on. */
export interface DecodedUnit {
  /** Rows in the unit, of a text unit those that pass alone, of an order those in it. */
  readonly rows: number
  /** What row 0 counts as: 0, or of an answer in an order, of which an offset is dropped, minus that. */
  readonly from: number
  /** Columns of the projection, in its order; a column may stand there twice. */
  readonly columns: readonly Column[]
  /** Null: every row passes. */
  readonly mask: Mask | null
  /** Null: rows go out as they lie. */
  readonly order: Order | null
  readonly rowsScanned: number
  /** Of a text unit. */
  readonly span: Span | null
}

/**
 * Decoded units that wait to be resumed, the least recently used given up first. It only saves work: a unit that is
 * gone is decoded again.
 */
export interface DecodedUnits {
  take(key: string): DecodedUnit | undefined
  /** `cancel` is set when the query is over, however it has ended. */
  keep(key: string, unit: DecodedUnit, cancel: SharedArrayBuffer): void
  /** Frees what waits for queries that are over. */
  releaseEnded(): void
  /** Frees waiting units until the core uses at most so many bytes. */
  shrink(usedBytes: number): void
  release(unit: DecodedUnit): void
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
    take(key) {
      const found = waiting.get(key)
      waiting.delete(key)
      return found?.unit
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
