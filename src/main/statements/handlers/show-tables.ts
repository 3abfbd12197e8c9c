import { tableRow } from '../../catalog/information-schema.ts'
import { writeText } from '../../query/duckdb/from-json/write.ts'
import type { ShowTables } from '../../sql/grammar/node.ts'
import type { WriteQuery } from '../context.ts'

/** SHOW TABLES: the tables and views that the caller may read; to the super-user also those of the service itself. */
export const showTables: WriteQuery<ShowTables> = async (_, context) => {
  const { catalog, queries, caller, signal } = context
  if (caller.isSuperUser)
    return 'SELECT * FROM information_schema.tables ORDER BY table_catalog, table_schema, table_name'
  const tables = await queries.readableOf(catalog.snapshot().all(caller), caller, signal)
  // Lists of texts, since DuckDB takes a second for two thousand rows of VALUES.
  const columns = COLUMNS.map((name, index) => {
    const texts = tables.map((table) => writeText(String(tableRow(catalog.name, table)[index])))
    return `unnest([${texts.join(', ')}]::VARCHAR[]) AS ${name}`
  })
  return `SELECT ${columns.join(', ')} ORDER BY ALL`
}

const COLUMNS = ['table_catalog', 'table_schema', 'table_name', 'table_type'] as const
