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

/** The channel on which a statement's worker gets units that other workers decode for it. */
export interface AssistanceChannel {
  /** The units of a scan in order, each decoded here or by another worker. */
  units(scan: number, open: OpenScan, state: WorkerState, context: TaskContext): Units
  end(): void
}

/**
 * The CPU time that it takes to send rows of another worker and to read them here, beyond decoding them: for each unit, and for
 * each megabyte of rows. Measured: four columns of 2.5 million rows, 60 MB in 28 units, took 130 ms more. Milliseconds.
 */
const TRANSFER_MS = Object.freeze({ unit: 1, megabyte: 1.7 })

/** A scan of which other workers decode units. */
interface SharedScan {
  /** The unit that the statement has reached. */
  current: number
  /** Units that others have decoded, this one and later ones. */
  readonly ready: Map<number, AssistedUnit>
}

export function openAssistance({ port, messageCount, claims }: Assistance): AssistanceChannel {
  const scans = new Map<number, SharedScan>()
  const count = new Int32Array(messageCount)

  function receive(): void {
    for (;;) {
      const received = receiveMessageOnPort(port)
      if (received === undefined) return
      const message = received.message as AssistedUnit
      const shared = scans.get(message.scan)
      if (shared !== undefined && message.unit >= shared.current) shared.ready.set(message.unit, message)
    }
  }

  /** The unit as another worker has decoded it, removed from `ready`. Undefined: it has not arrived within `waitMs`. */
  function arrival({ ready }: SharedScan, unit: number, waitMs: number): AssistedUnit | undefined {
    const countBefore = Atomics.load(count, 0)
    receive()
    if (!ready.has(unit) && waitMs > 0) {
      Atomics.wait(count, 0, countBefore, waitMs)
      receive()
    }
    const arrivedUnit = ready.get(unit)
    ready.delete(unit)
    return arrivedUnit
  }

  return {
    units(scan, open, state, context) {
      const words = claims[scan]
      // A recursive statement runs a scan repeatedly. Others decode for its first run only.
      if (scans.has(scan) || open.units.count < 2 || words === undefined)
        return createUnits(open, state, context)
      const shared: SharedScan = { current: 0, ready: new Map() }
      scans.set(scan, shared)
      let spec: ScanSpec | null = open.scan
      /** Whether it saves time that others decode units. With a filter it mostly does: the rows that it drops are not sent. */
      let savesTime = open.scan.filter !== null || unitAt(open.units, 0).kind === 'text'
      const widths = open.scan.projection.reduce((sum, { field }) => sum + rowWidth(field.type), 0)
      return sharedUnits({
        units: open.units,
        claims: claimsIn(words),
        reached(index, placed) {
          shared.ready.delete(shared.current)
          shared.current = index
          if (!savesTime) return
          const request: AssistRequest = { scan, spec, unit: index, placed }
          port.postMessage(request)
          spec = null
        },
        decode(unit: Unit, from = 0) {
          const start = performance.now()
          const decoded = readScanUnit(open, unit, state, context, from)
          const rows = decoded.mask === null ? decoded.rows : context.core.count(decoded.mask)
          const transferMs = TRANSFER_MS.unit + (TRANSFER_MS.megabyte * rows * widths) / 1e6
          savesTime = performance.now() - start > transferMs
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
