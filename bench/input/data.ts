import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { PYTHON } from './python.ts'

/** The layouts that native DuckDB writes. The targets are for these. */
export const LAYOUTS = ['random', 'sorted'] as const

/** One file of this many rows in this many row groups, for the figure of 2 workers against 1. */
const GROUPS = 50
const GROUP_ROWS = 100_000
export const GROUPS_ROWS = GROUPS * GROUP_ROWS

const FILES = 4

const GROUPS_FILE = 'groups.parquet'

const SMALL_FILE = 'small.parquet'

/** The mean size of a row of observations as text (measured). */
const CSV_ROW_BYTES = 88

export interface DataSizes {
  /** Rows of the table. */
  readonly rows: number
  /** The approximate size of the CSV file. */
  readonly csvBytes: number
}

export interface BenchData {
  /** The dataset root. */
  readonly root: string
  /** The folder of the Parquet files, relative to the root. */
  readonly folder: string
  /** Folders in it, each with the same rows in some layout by some writer. */
  readonly layouts: readonly string[]
  /** One file of 50 row groups, relative to the root. */
  readonly groups: string
  /** One file of one row group, relative to the root. */
  readonly small: string
  /** A CSV file, relative to the root. */
  readonly csv: string
  /** A time that only one row has. */
  readonly once: number
}

/**
 * Makes the data of the benchmark, ocean observations from seeded random numbers, unless an earlier run has made it. Native
 * DuckDB writes Parquet with zstd 3: the layouts `random` and `sorted` (by time) in four files each, `groups` as one file of
 * 50 row groups in random order, and `small` as the first row group of that. Both layouts are there with TIMESTAMPs too. If there is a Python with pyarrow
 * (`HALOCLINE_PYTHON`, or python3), both layouts are also written by pyarrow. A CSV file has rows of the same kind.
 */
export async function benchData(root: string, { rows, csvBytes }: DataSizes): Promise<BenchData> {
  const folder = String(rows)
  const path = join(root, folder)
  const manifest = join(path, 'manifest.json')
  if (!existsSync(manifest)) {
    const partial = `${path}.partial`
    rmSync(partial, { recursive: true, force: true })
    const once = await generate(partial, rows)
    writeFileSync(join(partial, 'manifest.json'), JSON.stringify({ rows, once }))
    rmSync(path, { recursive: true, force: true })
    renameSync(partial, path)
  }
  const { once } = JSON.parse(readFileSync(manifest, 'utf8')) as { once: number }
  const rewritten = LAYOUTS.map((layout) => ({ layout, name: `${layout}-pyarrow` }))
    .filter(({ layout, name }) => rewrite(join(path, name), layoutFiles(path, layout)))
    .map(({ name }) => name)
  if (!existsSync(join(path, SMALL_FILE))) await generateSmall(path)
  for (const layout of LAYOUTS) await generateTimed(path, layout)
  const csv = `observations-${csvBytes}.csv`
  if (!existsSync(join(root, csv))) await generateCsv(join(root, csv), Math.ceil(csvBytes / CSV_ROW_BYTES))
  return {
    root,
    folder,
    layouts: [...LAYOUTS, ...rewritten],
    groups: `${folder}/${GROUPS_FILE}`,
    small: `${folder}/${SMALL_FILE}`,
    csv,
    once,
  }
}

export function layoutFiles(folder: string, layout: string): string[] {
  return Array.from({ length: FILES }, (_, file) => join(folder, layout, partName(file)))
}

export function partName(file: number): string {
  return `part-${file}.parquet`
}

/** Writes the same files by pyarrow, unless they exist. Whether that was possible. */
function rewrite(folder: string, files: readonly string[]): boolean {
  if (existsSync(folder)) return true
  const partial = `${folder}.partial`
  rmSync(partial, { recursive: true, force: true })
  const { status } = spawnSync(PYTHON, [join(import.meta.dirname, 'rewrite.py'), partial, ...files])
  if (status !== 0) return false
  renameSync(partial, folder)
  return true
}

/** A query that makes rows of observations. */
export function observations(rows: number): string {
  return `
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
    FROM r`
}

/** A connection on which `observations` gives the same rows each time. */
export async function seeded() {
  // One thread: random() is reproducible only then.
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  await connection.run('SET preserve_insertion_order = true; SELECT setseed(0.42)')
  return { instance, connection }
}

async function generateCsv(path: string, rows: number): Promise<void> {
  const { instance, connection } = await seeded()
  try {
    await connection.run(`COPY (${observations(rows)}) TO '${path}.partial' (FORMAT csv, HEADER)`)
    renameSync(`${path}.partial`, path)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

function copy(query: string, path: string): string {
  return `COPY (${query}) TO '${path}' (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 3, ROW_GROUP_SIZE ${GROUP_ROWS})`
}

/** Writes a layout with TIMESTAMPs, unless it exists. */
async function generateTimed(folder: string, layout: string): Promise<void> {
  const to = join(folder, `${layout}-timed`)
  if (existsSync(to)) return
  const partial = `${to}.partial`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { recursive: true })
  const { instance, connection } = await seeded()
  try {
    for (const path of layoutFiles(folder, layout))
      await connection.run(
        copy(
          `SELECT * REPLACE (make_timestamp("time" * 1000000) AS "time") FROM '${path}'`,
          join(partial, basename(path)),
        ),
      )
    renameSync(partial, to)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

async function generateSmall(folder: string): Promise<void> {
  const { instance, connection } = await seeded()
  const path = join(folder, SMALL_FILE)
  try {
    await connection.run(
      copy(`SELECT * FROM '${join(folder, GROUPS_FILE)}' LIMIT ${GROUP_ROWS}`, `${path}.partial`),
    )
    renameSync(`${path}.partial`, path)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

async function generate(root: string, rows: number): Promise<number> {
  const { instance, connection } = await seeded()
  const write = (query: string, path: string) => connection.run(copy(query, path))
  try {
    await connection.run(`CREATE TABLE random AS ${observations(rows)}`)
    await connection.run('CREATE TABLE sorted AS SELECT * FROM random ORDER BY "time"')
    for (const layout of LAYOUTS) {
      mkdirSync(join(root, layout), { recursive: true })
      for (const [file, path] of layoutFiles(root, layout).entries()) {
        const from = Math.floor((rows * file) / FILES)
        const to = Math.floor((rows * (file + 1)) / FILES)
        await write(`SELECT * FROM ${layout} WHERE rowid >= ${from} AND rowid < ${to}`, path)
      }
    }
    const copies = Array(Math.ceil(GROUPS_ROWS / rows)).fill('SELECT * FROM random')
    await write(`${copies.join(' UNION ALL ')} LIMIT ${GROUPS_ROWS}`, join(root, GROUPS_FILE))
    const lookup = await connection.runAndReadAll(
      'SELECT "time" FROM random GROUP BY "time" HAVING count(*) = 1 ORDER BY hash("time") LIMIT 1',
    )
    return Number(lookup.getRows()[0]?.[0])
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
