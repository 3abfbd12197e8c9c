import { existsSync, linkSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { observations, seeded } from '../data.ts'

/** The folder of all files of the rows `files`, below the dataset root. */
export const FOLDER = 'files'

/** The rows of which files are written, each a Parquet file. */
const SOURCES = {
  /** 10 M observations of 8 columns, in random order. */
  observations: observations(10_000_000),
  /** The cells of a grid of 36 days, in random order. */
  grid: cells(36),
  /** The same of a year: 95 M rows. */
  year: cells(365),
  /** 1 M rows of 10 000 stations of 100 depths, in random order. */
  stations: `
    SELECT format('C{:02d}-{:05d}', s % 20, s) AS station,
           TIMESTAMP '2024-01-01' + INTERVAL (s * 53) MINUTE AS "time",
           ((s * 7919) % 3600 / 10 - 180)::DOUBLE AS longitude,
           ((s * 104729) % 1800 / 10 - 90)::DOUBLE AS latitude,
           (d * 10)::FLOAT AS depth,
           round(2 + 26 * exp(d / -30) + random(), 3)::FLOAT AS temperature,
           round(34 + random(), 3)::FLOAT AS salinity,
           1 + floor(random() * 3)::INT AS temperature_qc
    FROM range(10000) stations(s), range(100) depths(d) ORDER BY hash(s, d)`,
} as const

export type Source = keyof typeof SOURCES

/** A column for each dimension of a grid (days, 360, 720) and one with values. */
function cells(days: number): string {
  return `
    SELECT TIMESTAMP '2024-01-01' + INTERVAL (t) DAY AS "time", (y / 2 - 89.75)::FLOAT AS latitude,
           (x / 2 - 179.75)::FLOAT AS longitude, (random() * 30)::FLOAT AS sst
    FROM range(${days}) times(t), range(360) rows(y), range(720) columns(x) ORDER BY hash(t, y, x)`
}

/** Makes a source, unless an earlier run has made it. Its path, relative to the dataset root. */
export async function source(root: string, name: Source): Promise<string> {
  const path = `${FOLDER}/${name}.parquet`
  const whole = join(root, path)
  if (existsSync(whole)) return path
  mkdirSync(join(root, FOLDER), { recursive: true })
  const { instance, connection } = await seeded()
  try {
    await connection.run(
      `COPY (${SOURCES[name]}) TO '${whole}.partial' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 100000)`,
    )
    renameSync(`${whole}.partial`, whole)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
  return path
}

/** So many files of all observations, which are one file under several names. Their paths, relative to the dataset root. */
export async function copies(root: string, count: number): Promise<string[]> {
  const path = await source(root, 'observations')
  return Array.from({ length: count }, (_, copy) => {
    const name = `${FOLDER}/copy-${copy}.parquet`
    if (!existsSync(join(root, name))) linkSync(join(root, path), join(root, name))
    return name
  })
}
