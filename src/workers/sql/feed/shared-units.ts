import { isServiceError } from '../../../plan/errors.ts'
import { createTextOrder, isInPlace } from '../../../plan/source/text.ts'
import type { Unit } from '../../../plan/source/unit.ts'
import { type UnitSpace, unitAt } from '../../../plan/source/unit-space.ts'
import { CLAIM_WORDS, type Claims } from '../../../plan/statement/claims.ts'
import type { AssistedUnit } from '../../../plan/statement/statement.ts'
import type { DecodedUnit } from '../../state/decoded-units.ts'
import type { Units } from './units.ts'

export interface SharedUnitsOptions {
  readonly units: UnitSpace
  readonly claims: Claims
  /** Called when the statement comes to a unit: others may go ahead of it. */
  cameTo(index: number): void
  decode(unit: Unit): DecodedUnit
  release(decoded: DecodedUnit): void
  /** What others have made of a unit; undefined: nothing has come within so many milliseconds. */
  arrival(index: number, waitMs: number): AssistedUnit | undefined
  /** Rows of other workers as units of this one. */
  received(parts: NonNullable<AssistedUnit['parts']>): Iterator<DecodedUnit>
  checkCancelled(): void
  /** Milliseconds. */
  now(): number
}

/** Milliseconds between looks at the cancel flag while another worker has the unit that is wanted. */
const LOOK_MS = 20

/** Milliseconds after which a unit is decoded here although another worker has it: that one may wait for this one. */
const PATIENCE_MS = 1000

/** The units of a scan in order, each decoded here or by another worker, by whoever takes it first. */
export function sharedUnits(options: SharedUnitsOptions): Units {
  const { units, claims, arrival } = options
  const text = createTextOrder()
  /** Decoded here while another worker had the one before; null: in vain. */
  let early: { readonly index: number; readonly decoded: DecodedUnit | null } | null = null
  let pieces: Iterator<DecodedUnit> | null = null
  let next = 0

  /** A unit before its turn; null: a text unit that cannot be read from where its records were guessed to begin. */
  function decodeGuessed(unit: Unit): DecodedUnit | null {
    try {
      return options.decode(unit)
    } catch (error) {
      if (unit.kind === 'text' && isServiceError(error) && error.code === 'unreadable_file') return null
      throw error
    }
  }

  /** Another unit, while somebody else decodes the one that is wanted: the next that nobody has. */
  function decodeEarly(wanted: number): boolean {
    if (early !== null) return false
    const end = Math.min(units.count, wanted + CLAIM_WORDS)
    for (let index = wanted + 1; index < end; index++) {
      if (!claims.take(index, 'statement')) continue
      early = { index, decoded: decodeGuessed(unitAt(units, index)) }
      return true
    }
    return false
  }

  /** The unit as it was decoded before its turn; null: it was not, or not from where its records begin. */
  function decodedEarly(unit: Unit): DecodedUnit | null {
    const decoded = early?.decoded ?? null
    early = null
    if (decoded === null || isInPlace(unit, decoded.span)) return decoded
    options.release(decoded)
    return null
  }

  /** What another worker has made of the unit; null: it is to be decoded here. */
  function assisted(index: number, unit: Unit): AssistedUnit | null {
    const since = options.now()
    while (!claims.isClosed) {
      options.checkCancelled()
      const found = arrival(index, 0) ?? (decodeEarly(index) ? undefined : arrival(index, LOOK_MS))
      if (found !== undefined) return found.parts !== null && isInPlace(unit, found.span) ? found : null
      if (options.now() - since > PATIENCE_MS) return null
    }
    return null
  }

  /** The rows of a unit: one that is decoded, or what others have made of it. */
  function rowsOf(index: number, unit: Unit): DecodedUnit | AssistedUnit {
    if (early?.index === index) return decodedEarly(unit) ?? options.decode(unit)
    const found = claims.take(index, 'statement') ? null : assisted(index, unit)
    return found ?? options.decode(unit)
  }

  return {
    next() {
      for (;;) {
        const piece = pieces?.next()
        if (piece?.done === false) return piece.value
        pieces = null
        const index = next
        if (index >= units.count) return null
        const unit = text.placed(unitAt(units, index))
        options.cameTo(index)
        const rows = rowsOf(index, unit)
        next++
        claims.pass(index)
        text.ended(unit, rows.span)
        if (!('parts' in rows)) return rows
        pieces = rows.parts === null ? null : options.received(rows.parts)
      }
    },
    end() {
      claims.close()
      if (early?.decoded) options.release(early.decoded)
      early = null
    },
  }
}
