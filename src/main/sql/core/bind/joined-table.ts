import type { Schema } from '../../../../plan/types/schema.ts'
import { type Declinable, decline, orDeclined } from '../../../query/bind/declined.ts'
import type { FilesTable } from '../../../query/source/files-table.ts'

/** Concatenates tables of one format. Declines tables whose columns differ in name or type. */
export function joinedTable(tables: readonly FilesTable[]): Declinable<FilesTable> {
  return orDeclined(() => {
    const [first, ...others] = tables
    if (first === undefined) throw new RangeError('no tables')
    if (others.length === 0) return first
    if (tables.some(({ unlisted }) => unlisted !== null)) decline('UNION ALL of tables that have names')
    if (tables.some(({ refused }) => refused !== undefined))
      decline('UNION ALL of tables with columns that cannot be read here')
    if (others.some((other) => columnsKey(other.schema) !== columnsKey(first.schema)))
      decline('UNION ALL of tables with different columns')
    return {
      ...first,
      relation: tables.map(({ relation }) => relation).join(' UNION ALL '),
      files: tables.flatMap(({ files }) => files),
      summaries: tables.flatMap(({ summaries }) => summaries),
      isNarrowed: tables.some(({ isNarrowed }) => isNarrowed),
    }
  })
}

function columnsKey({ fields }: Schema): string {
  return JSON.stringify(fields.map(({ name, type }) => [name, type]))
}
