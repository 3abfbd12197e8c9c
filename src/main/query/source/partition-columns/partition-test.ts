import { expressionKey } from '../../../../plan/expression.ts'
import type { Level } from '../../../datasets/partitions/level.ts'
import type { PartitionFilter, PartitionTest } from '../../../datasets/partitions/partition-filter.ts'
import type { ColumnFilter } from '../column-filter.ts'
import { mayHaveRows } from '../constants.ts'
import { partitionColumn } from './partition-columns.ts'
import { typeOfTexts } from './partition-type.ts'

/** The test of folders that follows from a query's filter. */
export function partitionFilter(filter: ColumnFilter): PartitionFilter {
  return {
    isSettled: isText,
    on(levels) {
      const columns = levels.map(partitionColumn)
      const fields = columns.map((column) => column.field)
      const condition = filter.on(fields)
      if (condition === null) return { key: null, passes: () => true }
      return {
        key: expressionKey(condition),
        passes(values) {
          const entries = columns.map(
            (column, depth) => [column.field.name, column.valueOf(values[depth] ?? null)] as const,
          )
          return mayHaveRows(Object.fromEntries(entries), fields, condition)
        },
      }
    },
  }
}

/** What `LAST_FOLDERS` and `FIRST_FOLDERS` stand for: of each level the last name passes, or the first, in the order of characters. */
export const LAST_PARTITIONS: PartitionFilter = onlyOne('last', (name, other) => name > other)
export const FIRST_PARTITIONS: PartitionFilter = onlyOne('first', (name, other) => name < other)

function onlyOne(key: string, isBefore: (name: string, other: string) => boolean): PartitionFilter {
  const chosen = (names: ReadonlySet<string | null>): string | null => {
    let best: string | null = null
    for (const name of names) if (name !== null && (best === null || isBefore(name, best))) best = name
    return best
  }
  return Object.freeze<PartitionFilter>({
    isSettled: isText,
    on(levels) {
      const only = levels.map(({ names }) => chosen(names))
      const passes: PartitionTest['passes'] = (values) =>
        values.every((value, depth) => value === only[depth])
      return { key: levels.length === 0 ? null : key, passes }
    },
  })
}

function isText({ names }: Level): boolean {
  return typeOfTexts(names)?.kind === 'utf8'
}
