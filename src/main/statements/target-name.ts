import { ServiceError } from '../../plan/errors.ts'
import { foldSqlName } from '../../plan/statement/statement.ts'
import { type Catalog, type CatalogTable, PUBLIC } from '../catalog/catalog.ts'
import { isSystemRelation } from '../sql/gate/forbidden.ts'
import { printTableName } from '../sql/grammar/names.ts'
import type { IfExists, WrittenName } from '../sql/grammar/node.ts'
import type { StatementContext } from './context.ts'

/**
 * The name in schema `public` that a statement changes. Throws `unknown_table` if it is written with another schema or catalog: only
 * `public` has tables and views of users.
 */
export function targetName(
  { catalog: qualifier, schema, name }: WrittenName,
  catalog: Pick<Catalog, 'name'>,
): string {
  const isHere = qualifier === null || foldSqlName(qualifier) === foldSqlName(catalog.name)
  if (isHere && (schema === null || foldSqlName(schema) === PUBLIC)) return name
  throw new ServiceError(
    'unknown_table',
    `${printTableName({ catalog: qualifier, schema, name })}: tables and views are in ${catalog.name}.${PUBLIC} alone; write ${printTableName({ catalog: null, schema: null, name })}.`,
    { about: name },
  )
}

/** The table or view that a statement changes. Throws `unknown_table` if there is none. */
export function targetTable(written: WrittenName, { catalog, caller }: StatementContext): CatalogTable {
  const name = targetName(written, catalog)
  const table = catalog.snapshot().find(caller, name, PUBLIC)
  if (table !== null) return table
  throw new ServiceError('unknown_table', `The table ${JSON.stringify(name)} does not exist.`, {
    about: name,
  })
}

/**
 * The name under which a statement creates a table or a view. Null: there is one of that name, and the statement says IF NOT EXISTS.
 * Throws `table_exists` if there is one and the statement says nothing of that, and `invalid_sql` for a name that is reserved. The
 * placeholder `default` does not count.
 */
export function newName(
  written: WrittenName,
  ifExists: IfExists,
  { catalog, caller }: Pick<StatementContext, 'catalog' | 'caller'>,
): string | null {
  const name = targetName(written, catalog)
  requireFree(name)
  const existing = catalog.snapshot().find(caller, name, PUBLIC)
  if (existing === null || existing.definition === null || ifExists === 'replace') return name
  if (ifExists === 'keep') return null
  throw new ServiceError(
    'table_exists',
    `There is ${existing.type === 'VIEW' ? 'a view' : 'a table'} ${JSON.stringify(existing.name)} already; write OR REPLACE to put another in its place, or IF NOT EXISTS to keep it.`,
    { about: name },
  )
}

/** Throws `invalid_sql` for a name that statements could not use. */
function requireFree(name: string): void {
  const fault = name.startsWith('__')
    ? 'names that begin with "__" are those of the service'
    : isSystemRelation(name)
      ? 'names that begin with "duckdb_", "pg_", "pragma_" or "sqlite_" are those of DuckDB'
      : name === '' || name.includes('\0')
        ? 'a name has at least one character, and no U+0000'
        : null
  if (fault !== null)
    throw new ServiceError('invalid_sql', `The name ${JSON.stringify(name)} is not available: ${fault}.`, {
      about: name,
    })
}
