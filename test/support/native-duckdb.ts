import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { Test } from 'tap'

/** Native DuckDB on one thread, with the settings of the service's statements. It is closed when the test ends. */
export async function openNative(t: Pick<Test, 'teardown'>): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  t.teardown(() => instance.closeSync())
  const connection = await instance.connect()
  for (const setting of [
    "TimeZone = 'UTC'",
    "default_null_order = 'nulls_last_on_asc_first_on_desc'",
    'integer_division = true',
  ])
    await connection.run(`SET ${setting}`)
  return connection
}
