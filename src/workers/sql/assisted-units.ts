import { receiveMessageOnPort } from 'node:worker_threads'
import { isServiceError } from '../../plan/errors.ts'
import type { ScanSpec } from '../../plan/scan.ts'
import type { FileRef } from '../../plan/source/file.ts'
import { createTextOrder, isInPlace } from '../../plan/source/text.ts'
import type { Unit } from '../../plan/source/unit.ts'
import {
  type Assistance,
  type AssistedUnit,
  type AssistRequest,
  CLAIM,
  type OpenScan,
} from '../../plan/statement/statement.ts'
import { rowWidth } from '../../plan/types/row-width.ts'
import type { ReadContext } from '../formats/provider.ts'
import { readParts } from '../rows/read-parts.ts'
import { tableOf } from '../rows/typed-table.ts'
import type { DecodedUnit } from '../state/decoded-units.ts'
import type { WorkerState } from '../state/worker-state.ts'
import { readUnit } from '../units/read-unit.ts'
import { createUnits, type Units } from './units.ts'

/** The line to other workers that decode units for a statement. */
export interface AssistanceLine {
  /** The units of a scan, by whoever decodes them first, in order. */
  units(scan: number, open: OpenScan, state: WorkerState, context: ReadContext): Units
  end(): void
}

/**
 * Milliseconds that rows of another worker cost here and there, beyond their decoding: per unit, and per megabyte of
 * rows. Measured: four columns of 2.5 million rows, 60 MB in 28 units, took 130 ms of CPU more.
 */
const PASSING_MS = Object.freeze({ unit: 1, megabyte: 1.7 })

/** Milliseconds between looks at the cancel flag while another worker has the unit that is wanted. */
const LOOK_MS = 20

/** Milliseconds after which a unit is decoded here although another worker has it: that one may wait for this one. */
const PATIENCE_MS = 1000

export function openAssistance({ port, bell }: Assistance): AssistanceLine {
  const ready = new Map<string, AssistedUnit>()
  const begun = new Set<number>()
  const word = new Int32Array(bell)

  /** The unit once it has arrived; undefined when nothing comes for so long. */
  function arrival(key: string, waitMs: number): AssistedUnit | undefined {
    const rung = Atomics.load(word, 0)
    for (;;) {
      const received = receiveMessageOnPort(port)
      if (received === undefined) break
      const message = received.message as AssistedUnit
      ready.set(`${message.scan}/${message.unit}`, message)
    }
    const found = ready.get(key)
    if (found === undefined && waitMs > 0) {
      Atomics.wait(word, 0, rung, waitMs)
      return arrival(key, 0)
    }
    ready.delete(key)
    return found
  }

  return {
    units(scan, open, state, context) {
      // A recursive statement runs a scan again and again, and what is claimed was for the first run.
      if (begun.has(scan) || open.units.length < 2) return createUnits(open, state, context)
      begun.add(scan)
      let spec: ScanSpec | null = open.scan
      const ask = (unit: number): void => {
        const request: AssistRequest = { scan, spec, unit }
        port.postMessage(request)
        spec = null
      }
      return assistedUnits(open, state, context, ask, (unit, waitMs) => arrival(`${scan}/${unit}`, waitMs))
    },
    end() {
      ready.clear()
      port.close()
    },
  }
}

function assistedUnits(
  open: OpenScan,
  state: WorkerState,
  context: ReadContext,
  ask: (unit: number) => void,
  arrival: (unit: number, waitMs: number) => AssistedUnit | undefined,
): Units {
  const claims = new Int32Array(open.claims)
  /** Decoded here while another worker had the one before; null: in vain. */
  let early: { readonly index: number; readonly unit: DecodedUnit | null } | null = null
  let pieces: Iterator<DecodedUnit> | null = null
  let next = 0
  const text = createTextOrder()
  /** Whether others save more than it costs to pass on what they decode: rows that a filter drops are not passed on. */
  let pays = open.scan.filter !== null || at(open, 0).unit.kind === 'text'
  const widths = open.scan.projection.reduce((sum, { field }) => sum + rowWidth(field.type), 0)

  const claim = (index: number): boolean =>
    Atomics.compareExchange(claims, index, CLAIM.free, CLAIM.statement) === CLAIM.free

  function decode(unit: Unit, file: FileRef): DecodedUnit {
    const start = performance.now()
    const decoded = readUnit({ scan: open.scan, file, unit }, state, context)
    const rows = decoded.mask === null ? decoded.rows : context.core.count(decoded.mask)
    const passingMs = PASSING_MS.unit + (PASSING_MS.megabyte * rows * widths) / 1e6
    pays = performance.now() - start > passingMs
    return decoded
  }

  /** A unit before its turn; null: a text unit that cannot be read from where its records were guessed to begin. */
  function decodeGuessed(index: number): DecodedUnit | null {
    const { unit, file } = at(open, index)
    try {
      return decode(unit, file)
    } catch (error) {
      if (unit.kind === 'text' && isServiceError(error) && error.code === 'unreadable_file') return null
      throw error
    }
  }

  /** Another unit, while somebody else decodes the one that is wanted: the next that nobody has. */
  function decodeEarly(wanted: number): boolean {
    if (early !== null) return false
    for (let index = wanted + 1; index < open.units.length; index++) {
      if (!claim(index)) continue
      early = { index, unit: decodeGuessed(index) }
      return true
    }
    return false
  }

  /** What another worker has made of the unit; null: it is to be decoded here. */
  function assisted(index: number, unit: Unit): AssistedUnit | null {
    const since = performance.now()
    for (;;) {
      context.checkCancelled()
      const found = arrival(index, 0) ?? (decodeEarly(index) ? undefined : arrival(index, LOOK_MS))
      if (found === undefined) {
        if (performance.now() - since > PATIENCE_MS) return null
        continue
      }
      return found.parts !== null && isInPlace(unit, found.span) ? found : null
    }
  }

  return {
    next() {
      for (;;) {
        const piece = pieces?.next()
        if (piece?.done === false) return piece.value
        pieces = null
        const index = next++
        if (index >= open.units.length) return null
        const { unit: planned, file } = at(open, index)
        const unit = text.placed(planned)
        if (pays) ask(index)
        const isEarly = early?.index === index
        if (isEarly) {
          const decoded = early?.unit ?? null
          early = null
          if (decoded !== null && isInPlace(unit, decoded.span)) {
            text.ended(unit, decoded.span)
            return decoded
          }
          if (decoded !== null) state.units.release(decoded)
        }
        const found = isEarly || claim(index) ? null : assisted(index, unit)
        if (found?.parts) {
          text.ended(unit, found.span)
          pieces = piecesOf(found.parts, open.scan, context)
          continue
        }
        const decoded = decode(unit, file)
        text.ended(unit, decoded.span)
        return decoded
      }
    },
    end() {
      if (early?.unit) state.units.release(early.unit)
      early = null
    },
  }
}

/** Record batches of another worker's core as units of this one's. */
function* piecesOf(
  parts: NonNullable<AssistedUnit['parts']>,
  { projection }: ScanSpec,
  context: ReadContext,
): Generator<DecodedUnit, void> {
  const fields = projection.map((each) => each.field)
  for (const { rows, columns } of readParts(parts, fields, context)) yield tableOf(columns, rows)
}

function at(open: OpenScan, index: number): { readonly file: FileRef; readonly unit: Unit } {
  const unit = open.units[index]
  const file = unit && open.files[unit.file]
  if (!unit || !file) throw new RangeError(`unit ${index} of ${open.units.length}`)
  return { file, unit }
}
