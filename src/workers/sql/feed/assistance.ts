import { receiveMessageOnPort } from 'node:worker_threads'
import type { ScanSpec } from '../../../plan/scan.ts'
import type { Unit } from '../../../plan/source/unit.ts'
import { unitAt } from '../../../plan/source/unit-space.ts'
import { claimsIn } from '../../../plan/statement/claims.ts'
import type { Assistance, AssistedUnit, AssistRequest, OpenScan } from '../../../plan/statement/statement.ts'
import { rowWidth } from '../../../plan/types/row-width.ts'
import { readParts } from '../../rows/read-parts.ts'
import { tableOf } from '../../rows/typed-table.ts'
import type { DecodedUnit } from '../../state/decoded-units.ts'
import type { TaskContext } from '../../state/task-context.ts'
import type { WorkerState } from '../../state/worker-state.ts'
import { sharedUnits } from './shared-units.ts'
import { createUnits, readScanUnit, type Units } from './units.ts'

/** The line to other workers that decode units for a statement. */
export interface AssistanceLine {
  /** The units of a scan, by whoever decodes them first, in order. */
  units(scan: number, open: OpenScan, state: WorkerState, context: TaskContext): Units
  end(): void
}

/**
 * Milliseconds that rows of another worker cost here and there, beyond their decoding: per unit, and per megabyte of
 * rows. Measured: four columns of 2.5 million rows, 60 MB in 28 units, took 130 ms of CPU more.
 */
const PASSING_MS = Object.freeze({ unit: 1, megabyte: 1.7 })

/** A scan of which others decode units. */
interface SharedScan {
  /** The unit that the statement has come to. */
  at: number
  /** What has arrived of that unit and later ones. */
  readonly ready: Map<number, AssistedUnit>
}

export function openAssistance({ port, bell, claims }: Assistance): AssistanceLine {
  const scans = new Map<number, SharedScan>()
  const word = new Int32Array(bell)

  function receive(): void {
    for (;;) {
      const received = receiveMessageOnPort(port)
      if (received === undefined) return
      const message = received.message as AssistedUnit
      const shared = scans.get(message.scan)
      if (shared !== undefined && message.unit >= shared.at) shared.ready.set(message.unit, message)
    }
  }

  /** What has come of a unit; undefined when nothing comes for so long. */
  function arrival({ ready }: SharedScan, unit: number, waitMs: number): AssistedUnit | undefined {
    const rung = Atomics.load(word, 0)
    receive()
    if (!ready.has(unit) && waitMs > 0) {
      Atomics.wait(word, 0, rung, waitMs)
      receive()
    }
    const found = ready.get(unit)
    ready.delete(unit)
    return found
  }

  return {
    units(scan, open, state, context) {
      const words = claims[scan]
      // A recursive statement runs a scan again and again, and others decode for the first run alone.
      if (scans.has(scan) || open.units.count < 2 || words === undefined)
        return createUnits(open, state, context)
      const shared: SharedScan = { at: 0, ready: new Map() }
      scans.set(scan, shared)
      let spec: ScanSpec | null = open.scan
      /** Whether others save more than it costs to pass on what they decode: rows that a filter drops are not passed on. */
      let pays = open.scan.filter !== null || unitAt(open.units, 0).kind === 'text'
      const widths = open.scan.projection.reduce((sum, { field }) => sum + rowWidth(field.type), 0)
      return sharedUnits({
        units: open.units,
        claims: claimsIn(words),
        cameTo(index) {
          shared.ready.delete(shared.at)
          shared.at = index
          if (!pays) return
          const request: AssistRequest = { scan, spec, unit: index }
          port.postMessage(request)
          spec = null
        },
        decode(unit: Unit) {
          const start = performance.now()
          const decoded = readScanUnit(open, unit, state, context)
          const rows = decoded.mask === null ? decoded.rows : context.core.count(decoded.mask)
          const passingMs = PASSING_MS.unit + (PASSING_MS.megabyte * rows * widths) / 1e6
          pays = performance.now() - start > passingMs
          return decoded
        },
        release: state.units.release,
        arrival: (unit, waitMs) => arrival(shared, unit, waitMs),
        received: (parts) => unitsOf(parts, open.scan, context),
        checkCancelled: () => context.checkCancelled(),
        now: () => performance.now(),
      })
    },
    end() {
      for (const words of claims) claimsIn(words).close()
      for (const { ready } of scans.values()) ready.clear()
      port.close()
    },
  }
}

/** Record batches of another worker's core as units of this one's. */
function* unitsOf(
  parts: NonNullable<AssistedUnit['parts']>,
  { projection }: ScanSpec,
  context: TaskContext,
): Generator<DecodedUnit, void> {
  const fields = projection.map((each) => each.field)
  for (const { rows, columns } of readParts(parts, fields, context)) yield tableOf(columns, rows)
}
