import type { Predicate } from '../../../../plan/predicate/predicate.ts'
import type { PartitionFilter } from '../../../datasets/partitions/partition-filter.ts'
import type { ColumnFilter } from '../column-filter.ts'
import { mayHaveRows } from '../constants.ts'
import { partitionColumn } from './partition-columns.ts'
import { typeOfTexts } from './partition-type.ts'

/** The test of folders that follows from a query's filter. */
export function partitionFilter(filter: ColumnFilter): PartitionFilter {
  return {
    isSettled: ({ names }) => typeOfTexts(names)?.kind === 'utf8',
    on(levels) {
      const columns = levels.map(partitionColumn)
      const fields = columns.map((column) => column.field)
      const predicate = filter.on(fields)
      if (predicate === null) return { key: null, passes: () => true }
      return {
        key: predicateKey(predicate),
        passes(values) {
          const entries = columns.map(
            (column, depth) => [column.field.name, column.valueOf(values[depth] ?? null)] as const,
          )
          return mayHaveRows(Object.fromEntries(entries), fields, predicate)
        },
      }
    },
  }
}

/** A key that is equal for equal predicates. JSON has neither integers of 64 bits nor floats that are not finite. */
function predicateKey(predicate: Predicate): string {
  return JSON.stringify(predicate, (_, value: unknown) =>
    typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)) ? `${value}` : value,
  )
}
