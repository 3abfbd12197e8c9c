import type { RowRange } from './range.ts'
import type { Unit } from './unit.ts'

/**
 * The range of bytes with the records of a text unit. A record belongs to the block in which it begins, so the records of the next
 * block must begin where those of this one end. A reader that did not know the beginning has guessed it.
 */
export interface Span {
  readonly began: number
  readonly ended: number
}

/** Whether the reader of a range has to guess where its first record begins. */
export function isGuess(range: RowRange): boolean {
  return range.kind === 'text' && range.begin === null && range.segment > 0
}

/** Whether records found in a span are those of the unit, because the span begins right. `unit` is from `TextOrder.placed`. */
export function isInPlace(unit: Unit, span: Span | null | undefined): boolean {
  return unit.kind !== 'text' || unit.begin === null || span?.began === unit.begin
}

/** Gives text units their beginnings: each begins where the one before it in the file ends. */
export interface TextOrder {
  /** The unit with its beginning, if that is known. Other units are returned unchanged. */
  placed(unit: Unit): Unit
  /** To be called with the span of each unit, in file order. */
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
