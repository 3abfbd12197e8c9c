import { hasRenamed, openSource, type ResolvedSource } from '../../duckdb/sources.ts'
import type { ColumnFilter } from '../../source/column-filter.ts'
import { NO_COLUMN_FILTER } from '../../source/column-filter.ts'
import type { QueryContext } from '../../source/query-context.ts'
import { valuesIn } from '../parse/values-in.ts'
import type { SourceReading } from './source-reading.ts'

/**
 * Opens the sources that a statement reads. Files that cannot pass the filter may be left out. Statistics are read of the columns in
 * its conditions, and of `others`. `openSource` is called for each source, also again if a filter cannot be applied.
 */
export async function openReading(
  reading: SourceReading,
  filter: ColumnFilter,
  others: readonly string[],
  context: QueryContext,
  openOne: OpenSource = openSource,
): Promise<readonly ResolvedSource[]> {
  const statistics = [...new Set([...mentionedIn(reading), ...others])]
  const open = (narrowing: ColumnFilter): Promise<readonly ResolvedSource[]> =>
    Promise.all(reading.from.sources.map((source) => openOne(source, statistics, context, narrowing)))
  const first = await open(filter)
  // By these names the filter may mean other columns than those that it was applied to.
  return first.some(({ table }) => table.isNarrowed && hasRenamed(table)) ? open(NO_COLUMN_FILTER) : first
}

export type OpenSource = typeof openSource

/** The columns of the source that the conditions compare. */
function mentionedIn({ conditions }: SourceReading): readonly string[] {
  return conditions.flatMap(({ where, columnOf }) =>
    valuesIn(where).flatMap((value) => (value.kind === 'column' ? (columnOf(value) ?? []) : [])),
  )
}
