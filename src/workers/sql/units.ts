import { createTextOrder } from '../../plan/source/text.ts'
import { CLAIM, type OpenScan } from '../../plan/statement/statement.ts'
import type { ReadContext } from '../formats/provider.ts'
import type { DecodedUnit } from '../state/decoded-units.ts'
import type { WorkerState } from '../state/worker-state.ts'
import { readUnit } from '../units/read-unit.ts'

/** The units of a scan, in order, or parts of them. */
export interface Units {
  /** Null: there are no more. Whoever takes one releases it. */
  next(): DecodedUnit | null
  end(): void
}

/**
 * Decodes the units of a scan one after the other, and claims each before: no other worker will begin with it. One that
 * is claimed already is decoded all the same, for a recursive statement runs its scans again and again.
 */
export function createUnits(open: OpenScan, state: WorkerState, context: ReadContext): Units {
  const claims = new Int32Array(open.claims)
  const text = createTextOrder()
  let next = 0
  return {
    next() {
      const unit = open.units[next]
      if (unit === undefined) return null
      Atomics.compareExchange(claims, next, CLAIM.free, CLAIM.statement)
      next++
      const file = open.files[unit.file]
      if (file === undefined) throw new RangeError(`unit of file ${unit.file}, of ${open.files.length}`)
      const decoded = readUnit({ scan: open.scan, file, unit: text.placed(unit) }, state, context)
      text.ended(unit, decoded.span)
      return decoded
    },
    end() {},
  }
}
