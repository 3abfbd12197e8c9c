import type { ShowTables } from '../../sql/statements/node.ts'
import type { WriteQuery } from '../context.ts'

/** SHOW TABLES: all tables and views of the catalog, with those of the service itself. */
export const showTables: WriteQuery<ShowTables> = async () =>
  'SELECT * FROM information_schema.tables ORDER BY table_catalog, table_schema, table_name'
