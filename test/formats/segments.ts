import type { Grid } from '../../src/plan/source/grid.ts'
import type { BoxRange, RowRange } from '../../src/plan/source/range.ts'
import { type Segment, type Segments, segmentsOf } from '../../src/plan/source/segments.ts'
import type { OpenFile, ReadContext } from '../../src/workers/formats/provider.ts'
import type { Store } from '../../src/workers/store/store.ts'
import { memorySource } from './source.ts'

const NOTHING = memorySource(new Uint8Array())

/** How the rows of a file lie that these columns have together. None: all columns. */
export function layoutOf(
  file: OpenFile,
  columns: readonly string[] = [],
  store: Store = NOTHING,
  context: ReadContext = {} as ReadContext,
): Segments {
  return file.segments(columns, store, context, columns)
}

/** The segments of a file of rows, which are the same whichever columns are read. */
export function segmentsIn(file: OpenFile): readonly Segment[] {
  return segmentsOf(layoutOf(file))
}

/** All of a grid. */
export function wholeGrid({ axes, shape }: Grid): BoxRange {
  return {
    kind: 'box',
    dimensions: axes.map(({ dimension }) => dimension),
    origin: shape.map(() => 0),
    extent: shape,
  }
}

/** Ranges that have every row of a file once; those of text begin where the one before has ended. */
export function rangesOf(segments: Segments): readonly RowRange[] {
  if (segments.kind === 'grid') return [wholeGrid(segments)]
  return segments.segments.map(({ rows, entries }, segment): RowRange => {
    if (entries !== undefined) return { kind: 'run', segment, ...entries, rowsOf: [] }
    return rows === null
      ? { kind: 'text', segment, begin: null }
      : { kind: 'rows', segment, from: 0, to: rows }
  })
}
