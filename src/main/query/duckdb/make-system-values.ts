import type { Condition } from '../../../plan/condition/condition.ts'
import { ServiceError } from '../../../plan/errors.ts'
import type { Values } from '../../../plan/statement/made-rows.ts'
import type { ScanRequest } from '../../../plan/statement/statement.ts'
import type { SystemRelation } from '../../../plan/statement/system-relations.ts'
import type { QueryContext } from '../source/query-context.ts'
import { createValues } from './values-columns.ts'

/**
 * The most bytes of the rows that one scan of a table of the service reads: those of their text, and `VALUE_BYTES` for each value.
 * They are in memory until the statement ends.
 */
const MOST_BYTES = 64 << 20
const VALUE_BYTES = 8

/** A scan of a table of the service itself. */
export interface WantedRows {
  readonly relation: SystemRelation
  /** As in `ScanRequest`. */
  readonly columns: ScanRequest['columns']
  readonly filter: Condition | null
}

/**
 * Makes the rows of a table of the service itself, as they are now, in parts. Rows that the filter leaves out may be missing.
 * Throws `memory_limit`.
 */
export async function makeSystemValues(
  { relation, columns, filter }: WantedRows,
  { systemRows, lookups, signal }: Pick<QueryContext, 'systemRows' | 'lookups' | 'signal'>,
): Promise<readonly Values[]> {
  const { fields } = relation.columns
  const wanted = new Set(columns ?? fields.keys())
  const names = new Set(fields.filter((_, index) => wanted.has(index)).map(({ name }) => name))
  const scan = { relation, filter, isWanted: (column: string) => names.has(column) }
  const parts: Values[] = []
  let bytes = 0
  for await (const rows of systemRows(scan, lookups, signal)) {
    if (rows.length === 0) continue
    const values = createValues(fields, rows.length, (index) => wanted.has(index))
    values.add(rows)
    parts.push(values.finish())
    bytes += values.textBytes + VALUE_BYTES * rows.length * wanted.size
    if (bytes > MOST_BYTES) throw tooMany(relation)
  }
  return parts
}

function tooMany({ schema, name }: SystemRelation): ServiceError {
  return new ServiceError(
    'memory_limit',
    `The statement reads more than ${MOST_BYTES >> 20} MiB of ${schema}.${name}; ask for fewer columns, or for fewer rows by ${SELECTIVE[schema]}.`,
  )
}

/** How rows are left out before they are made. */
const SELECTIVE = Object.freeze({
  information_schema: 'WHERE table_name = …',
  system: 'WHERE finished_at > …',
} as const)
