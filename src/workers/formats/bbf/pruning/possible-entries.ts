import type { KnownColumn } from '../../../../plan/predicate/bounds.ts'
import { columnsOf, type Predicate } from '../../../../plan/predicate/predicate.ts'
import { mayMatch } from '../../../../plan/predicate/prune.ts'
import { statisticsWidening } from '../../../../plan/predicate/widen-statistics.ts'
import type { SourceColumn } from '../../../../plan/scan.ts'
import { type DataType, valueType } from '../../../../plan/types/schema.ts'
import { ONLY_NULLS } from './bounds.ts'
import type { ColumnIndex } from './pruning-index.ts'

/** Stands for a number of rows that is not known, as in `ONLY_NULLS`. */
const SOME_ROWS = 1

export interface Pruning {
  readonly filter: Predicate
  /** The columns of the filter, among others, in the types of the scan. */
  readonly columns: readonly SourceColumn[]
}

/** What the file knows of a column: its type, and its statistics. `index` null: it has none. */
export interface PrunedColumn {
  readonly type: DataType
  readonly index: ColumnIndex | null
}

/** Those of some entries that may have a row for which a filter is true. A column that the file lacks is null in all of them. */
export function possibleEntries(
  entries: readonly number[],
  { filter, columns }: Pruning,
  columnOf: (name: string) => PrunedColumn | null,
): readonly number[] {
  const statisticsOf = new Map<string, (entry: number) => KnownColumn | null>()
  for (const name of columnsOf(filter)) {
    const asked = columns.find((each) => each.name === name)
    if (asked === undefined) continue
    const column = columnOf(name)
    if (column === null) {
      const nulls = { type: asked.type, nulls: SOME_ROWS }
      statisticsOf.set(name, () => nulls)
    } else {
      const { index } = column
      const widen = statisticsWidening(column.type, valueType(asked.type))
      statisticsOf.set(name, (entry) => {
        const statistics = index?.of(entry) ?? null
        return statistics === ONLY_NULLS
          ? { type: asked.type, nulls: SOME_ROWS }
          : widen(statistics, SOME_ROWS)
      })
    }
  }
  return entries.filter((entry) =>
    mayMatch(filter, (name) => statisticsOf.get(name)?.(entry) ?? null, SOME_ROWS),
  )
}
