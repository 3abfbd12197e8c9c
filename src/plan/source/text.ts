import type { RowRange } from './range.ts'
import type { Unit } from './unit.ts'

/**
 * Bytes of a text file between which a unit's records lie. A record belongs to the block in which it begins, so `ended` of
 * one block is where the next one must have `began`. A reader that was not told where its block begins has guessed.
 */
export interface Span {
  readonly began: number
  readonly ended: number
}

/** Whether a reader of these rows has to guess where the first record begins. */
export function isGuess(range: RowRange): boolean {
  return range.kind === 'text' && range.begin === null && range.segment > 0
}

/** Whether records that were found between these bytes are the unit's. `unit` is as `TextOrder.placed` gives it. */
export function isInPlace(unit: Unit, span: Span | null | undefined): boolean {
  return unit.kind !== 'text' || unit.begin === null || span?.began === unit.begin
}

/** Tells text units where they begin: each where the one before it in its file has ended. */
export interface TextOrder {
  /** The unit with its beginning, where that is known. Units of other kinds are given as they are. */
  placed(unit: Unit): Unit
  /** Hears where the records of a unit lay. Units are told in file order. */
  ended(unit: Unit, span: Span | null | undefined): void
}

export function createTextOrder(): TextOrder {
  let last: { readonly file: number; readonly at: number } | null = null
  return {
    placed: (unit) => (unit.kind === 'text' && last?.file === unit.file ? { ...unit, begin: last.at } : unit),
    ended(unit, span) {
      last = span ? { file: unit.file, at: span.ended } : null
    },
  }
}
