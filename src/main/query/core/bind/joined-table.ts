import { runToEnd } from '../../../../plan/steps.ts'
import type { Schema } from '../../../../plan/types/schema.ts'
import { type Declinable, decline, orDeclined } from '../../bind/declined.ts'
import type { FilesTable } from '../../source/files-table.ts'
import { mergeSchemasInSteps } from '../../source/schema/merge-schema.ts'

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
      schema: joinedSchema(tables),
      relation: tables.map(({ relation }) => relation).join(' UNION ALL '),
      files: tables.flatMap(({ files }) => files),
      summaries: tables.flatMap(({ summaries }) => summaries),
      isNarrowed: tables.some(({ isNarrowed }) => isNarrowed),
    }
  })
}

/** The columns of the first table, those of arrays with the attributes in which all tables agree. */
function joinedSchema([first, ...rest]: readonly FilesTable[]): Schema {
  if (first === undefined) throw new RangeError('no tables')
  const { format, schema } = first
  const others = rest.map((table) => table.schema)
  if (format.layout !== 'grid' || others.every((other) => other === schema)) return schema
  const files = [schema, ...others].map((each) => ({ path: '', schema: each }))
  return runToEnd(mergeSchemasInSteps(files, 'common')).schema
}

function columnsKey({ fields }: Schema): string {
  return JSON.stringify(fields.map(({ name, type }) => [name, type]))
}
