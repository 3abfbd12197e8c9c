import { foldSqlName } from '../../../../plan/statement/statement.ts'
import { type SystemRelation, systemRelation } from '../../../../plan/statement/system-relations.ts'
import { readName } from '../../../catalog/written-name.ts'
import { prepareRequest } from '../../duckdb/from-json/prepare-request.ts'
import { rowsOfSystem } from '../../duckdb/from-json/request-rows.ts'
import { withReason } from '../../duckdb/prepare-statement.ts'
import type { SupportedJson } from '../../request/supported.ts'
import type { QueryContext } from '../../source/query-context.ts'
import type { SourceName } from '../../source/resolve-source.ts'
import type { PreparedQuery } from './prepared-query.ts'

/** The table of the service itself that a JSON request names. Null: it names something else. */
export function systemNamed(source: SourceName, catalogName: string): SystemRelation | null {
  const written = source.kind === 'name' ? readName(source.text) : null
  if (written === null || written.schema === null) return null
  const isHere = written.catalog === null || foldSqlName(written.catalog) === foldSqlName(catalogName)
  return isHere ? systemRelation(foldSqlName(written.schema), foldSqlName(written.name)) : null
}

/**
 * Prepares a JSON request over a table of the service itself, as a statement. The right of the caller is checked when it is bound, as
 * for every statement.
 */
export async function prepareOverSystem(
  request: SupportedJson,
  relation: SystemRelation,
  key: string,
  context: QueryContext,
): Promise<PreparedQuery> {
  const prepared = await prepareRequest(request, rowsOfSystem(relation, context), key, context)
  return withReason(prepared, 'a table of the service itself')
}
