import { foldSqlName } from '../../../plan/statement/statement.ts'
import type { Schema } from '../../../plan/types/schema.ts'
import { attachedFor } from '../../catalog/attached/with-attached.ts'
import { type CatalogTable, PUBLIC } from '../../catalog/catalog.ts'
import { visibleTable } from '../../catalog/visible-tables.ts'
import { withoutPlace } from '../../query/run/to-service-error.ts'
import { attachedNameOf } from '../../sql/gate/attached-name.ts'
import { printTableName } from '../../sql/grammar/names.ts'
import type { NameOrQuery, WrittenName } from '../../sql/grammar/node.ts'
import type { StatementContext } from '../context.ts'

/** The table or view that a name means, if the caller may see it. Null: there is none. */
export function tableOfName(
  written: WrittenName,
  { catalog, caller }: StatementContext,
): CatalogTable | null {
  const attached = attachedNameOf(written, catalog.name, attachedFor(caller, catalog))
  if (attached !== null) return catalog.snapshot().find(caller, attached, PUBLIC)
  const { catalog: database, schema, name } = written
  if (database !== null && foldSqlName(database) !== foldSqlName(catalog.name)) return null
  return visibleTable(catalog.snapshot(), caller, name, schema ?? PUBLIC)
}

/** The query whose rows a statement is about. */
export function queryText(of: NameOrQuery): string {
  return of.kind === 'query' ? of.text : `SELECT * FROM ${printTableName(of.name)}`
}

/** The columns of the rows that `queryText` reads. Throws what preparing it throws, with its place in the statement if it has one. */
export async function columnsOfRows(of: NameOrQuery, context: StatementContext): Promise<Schema> {
  const { catalog, queries, queryInPlace, caller, signal } = context
  const sql = queryInPlace ?? queryText(of)
  const request = { kind: 'sql', sql, output: null } as const
  const query = { request, json: { sql }, caching: true }
  try {
    return await queries.answerColumns(query, caller, signal, catalog.snapshot())
  } catch (error) {
    throw of.kind === 'name' ? withoutPlace(error) : error
  }
}

/**
 * The columns of a table, a view or a query. Those of a table are the stored ones, if there are any; no file is opened then.
 * Throws `unknown_table`, and what preparing a query throws.
 */
export async function describedColumns(of: NameOrQuery, context: StatementContext): Promise<Schema> {
  const table = of.kind === 'name' ? tableOfName(of.name, context) : null
  // Whether the files may be read that a view reads is decided when they are found.
  const isDecided = context.caller.rights.isEverything || table?.type !== 'VIEW'
  return (isDecided ? table?.columns : null) ?? columnsOfRows(of, context)
}
