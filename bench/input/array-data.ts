import { spawnSync } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { arrayPython } from './array-python.ts'

/** How many files of profiles there are of each format. */
const PROFILES = 10_000

/** What a script makes, by its name below the dataset root. `{root}` stands for that. */
const MADE = {
  /** `sst(time = 365, lat = 360, lon = 720)` as 32-bit floats in NetCDF-4: chunks of 1 x 180 x 360, shuffled and deflated. */
  'sst.nc': ['arrays.py', 'sst'],
  /** `value(time = 2500, lat = 600, lon = 1000)` as 32-bit floats in NetCDF-4, without chunks: 6 GB. */
  'contiguous.nc': ['arrays.py', 'contiguous'],
  /** 600 arrays `v0` … `v599`, each (time = 12, lat = 6, lon = 12) with eight attributes, in NetCDF-4. */
  'variables.nc': ['arrays.py', 'variables'],
  /** 10 000 profiles of some 800 levels in NetCDF-3, of 10 kB each. */
  profiles: ['profiles.py', 'NETCDF3_CLASSIC', String(PROFILES)],
  'profiles-other': ['profiles.py', 'NETCDF3_CLASSIC', String(PROFILES)],
  /** 10 000 profiles of some 800 rows in Parquet, of 15 kB each, and as many others; the same in CSV. */
  'collection-parquet': ['small_files.py', 'parquet', String(PROFILES), '1'],
  'collection-parquet-other': ['small_files.py', 'parquet', String(PROFILES), '2'],
  'collection-csv': ['small_files.py', 'csv', String(PROFILES), '1'],
  'collection-csv-other': ['small_files.py', 'csv', String(PROFILES), '2'],
  /** The same profiles in NetCDF-4, of 19 kB each. */
  profiles4: ['profiles.py', 'NETCDF4', String(PROFILES)],
  /** The `sst` above in Zarr v3: the same chunks, compressed by zstd. */
  'sst.zarr': ['zarr_arrays.py', 'plain', '{root}/sst.nc'],
  /** The same chunks in shards of 10 x 360 x 720. */
  'sst-sharded.zarr': ['zarr_arrays.py', 'sharded', '{root}/sst.nc'],
  /** `v(time = 10000, lat = 100, lon = 100)` as 32-bit floats in Zarr v3, in a million chunks. */
  'million.zarr': ['zarr_arrays.py', 'million'],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>

/**
 * Makes a file of arrays or a folder of them, unless an earlier run has made it. The name. Throws without a Python that has what the
 * script needs.
 */
export function arrayData(root: string, name: keyof typeof MADE): string {
  const path = join(root, name)
  if (existsSync(path)) return name
  const partial = `${path}.partial`
  rmSync(partial, { recursive: true, force: true })
  const [script, ...args] = MADE[name]
  const places = args.map((arg) => arg.replace('{root}', root))
  const command = [join(import.meta.dirname, script), ...places, partial]
  const python = arrayPython()
  const { status, error, stderr } = spawnSync(python, command, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${python} has not made ${name}: ${error ?? stderr}`)
  renameSync(partial, path)
  return name
}
