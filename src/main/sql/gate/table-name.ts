import type { ServiceError } from '../../../plan/errors.ts'
import { foldSqlName } from '../../../plan/statement/statement.ts'
import { SYSTEM_RELATIONS, systemRelation } from '../../../plan/statement/system-relations.ts'
import type { WrittenName } from '../grammar/node.ts'
import { printIdentifier } from '../text/keywords.ts'
import type { Token } from '../text/tokens.ts'

/** The schema of the tables and views of users. */
const PUBLIC = 'public'

/**
 * Reads the name of a table, whose parts stand with dots between them: `t`, `public.t` or `<catalog>.public.t`. Names are compared
 * without the case of the letters A to Z. Throws what `otherwise` makes if another schema or catalog is named.
 */
export function readTableName(
  parts: readonly Token[],
  catalog: string,
  otherwise: () => ServiceError,
): WrittenName {
  const [name, schema, database, ...others] = parts.map(({ text }) => text).reverse()
  const isKnown =
    others.length === 0 &&
    (schema === undefined || foldSqlName(schema) === PUBLIC) &&
    (database === undefined || foldSqlName(database) === catalog)
  if (name === undefined || !isKnown) throw otherwise()
  return { catalog: database ?? null, schema: schema ?? null, name }
}

/** Whether the parts name a table of the service itself: `information_schema.t`, or `<catalog>.system.t`. */
export function isServiceTable(parts: readonly Token[], catalog: string): boolean {
  const [name = '', schema = '', database, ...others] = parts.map(({ text }) => foldSqlName(text)).reverse()
  // DuckDB has a database `system`, which the name alone might mean as well.
  const isHere = database === undefined ? schema !== 'system' : database === catalog
  return others.length === 0 && isHere && systemRelation(schema, name) !== null
}

/** How the tables of the schema that the parts name are written, if it is one of the service itself. */
export function serviceTables(parts: readonly Token[], catalog: string): readonly string[] {
  const schema = foldSqlName(parts.at(-2)?.text ?? '')
  return SYSTEM_RELATIONS.filter((relation) => relation.schema === schema).map(
    ({ name }) => `${printIdentifier(catalog)}.${schema}.${name}`,
  )
}
