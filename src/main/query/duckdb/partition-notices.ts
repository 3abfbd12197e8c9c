import type { Operator } from '../../../plan/statement/statement.ts'
import type { FilesTable } from '../source/files-table.ts'

/** A cast of a column in a filter as DuckDB prints it: `(CAST(year AS INTEGER) = 2024)`. */
const CAST = /CAST\((?<name>[^()]*) AS (?<type>[A-Z]+)\)/g

/** The type to declare for a column that is compared as this one. */
const DECLARED: ReadonlyMap<string, string> = new Map([
  ...['TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT'].map((type) => [type, 'INT'] as const),
  ...['FLOAT', 'DOUBLE', 'DATE', 'TIMESTAMP'].map((type) => [type, type] as const),
])

/**
 * What to declare where filters compare a partition of text with something else: DuckDB then casts the text of each row, which leaves out
 * no folder.
 */
export function partitionNotices(plan: Operator, tables: readonly FilesTable[]): readonly string[] {
  const texts = tables.flatMap(({ relation, unlisted }) =>
    (unlisted?.partitions ?? []).flatMap(({ name, type }) =>
      type.kind === 'utf8' ? [[name, relation] as const] : [],
    ),
  )
  if (texts.length === 0) return []
  const casts = filtersOf(plan).flatMap((filter) => [...filter.matchAll(CAST)])
  return casts.flatMap(({ groups: { name = '', type = '' } = {} }) => {
    const declared = DECLARED.get(type)
    if (declared === undefined) return []
    return texts.flatMap(([partition, relation]) =>
      partition === name
        ? `the partition "${name}" of ${relation} is text, and a filter that casts it leaves out no folders; PARTITIONED BY (${name} ${declared}) would`
        : [],
    )
  })
}

/** The conditions of all filters of a plan. */
function filtersOf({ name, details, children }: Operator): readonly string[] {
  const conditions = name.trim() === 'FILTER' ? [details['Expression'] ?? []].flat() : []
  return [...conditions, ...children.flatMap(filtersOf)]
}
