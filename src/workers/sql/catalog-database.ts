import { quoteSqlName } from '../../plan/statement/statement.ts'
import { type Database, run } from '../../wasm/duckdb/database.ts'

/** The schema of the catalog's tables and views. */
const SCHEMA = 'public'

/** The schema of the macros that read files of arrays, in the database `memory`. */
export const GRID_SCHEMA = 'grids'

/**
 * Attaches the database in memory that stands for the catalog, and lets all connections find names in it first. What the service
 * has made before is in the database `memory`, which is searched next; on the connection `naming` without the macros of files of arrays.
 */
export function attachCatalog({ duck, connections }: Database, catalog: string, naming: number): void {
  const [connection = 0] = connections
  const [database, schema] = [quoteSqlName(catalog), quoteSqlName(SCHEMA)]
  run(duck, connection, `ATTACH ':memory:' AS ${database}`)
  run(duck, connection, `CREATE SCHEMA ${database}.${schema}`)
  for (const each of connections) {
    const grids = each === naming ? '' : `,memory.${GRID_SCHEMA}`
    run(duck, each, `SET SESSION search_path = '${database}.${schema},memory.main${grids}'`)
  }
}

/** The full name of a schema of the catalog in SQL. */
export function schemaName(catalog: string, schema: string): string {
  return [catalog, schema].map(quoteSqlName).join('.')
}

/** The full name of a table or view of the catalog in SQL. */
export function fullName(catalog: string, name: string): string {
  return [catalog, SCHEMA, name].map(quoteSqlName).join('.')
}
