import { sqlNames } from '../../plan/statement/statement.ts'
import type { Schema } from '../../plan/types/schema.ts'
import type { CatalogSnapshot } from '../catalog/catalog.ts'
import type { DefiningContext } from './context.ts'

/** Binds the query of a view, and returns its columns under the names by which queries over the view find them. */
export async function columnsOfView(
  query: string,
  { queries, caller, signal }: DefiningContext,
  snapshot: CatalogSnapshot,
): Promise<Schema> {
  const request = { kind: 'sql', sql: query, output: null } as const
  const bound = await queries.answerColumns(
    { request, json: { sql: query }, caching: true },
    caller,
    signal,
    snapshot,
  )
  const names = sqlNames(bound)
  return {
    ...bound,
    fields: bound.fields.map((field, index) => ({ ...field, name: names[index] ?? field.name })),
  }
}
