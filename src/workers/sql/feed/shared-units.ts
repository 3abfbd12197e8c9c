import { isServiceError } from '../../../plan/errors.ts'
import { createStationsSeen, createTextOrder, isInPlace } from '../../../plan/source/text.ts'
import type { Unit } from '../../../plan/source/unit.ts'
import { type UnitSpace, unitAt } from '../../../plan/source/unit-space.ts'
import { CLAIM_WORDS, type Claims } from '../../../plan/statement/claims.ts'
import type { AssistedUnit } from '../../../plan/statement/statement.ts'
import type { DecodedUnit } from '../../state/decoded-units.ts'
import { restOf, type Units } from './units.ts'

export interface SharedUnitsOptions {
  readonly units: UnitSpace
  readonly claims: Claims
  /** Called when the statement reaches a unit, so that other workers may decode those after it. */
  reached(index: number, unit: Unit): void
  /** Of a run of entries from row `from` on. */
  decode(unit: Unit, from?: number): DecodedUnit
  release(decoded: DecodedUnit): void
  /** The unit as another worker has decoded it. Undefined: it has not arrived within `waitMs`. */
  arrival(index: number, waitMs: number): AssistedUnit | undefined
  /** Reads rows of another worker as units of this one. */
  received(parts: NonNullable<AssistedUnit['parts']>): Iterator<DecodedUnit>
  checkCancelled(): void
  /** Milliseconds. */
  now(): number
}

/** How often the cancel flag is checked while another worker decodes the next unit. Milliseconds. */
const CANCEL_CHECK_MS = 20

/**
 * How long this worker waits for a unit that another one has claimed. Then it decodes the unit itself, because that worker may
 * in turn be waiting for this one. Milliseconds.
 */
const PATIENCE_MS = 1000

/** The units of a scan in order. Each is decoded by the worker that claims it first: this one or another. */
export function sharedUnits(options: SharedUnitsOptions): Units {
  const { units, claims, arrival } = options
  const text = createTextOrder()
  const stations = createStationsSeen()
  /** A later unit that was decoded here while waiting for another worker. `decoded` is null if that has failed. */
  let early: { readonly index: number; readonly decoded: DecodedUnit | null } | null = null
  /** The rest of the rows of a unit, which another worker has decoded, or which is decoded part by part. */
  let received: Iterator<DecodedUnit> | null = null
  let next = 0

  /** Decodes a unit before the one before it. Null: it is a text unit, and where its records begin was guessed wrong. */
  function decodeGuessed(unit: Unit): DecodedUnit | null {
    try {
      return options.decode(unit)
    } catch (error) {
      if (unit.kind === 'text' && isServiceError(error) && error.code === 'unreadable_file') return null
      throw error
    }
  }

  /** Decodes the next unclaimed unit while another worker decodes the wanted one. False: none is free, or one is kept already. */
  function decodeEarly(wanted: number): boolean {
    if (early !== null) return false
    const end = Math.min(units.count, wanted + CLAIM_WORDS)
    for (let index = wanted + 1; index < end; index++) {
      if (!claims.take(index, 'statement')) continue
      early = { index, decoded: decodeGuessed(stations.guide(unitAt(units, index))) }
      return true
    }
    return false
  }

  /** The unit as `decodeEarly` has decoded it. Null: that has failed, or began elsewhere than at its first record. */
  function decodedEarly(unit: Unit): DecodedUnit | null {
    const decoded = early?.decoded ?? null
    early = null
    if (decoded === null || isInPlace(unit, decoded.span)) return decoded
    options.release(decoded)
    return null
  }

  /** Waits for a unit that another worker has claimed. Null: it has to be decoded here. */
  function awaitAssistance(index: number, unit: Unit): AssistedUnit | null {
    const since = options.now()
    while (!claims.isClosed) {
      options.checkCancelled()
      const arrivedUnit =
        arrival(index, 0) ?? (decodeEarly(index) ? undefined : arrival(index, CANCEL_CHECK_MS))
      if (arrivedUnit !== undefined)
        return arrivedUnit.parts !== null && isInPlace(unit, arrivedUnit.span) ? arrivedUnit : null
      if (options.now() - since > PATIENCE_MS) return null
    }
    return null
  }

  /** The rows of a unit, from wherever it is decoded. */
  function rowsOf(index: number, unit: Unit): DecodedUnit | AssistedUnit {
    if (early?.index === index) return decodedEarly(unit) ?? options.decode(unit)
    const assistedUnit = claims.take(index, 'statement') ? null : awaitAssistance(index, unit)
    return assistedUnit ?? options.decode(unit)
  }

  return {
    next() {
      for (;;) {
        const rest = received?.next()
        if (rest?.done === false) return rest.value
        received = null
        const index = next
        if (index >= units.count) return null
        const unit = text.placed(unitAt(units, index))
        stations.noteUnit(unit)
        options.reached(index, unit)
        const rows = rowsOf(index, unit)
        next++
        claims.pass(index)
        text.ended(unit, rows.span)
        if (!('parts' in rows)) {
          received = restOf(rows, (from) => options.decode(unit, from))
          return rows
        }
        received = rows.parts === null ? null : options.received(rows.parts)
      }
    },
    end() {
      claims.close()
      if (early?.decoded) options.release(early.decoded)
      early = null
    },
  }
}
