import type { Segment } from '../../../plan/source/segments.ts'
import { packWhole, type WholeColumn, type WholeColumns } from '../../../plan/source/whole.ts'
import type { OpenFile } from '../../formats/provider.ts'

/** The most columns of a small file whose bounds are answered, whichever a query compares. */
const MOST_BOUNDS = 64

/**
 * The bounds of the columns of numbers of a file with one segment, so that a query that compares others has no such file inspected again.
 * Null: it has more columns, or segments.
 */
export function boundsOf(opened: OpenFile, [segment, ...others]: readonly Segment[]): WholeColumns | null {
  const { fields } = opened.schema
  if (segment === undefined || others.length > 0 || fields.length > MOST_BOUNDS) return null
  const { rows } = segment
  return packWhole(
    fields.flatMap(({ name, type: { kind } }, field): WholeColumn[] => {
      const isNumber = kind === 'int' || kind === 'float' || kind === 'timestamp' || kind === 'date'
      const statistics = isNumber && rows !== null ? opened.statistics(name)[0] : null
      return statistics && rows !== null && statistics.min !== undefined
        ? [{ field, values: rows, statistics }]
        : []
    }),
  )
}
