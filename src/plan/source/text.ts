import type { RowRange, StationPlace } from './range.ts'
import type { Unit } from './unit.ts'

/**
 * The range of bytes with the records of a text unit. A record belongs to the block in which it begins, so the records of the next
 * block must begin where those of this one end. A reader that did not know the beginning has guessed it.
 */
export interface Span {
  readonly began: number
  readonly ended: number
  /** The byte of the last station among the records. Absent: none is, or the format has none. */
  readonly station?: number
  /** The byte of the station before `began` of which records have the metadata. 0: there is none. Absent: none was needed. */
  readonly carried?: number
}

/** Whether the reader of a range has to guess where its first record begins. */
export function isGuess(range: RowRange): boolean {
  return range.kind === 'text' && range.begin === null && range.segment > 0
}

/**
 * Whether records found in a span are those of the unit, because the span begins right, and they have the metadata of the right
 * station. `unit` is from `TextOrder.placed`.
 */
export function isInPlace(unit: Unit, span: Span | null | undefined): boolean {
  if (unit.kind !== 'text' || unit.begin === null) return true
  const isOfStation = span?.carried === undefined || span.carried === unit.station?.at
  return span?.began === unit.begin && isOfStation
}

/** Gives text units their beginnings: each begins where the one before it in the file ends, below the last station there. */
export interface TextOrder {
  /** The unit with its beginning and its station, if they are known. Other units are returned unchanged. */
  placed(unit: Unit): Unit
  /** To be called with the span of each unit, in file order. */
  ended(unit: Unit, span: Span | null | undefined): void
}

/** Collects from the spans of units, in any order, which stations are the last ones that were seen. */
export interface StationsSeen {
  /** To be called with the span of a unit. */
  noteSpan(unit: Unit, span: Span | null | undefined): void
  /** To be called with a unit from `TextOrder.placed`, before it is read. */
  noteUnit(unit: Unit): void
  /** A unit whose beginning has to be guessed, with the last station before it that was seen. Other units are returned unchanged. */
  guide(unit: Unit): Unit
}

export function createStationsSeen(): StationsSeen {
  let last: { readonly file: number; readonly station: StationPlace } | null = null
  const add = (file: number, station: StationPlace): void => {
    if (last === null || file > last.file || (file === last.file && station.until > last.station.until))
      last = { file, station }
  }
  return {
    noteSpan(unit, span) {
      if (unit.kind !== 'text' || !span) return
      const above = unit.begin === null ? undefined : unit.station?.at
      const at = span.station ?? span.carried ?? above
      if (at !== undefined) add(unit.file, { at, until: span.ended })
    },
    noteUnit(unit) {
      if (unit.kind === 'text' && unit.station !== undefined) add(unit.file, unit.station)
    },
    guide: (unit) =>
      unit.kind === 'text' && isGuess(unit) && last?.file === unit.file
        ? { ...unit, station: last.station }
        : unit,
  }
}

export function createTextOrder(): TextOrder {
  let last: { readonly file: number; readonly at: number; readonly station: number } | null = null
  return {
    placed: (unit) =>
      unit.kind === 'text' && last?.file === unit.file
        ? { ...unit, begin: last.at, station: { at: last.station, until: last.at } }
        : unit,
    ended(unit, span) {
      const above = last?.file === unit.file ? last.station : 0
      last = span ? { file: unit.file, at: span.ended, station: span.station ?? above } : null
    },
  }
}
