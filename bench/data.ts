import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'

/** The layouts that native DuckDB writes; the means are over these. */
export const LAYOUTS = ['random', 'sorted'] as const

/** One file of this many rows in this many row groups, for the figure of 2 workers against 1. */
const GROUPS = 50
const GROUP_ROWS = 100_000

const FILES = 4

const GROUPS_FILE = 'groups.parquet'

export interface BenchData {
  /** The dataset root. */
  readonly root: string
  readonly rows: number
  /** Folders below the root, each with the same rows in some layout by some writer. */
  readonly layouts: readonly string[]
  /** One file of 50 row groups, relative to the root. */
  readonly groups: string
  /** A time that occurs once. */
  readonly once: number
}

/**
 * The table of ocean observations of the benchmark, seeded, as Parquet by native DuckDB: `random` and `sorted` by
 * time, four files each, zstd 3; `groups` is one file of 50 row groups in random order. Where there is a Python with
 * pyarrow (`HALOCLINE_PYTHON`, or python3), both layouts once more as pyarrow writes them. Kept for the next run.
 */
export async function benchData(folder: string, rows: number): Promise<BenchData> {
  const root = join(folder, String(rows))
  const manifest = join(root, 'manifest.json')
  if (!existsSync(manifest)) {
    const partial = `${root}.partial`
    rmSync(partial, { recursive: true, force: true })
    const once = await generate(partial, rows)
    writeFileSync(join(partial, 'manifest.json'), JSON.stringify({ rows, once }))
    rmSync(root, { recursive: true, force: true })
    renameSync(partial, root)
  }
  const { once } = JSON.parse(readFileSync(manifest, 'utf8')) as { once: number }
  const rewritten = LAYOUTS.map((layout) => ({ layout, name: `${layout}-pyarrow` }))
    .filter(({ layout, name }) => rewrite(join(root, name), layoutFiles(root, layout)))
    .map(({ name }) => name)
  return { root, rows, layouts: [...LAYOUTS, ...rewritten], groups: GROUPS_FILE, once }
}

export function layoutFiles(root: string, layout: string): string[] {
  return Array.from({ length: FILES }, (_, file) => join(root, layout, `part-${file}.parquet`))
}

/** The same files by pyarrow. Whether they are there. */
function rewrite(folder: string, files: readonly string[]): boolean {
  if (existsSync(folder)) return true
  const partial = `${folder}.partial`
  rmSync(partial, { recursive: true, force: true })
  const python = process.env['HALOCLINE_PYTHON'] ?? 'python3'
  const { status } = spawnSync(python, [join(import.meta.dirname, 'rewrite.py'), partial, ...files])
  if (status !== 0) return false
  renameSync(partial, folder)
  return true
}

async function generate(root: string, rows: number): Promise<number> {
  // One thread: random() is reproducible only then.
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  const write = (query: string, path: string) =>
    connection.run(
      `COPY (${query}) TO '${path}' (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 3, ROW_GROUP_SIZE ${GROUP_ROWS})`,
    )
  try {
    await connection.run('SET preserve_insertion_order = true; SELECT setseed(0.42)')
    await connection.run(`CREATE TABLE random AS
      WITH r AS (SELECT random() a, random() b, random() c, random() d, random() e, random() f, random() g,
                        random() h, random() i FROM range(${rows}))
      SELECT (1577836800 + floor(a * 157766400))::BIGINT AS "time",
             b * 180 - 90 AS latitude,
             c * 360 - 180 AS longitude,
             (d * d * 2000)::FLOAT AS depth,
             ['argo', 'ctd', 'glider', 'mooring', 'xbt', 'drifter'][floor(e * 6)::INT + 1] AS platform,
             floor(e * 6)::INT * 8 + floor(f * 8)::INT AS platform_id,
             CASE WHEN g >= 0.01
               THEN (2 + 26 * cos(radians(b * 180 - 90)) * exp(d * d * -3.3) + 3 * h)::FLOAT END AS temperature,
             CASE WHEN i >= 0.02 THEN (33 + 4 * i + h)::FLOAT END AS salinity
      FROM r`)
    await connection.run('CREATE TABLE sorted AS SELECT * FROM random ORDER BY "time"')
    for (const layout of LAYOUTS) {
      mkdirSync(join(root, layout), { recursive: true })
      for (const [file, path] of layoutFiles(root, layout).entries()) {
        const from = Math.floor((rows * file) / FILES)
        const to = Math.floor((rows * (file + 1)) / FILES)
        await write(`SELECT * FROM ${layout} WHERE rowid >= ${from} AND rowid < ${to}`, path)
      }
    }
    const copies = Array(Math.ceil((GROUPS * GROUP_ROWS) / rows)).fill('SELECT * FROM random')
    await write(`${copies.join(' UNION ALL ')} LIMIT ${GROUPS * GROUP_ROWS}`, join(root, GROUPS_FILE))
    const lookup = await connection.runAndReadAll(
      'SELECT "time" FROM random GROUP BY "time" HAVING count(*) = 1 ORDER BY hash("time") LIMIT 1',
    )
    return Number(lookup.getRows()[0]?.[0])
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
