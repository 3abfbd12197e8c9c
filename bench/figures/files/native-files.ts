import { DuckDBInstance } from '@duckdb/node-api'
import { timed } from '../../report/statistics.ts'

const THREADS = '2'

const TYPES = {
  time: 'BIGINT',
  latitude: 'DOUBLE',
  longitude: 'DOUBLE',
  depth: 'FLOAT',
  platform: 'VARCHAR',
  platform_id: 'INTEGER',
  temperature: 'FLOAT',
  salinity: 'FLOAT',
}

/** Native DuckDB of npm with two threads, which writes files and compares them. */
export interface NativeFiles {
  readonly name: string
  /** Writes the rows of a statement into a file. `form`: the options of COPY. Milliseconds. */
  copy(sql: string, path: string, form: string): Promise<number>
  /** Throws unless two files have the same rows, in any order. */
  compare(ours: string, theirs: string): Promise<void>
  /** Throws unless the latitudes of a Parquet file ascend. */
  requireOrdered(path: string): Promise<void>
  close(): void
}

/** `memory`: its limit, such as `500MB`. Beyond it DuckDB writes into the folder. */
export async function nativeFiles(folder: string, memory?: string): Promise<NativeFiles> {
  const options = { threads: THREADS, temp_directory: folder, ...(memory && { memory_limit: memory }) }
  const instance = await DuckDBInstance.create(':memory:', options)
  const connection = await instance.connect()
  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRows()
  const version = String((await rows('SELECT version()'))[0]?.[0])
  return {
    name: `COPY of DuckDB ${version} of npm${memory === undefined ? '' : ` with ${memory}`}`,
    copy: (sql, path, form) => timed(() => connection.run(`COPY (${sql}) TO '${path}' (${form})`)),
    async compare(ours, theirs) {
      const [[one], [other]] = [await rows(digest(ours)), await rows(digest(theirs))]
      if (String(one) !== String(other)) throw new Error(`${ours} has other rows: ${one}, not ${other}`)
    },
    async requireOrdered(path) {
      const steps = `SELECT latitude - lag(latitude) OVER () AS step FROM '${path}'`
      const [[count] = []] = await rows(`SELECT count(*) FROM (${steps}) WHERE step < 0`)
      if (Number(count) !== 0) throw new Error(`${path}: ${count} rows are not in order`)
    },
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

/** A count and sums of hashes, which depend on all values of all rows, and not on the order of rows. */
function digest(path: string): string {
  const columns = Object.keys(TYPES).map((name) => `"${name}"`)
  const types = JSON.stringify(TYPES).replaceAll('"', "'")
  const table = path.endsWith('.csv') ? `read_csv('${path}', header = true, columns = ${types})` : `'${path}'`
  return `SELECT count(*), bit_xor(h), sum(h % 1000003) FROM (SELECT hash(${columns.join(', ')}) AS h FROM ${table})`
}
