import { join } from 'node:path'
import type { Change } from '../../src/main/catalog/definition.ts'
import { openStoredCatalog } from '../../src/main/catalog/store/open-stored-catalog.ts'
import { storePaths } from '../../src/main/catalog/store/paths.ts'
import { readConfig } from '../../src/main/settings/config.ts'
import { createNamesIn } from '../../src/main/sql/gate/names-in.ts'
import { createQueryCheck } from '../../src/main/statements/check-query.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { field, type Schema } from '../../src/plan/types/schema.ts'

const COLUMNS: Schema = {
  fields: Array.from({ length: 50 }, (_, column) =>
    field(`column_${column}`, column % 2 === 0 ? { kind: 'float', bits: 64 } : { kind: 'utf8' }),
  ),
  metadata: {},
}

/** Stores that many tables of 50 columns, `table_0` and so on, in the catalog of a service that does not run. */
export async function storeTables(dataDir: string, tables: number): Promise<void> {
  const { config } = readConfig({ SERVICE_DATA_DIR: dataDir })
  const queryOptions = { formats: FORMATS, catalog: config.name }
  const catalog = await openStoredCatalog({
    ...config,
    formats: FORMATS,
    namesIn: createNamesIn(queryOptions),
    checkQuery: createQueryCheck(queryOptions),
    paths: storePaths(join(dataDir, 'tables')),
    log: { error: console.error },
  })
  try {
    await catalog.change(
      Array.from({ length: tables }, (_, table) => put(`table_${table}`)),
      AbortSignal.timeout(600_000),
    )
  } finally {
    await catalog.close()
  }
}

function put(name: string): Change {
  const statement = {
    kind: 'create_external_table',
    name: { catalog: null, schema: null, name },
    ifExists: 'fail',
    columns: null,
    format: 'PARQUET',
    partitions: [],
    order: [],
    location: `${name}/`,
    options: [],
  } as const
  return { kind: 'put', definition: { statement, columns: COLUMNS } }
}
