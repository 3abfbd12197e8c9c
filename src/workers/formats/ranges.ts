import type { RowRange, RowsRange, TextRange } from '../../plan/source/range.ts'

/** The range as one of rows. Throws a `RangeError` unless its segment exists and has these rows, by `rowsOf`. */
export function rowsOfSegment(range: RowRange, rowsOf: (segment: number) => number | undefined): RowsRange {
  if (range.kind !== 'rows') throw new RangeError(`a ${range.kind} of a file of segments`)
  const { segment, from, to } = range
  if (!(from >= 0 && from <= to && to <= (rowsOf(segment) ?? -1)))
    throw new RangeError(`no rows ${from}..${to} of segment ${segment}`)
  return range
}

/** The range as one of text. Throws a `RangeError` unless it names one of the file's blocks. */
export function blockOfText(range: RowRange, blocks: number): TextRange {
  if (range.kind !== 'text' || !(range.segment >= 0 && range.segment < blocks))
    throw new RangeError(`no ${range.kind} range of a text file of ${blocks} blocks`)
  return range
}
