import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Test } from 'tap'
import type { GridDocument } from '../../../formats/toy-grid/document.ts'
import { FORMATS_WITH_GRID } from '../../../formats/toy-grid/formats.ts'
import { writeGrid } from '../../../formats/toy-grid/write.ts'
import { post, SUPER_USER } from '../../../http/test-server.ts'
import { openNative } from '../../../support/native-duckdb.ts'
import { untilSettled } from '../../../support/settled.ts'
import { startTestService, type TestService } from '../../service.ts'

const WORKER = new URL('../../../formats/toy-grid/worker.ts', import.meta.url)

const DOCUMENT: GridDocument = {
  dimensions: [
    { name: 'time', size: 4, chunk: 3, start: 0, step: 1 },
    { name: 'lat', size: 3, chunk: 2, start: -1, step: 1 },
    { name: 'lon', size: 2, chunk: 2, start: 5, step: 1 },
  ],
  variables: [
    { name: 'temp', dimensions: [0, 1, 2] },
    { name: 'depth', dimensions: [1] },
    { name: 'flag', dimensions: [0] },
    { name: 'mask', dimensions: [1, 2] },
  ],
  isDeflated: true,
}

const { dimensions, variables } = DOCUMENT

/** The columns, with the places of their dimensions. */
export const COLUMNS: ReadonlyMap<string, readonly number[]> = new Map([
  ...dimensions.map(({ name }, place) => [name, [place]] as const),
  ...variables.map((variable) => [variable.name, variable.dimensions] as const),
])

/** The value of a variable in a cell, by its indexes along the variable's own dimensions. */
function variableAt(variable: string, indexes: readonly number[]): number {
  const place = variables.findIndex(({ name }) => name === variable)
  return indexes.reduce((sum, index) => sum * 10 + index, place + 1)
}

function cellOf(column: string, cell: readonly number[]): number {
  const own = (COLUMNS.get(column) ?? []).map((place) => cell[place] ?? 0)
  const dimension = dimensions.find(({ name }) => name === column)
  if (dimension !== undefined) return dimension.start + (own[0] ?? 0) * dimension.step
  return variableAt(column, own)
}

/** The rows that a block has which names these columns: a row for each cell of their dimensions. None: of all dimensions. */
function rowsOfNames(names: readonly string[]): readonly (readonly number[])[] {
  const all =
    names.length === 0
      ? dimensions.map((_, place) => place)
      : names.flatMap((name) => COLUMNS.get(name) ?? [])
  const places = [...new Set(all)].sort()
  let cells: readonly (readonly number[])[] = [dimensions.map(() => 0)]
  for (const place of places)
    cells = cells.flatMap((cell) =>
      Array.from({ length: dimensions[place]?.size ?? 0 }, (_, index) => cell.with(place, index)),
    )
  return cells.map((cell) =>
    (names.length === 0 ? [...COLUMNS.keys()] : names).map((name) => cellOf(name, cell)),
  )
}

/** What stands for a scan in a statement, with the columns that its block names: `$[lat,temp]`. `*` is all of them. */
const SCAN = /\$\[([\w*,]*)\]/g

/** A scan of a statement of which a block names these columns. */
export function scanOf(names: readonly string[]): string {
  return `$[${names.join(',')}]`
}

/** The statement in a form that the core declines. */
export function ofDuckDb(sql: string): string {
  const [, recursive = ''] = /^WITH (RECURSIVE )?/.exec(sql) ?? []
  const rest = sql.replace(/^WITH (RECURSIVE )?/, ', ')
  return `WITH ${recursive}unused AS (SELECT 1)${rest.startsWith(', ') ? rest : ` ${rest}`}`
}

/** The statement with other texts in place of its scans. */
export function withScans(sql: string, write: (names: readonly string[]) => string): string {
  return sql.replaceAll(SCAN, (_, names: string) =>
    write(names === '*' ? [...COLUMNS.keys()] : names.split(',').filter((name) => name !== '')),
  )
}

export interface NamedRows {
  readonly service: TestService
  readonly native: DuckDBConnection
  /** Runs a statement that changes the catalog. */
  define(sql: string): Promise<void>
  /** The statement over the rows of each block as native tables. */
  overRows(sql: string): Promise<string>
  /** Makes a view of the same text in the service, over the table `t`, and in native DuckDB, over the rows. */
  makeView(name: string, query: string): Promise<void>
}

/** A service with a file of arrays and a table `t` of it, and native DuckDB. */
export async function startNamedRows(t: Test): Promise<NamedRows> {
  const service = await startTestService(t, { formats: FORMATS_WITH_GRID, worker: WORKER })
  const folder = join(service.datasets, 'a.toygrid')
  mkdirSync(folder)
  writeGrid(folder, DOCUMENT, (variable, indexes) => BigInt(variableAt(variable, indexes)))
  await untilSettled(join(folder, 'grid.json'))
  const native = await openNative(t)
  const made = new Set<string>()

  async function define(sql: string): Promise<void> {
    const response = await post(`${service.url}/api/query`, { sql }, SUPER_USER)
    if (response.status !== 200) throw new Error(`${sql}: ${await response.text()}`)
  }
  async function overRows(sql: string): Promise<string> {
    const missing = new Map<string, readonly string[]>()
    const written = withScans(sql, (names) => {
      const table = `rows_of_${names.join('_')}`
      missing.set(table, names)
      return table
    })
    for (const [table, names] of missing) {
      if (made.has(table)) continue
      made.add(table)
      const columns = (names.length === 0 ? [...COLUMNS.keys()] : names).map((name) => `${name} BIGINT`)
      await native.run(`CREATE TABLE ${table} (${columns.join(', ')})`)
      const rows = rowsOfNames(names).map((row) => `(${row.join(', ')})`)
      await native.run(`INSERT INTO ${table} VALUES ${rows.join(', ')}`)
    }
    return written
  }
  await define("CREATE EXTERNAL TABLE t STORED AS TOYGRID LOCATION 'a.toygrid'")
  return {
    service,
    native,
    define,
    overRows,
    async makeView(name, query) {
      await define(`CREATE VIEW ${name} AS ${withScans(query, () => 't')}`)
      await native.run(`CREATE VIEW ${name} AS ${await overRows(query)}`)
    },
  }
}
