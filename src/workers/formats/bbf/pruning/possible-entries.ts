import type { KnownColumn } from '../../../../plan/condition/bounds.ts'
import type { Condition } from '../../../../plan/condition/condition.ts'
import { mayMatch } from '../../../../plan/condition/prune.ts'
import { statisticsWidening } from '../../../../plan/condition/widen-statistics.ts'
import { columnsOf } from '../../../../plan/expression.ts'
import type { SourceColumn } from '../../../../plan/scan.ts'
import { type DataType, sameType, valueType } from '../../../../plan/types/schema.ts'
import { ONLY_NULLS } from './bounds.ts'
import { type NumberBounds, type NumberRange, numberRanges } from './number-ranges.ts'
import type { ColumnIndex } from './pruning-index.ts'

/** Stands for a number of rows that is not known, as in `ONLY_NULLS`. */
const SOME_ROWS = 1

export interface Pruning {
  readonly filter: Condition
  /** The columns of the filter, among others, in the types of the scan. */
  readonly columns: readonly SourceColumn[]
}

/** What the file knows of a column: its type, and its statistics. `index` null: it has none. */
export interface PrunedColumn {
  readonly type: DataType
  readonly index: ColumnIndex | null
}

/**
 * Those of some entries that may have a row for which a filter is true. A column that the file lacks is null in all of them. Ranges of
 * numbers leave out most entries first, because the filter itself takes a hundred times as long.
 */
export function possibleEntries(
  entries: readonly number[],
  { filter, columns }: Pruning,
  columnOf: (name: string) => PrunedColumn | null,
): readonly number[] {
  const statisticsOf = new Map<string, (entry: number) => KnownColumn | null>()
  const numbersOf = new Map<string, NumberBounds>()
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
      if (index !== null && haveSameNumbers(column.type, valueType(asked.type)))
        numbersOf.set(name, index.numbers())
      statisticsOf.set(name, (entry) => {
        const statistics = index?.of(entry) ?? null
        return statistics === ONLY_NULLS
          ? { type: asked.type, nulls: SOME_ROWS }
          : widen(statistics, SOME_ROWS)
      })
    }
  }
  let possible = entries
  for (const range of numberRanges(filter)) possible = inRange(possible, range, numbersOf.get(range.column))
  return possible.filter((entry) =>
    mayMatch(filter, (name) => statisticsOf.get(name)?.(entry) ?? null, SOME_ROWS),
  )
}

/** Whether the values of a column of one type are the same numbers in another. */
function haveSameNumbers(type: DataType, other: DataType): boolean {
  const { kind } = type
  return sameType(type, other) || (kind === other.kind && (kind === 'int' || kind === 'float'))
}

/** Those whose bounds meet a range. */
function inRange(
  entries: readonly number[],
  { low, high }: NumberRange,
  numbers: NumberBounds | undefined,
): readonly number[] {
  if (numbers === undefined) return entries
  const { min, max } = numbers
  return entries.filter((entry) => (max[entry] ?? low) >= low && (min[entry] ?? high) <= high)
}
