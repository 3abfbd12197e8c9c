import type { Change } from '../../src/main/catalog/definition.ts'
import type { Schema } from '../../src/plan/types/schema.ts'

/** The change of `CREATE EXTERNAL TABLE name STORED AS format LOCATION 'location'`. */
export function put(
  name: string,
  location = 'a.csv',
  format = 'CSV',
  columns: Schema | null = null,
): Extract<Change, { kind: 'put' }> {
  const statement = {
    kind: 'create_external_table',
    name: { catalog: null, schema: null, name },
    ifExists: 'fail',
    columns: null,
    format,
    partitions: [],
    order: [],
    location,
    options: [],
  } as const
  return { kind: 'put', definition: { statement, columns } }
}

/** The change of `CREATE VIEW name AS query`. */
export function putView(name: string, query: string): Extract<Change, { kind: 'put' }> {
  const statement = {
    kind: 'create_view',
    name: { catalog: null, schema: null, name },
    ifExists: 'fail',
    query,
  } as const
  return { kind: 'put', definition: { statement, columns: { fields: [], metadata: {} } } }
}
