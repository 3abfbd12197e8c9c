import { type DuckDBDataChunk, DuckDBInstance } from '@duckdb/node-api'
import { type Column, type Fingerprint, fingerprint } from './fingerprint.ts'

/** Native DuckDB over one layout's files, in this process. */
export interface Native {
  /** Runs the query and takes every chunk of the result as columns, copying no value. Rows. */
  rows(sql: string): Promise<number>
  fingerprint(sql: string): Promise<Fingerprint>
  close(): void
}

/** `threads` null: as many as DuckDB takes by itself. `t` in a query means the files. */
export async function native(files: string, threads: number | null): Promise<Native> {
  const instance = await DuckDBInstance.create(
    ':memory:',
    threads === null ? {} : { threads: String(threads) },
  )
  const connection = await instance.connect()
  await connection.run(`CREATE VIEW t AS SELECT * FROM read_parquet('${files}')`)

  const columnsOf = async (sql: string): Promise<Column[][]> => {
    const result = await connection.run(sql)
    const chunks = await result.fetchAllChunks()
    return chunks.map(columns)
  }
  return {
    async rows(sql) {
      let rows = 0
      for (const chunk of await columnsOf(sql)) rows += chunk[0]?.length ?? 0
      return rows
    },
    fingerprint: async (sql) => fingerprint(await columnsOf(sql)),
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

function columns(chunk: DuckDBDataChunk): Column[] {
  return Array.from({ length: chunk.columnCount }, (_, i) => {
    const vector = chunk.getColumnVector(i)
    return { length: chunk.rowCount, get: (row) => vector.getItem(row) }
  })
}
