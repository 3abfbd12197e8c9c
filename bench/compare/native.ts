import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { Answer } from './answer.ts'
import { cellOfDuckdb } from './cells.ts'

/** Native DuckDB in this process. */
export interface Native {
  /** Runs a query and fetches all chunks of its result as columns, without copying values. */
  answer(sql: string): Promise<Answer>
  /** Opens another instance, which has no file in its caches. */
  renew(): Promise<void>
  close(): void
}

export async function native(threads: number): Promise<Native> {
  const open = async () => {
    const instance = await DuckDBInstance.create(':memory:', { threads: String(threads) })
    return { instance, connection: await instance.connect() }
  }
  let current = await open()
  const close = () => {
    current.connection.closeSync()
    current.instance.closeSync()
  }
  return {
    answer: (sql) => answer(current.connection, sql),
    async renew() {
      close()
      current = await open()
    },
    close,
  }
}

async function answer(connection: DuckDBConnection, sql: string): Promise<Answer> {
  const result = await connection.run(sql)
  const chunks = await result.fetchAllChunks()
  return {
    names: result.columnNames(),
    batches: chunks.map((chunk) =>
      Array.from({ length: chunk.columnCount }, (_, i) => {
        const vector = chunk.getColumnVector(i)
        return { length: chunk.rowCount, get: (row) => cellOfDuckdb(vector.getItem(row)) }
      }),
    ),
  }
}
