import {
  SCHEMA_IN_DUCKDB,
  SYSTEM_RELATIONS,
  SYSTEM_SCHEMAS,
} from '../../../plan/statement/system-relations.ts'
import type { SqlPrepareTask } from '../../../plan/task/task.ts'
import { run } from '../../../wasm/duckdb/database.ts'
import type { Duck } from '../../../wasm/duckdb/instance.ts'
import { schemaName } from '../catalog-database.ts'
import { SYSTEM_FUNCTION } from './scan-functions.ts'

/** The statement for which the views are bound when they are made: it has all tables of the service. */
export const SYSTEM_VIEWS_TASK: SqlPrepareTask = Object.freeze({
  kind: 'sql_prepare',
  key: 'system views',
  sql: '',
  definitions: [],
  absent: [],
  sources: SYSTEM_RELATIONS.map(({ schema, name, columns }) => ({
    request: { kind: 'system', schema, name } as const,
    digest: null,
    schema: columns,
    rows: 0,
  })),
  values: [],
  cancel: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
})

/**
 * Makes the views that stand for the tables of the service itself. They never change: whether a statement may read one is found out
 * when it is bound, since main has to tell what the table is.
 */
export function createSystemViews(duck: Duck, connection: number, catalog: string): void {
  for (const schema of SYSTEM_SCHEMAS)
    run(duck, connection, `CREATE SCHEMA ${schemaName(catalog, SCHEMA_IN_DUCKDB[schema])}`)
  for (const { schema, name } of SYSTEM_RELATIONS) {
    const view = `${schemaName(catalog, SCHEMA_IN_DUCKDB[schema])}."${name}"`
    run(
      duck,
      connection,
      `CREATE VIEW ${view} AS SELECT * FROM ${SYSTEM_FUNCTION.macro}('${schema}', '${name}')`,
    )
  }
}
