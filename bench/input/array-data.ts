import { spawnSync } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { arrayPython } from './array-python.ts'

/** How many files of profiles there are of each format. */
const PROFILES = 10_000

/** How many files like those of Argo there are of each format. */
const ARGO = 300

/** How many there are of them for each format where memory is measured. */
const ARGO_MANY = 650

/** What a script makes, by its name below the dataset root. `{root}` stands for that. */
const MADE = {
  /** `sst(time = 365, lat = 360, lon = 720)` as 32-bit floats in NetCDF-4: chunks of 1 x 180 x 360, shuffled and deflated. */
  'sst.nc': ['arrays.py', 'sst'],
  /** `value(time = 2500, lat = 600, lon = 1000)` as 32-bit floats in NetCDF-4, without chunks: 6 GB. */
  'contiguous.nc': ['arrays.py', 'contiguous'],
  /** 600 arrays `v0` … `v599`, each (time = 12, lat = 6, lon = 12) with eight attributes, in NetCDF-4. */
  'variables.nc': ['arrays.py', 'variables'],
  /** The table lineitem of TPC-H, 6 M rows. */
  'lineitem.parquet': ['tpch.py'],
  /** 10 000 profiles of some 800 levels in NetCDF-3, of 10 kB each. */
  profiles: ['profiles.py', 'NETCDF3_CLASSIC', String(PROFILES)],
  'profiles-other': ['profiles.py', 'NETCDF3_CLASSIC', String(PROFILES)],
  /** 10 000 profiles of some 800 rows in Parquet, of 15 kB each, and as many others; the same in CSV. */
  'collection-parquet': ['small_files.py', 'parquet', String(PROFILES), '1'],
  'collection-parquet-other': ['small_files.py', 'parquet', String(PROFILES), '2'],
  'collection-csv': ['small_files.py', 'csv', String(PROFILES), '1'],
  'collection-csv-other': ['small_files.py', 'csv', String(PROFILES), '2'],
  /** 300 files like those of Argo, of 16 to 70 kB, whose headers differ, and as many others; the same in NetCDF-4, of 110 kB. */
  argo: ['argo.py', 'NETCDF3_CLASSIC', String(ARGO), '1'],
  'argo-other': ['argo.py', 'NETCDF3_CLASSIC', String(ARGO), '2'],
  argo4: ['argo.py', 'NETCDF4_CLASSIC', String(ARGO), '1'],
  'argo4-other': ['argo.py', 'NETCDF4_CLASSIC', String(ARGO), '2'],
  'argo-many': ['argo.py', 'NETCDF3_CLASSIC', String(ARGO_MANY), '3'],
  'argo4-many': ['argo.py', 'NETCDF4_CLASSIC', String(ARGO_MANY), '4'],
  /** The same profiles in NetCDF-4, of 19 kB each. */
  profiles4: ['profiles.py', 'NETCDF4', String(PROFILES)],
  /** The `sst` above in Zarr v3: the same chunks, compressed by zstd. */
  'sst.zarr': ['zarr_arrays.py', 'plain', '{root}/sst.nc'],
  /** The same chunks in shards of 10 x 360 x 720. */
  'sst-sharded.zarr': ['zarr_arrays.py', 'sharded', '{root}/sst.nc'],
  /** `value(time = 240, lat = 432, lon = 864)` of noise in NetCDF-4: chunks of 2 x 144 x 216, shuffled and deflated. */
  'other.nc': ['arrays.py', 'other'],
  /** The same in Zarr v3: chunks of 3 x 108 x 288, compressed as their names say. */
  'other-zstd.zarr': ['zarr_arrays.py', 'other-zstd', '{root}/other.nc'],
  'other-gzip.zarr': ['zarr_arrays.py', 'other-gzip', '{root}/other.nc'],
  'other-blosc.zarr': ['zarr_arrays.py', 'other-blosc', '{root}/other.nc'],
  /** 4096² 32-bit floats in GeoTIFF, in tiles of 512² that are compressed as their names say; zstd with predictor 3. */
  'raster-none.tif': ['rasters.py', 'none'],
  'raster-zstd.tif': ['rasters.py', 'zstd'],
  'raster-deflate.tif': ['rasters.py', 'deflate'],
  'raster-lzw.tif': ['rasters.py', 'lzw'],
  /** 10 000 rasters of 64² pixels side by side. */
  rasters: ['rasters.py', 'many', '10000'],
  /** 1.2 M rows x 11 in ODV, the metadata of a station in its first row alone; the same compressed; the same rows as CSV. */
  'stations.txt': ['odv.py', 'once', '1200000', '0'],
  'stations.txt.gz': ['odv.py', 'once.gz', '1200000', '0'],
  'stations.csv': ['odv.py', 'csv', '1200000', '0'],
  /** The same with 125 columns: 109 MB. */
  'wide.txt': ['odv.py', 'once', '130000', '114'],
  /** One station of 2 GB, and the same rows with the metadata in each of them. */
  'station.txt': ['odv.py', 'one', '11500000', '20'],
  'station-whole.txt': ['odv.py', 'whole', '11500000', '20'],
  /** 1000 profiles of 20 000 rows x 8 in BBF, and in an Arrow file of the same compression. */
  'profiles-none.bbf': ['bbf.py', 'bbf', 'none', '1000', '20000'],
  'profiles-none.arrow': ['bbf.py', 'arrow', 'none', '1000', '20000'],
  'profiles-lz4.bbf': ['bbf.py', 'bbf', 'lz4', '1000', '20000'],
  'profiles-lz4.arrow': ['bbf.py', 'arrow', 'lz4', '1000', '20000'],
  'profiles-zstd.bbf': ['bbf.py', 'bbf', 'zstd', '1000', '20000'],
  'profiles-zstd.arrow': ['bbf.py', 'arrow', 'zstd', '1000', '20000'],
  /** 10 000 casts of 5000 rows in BBF, some 200 of them in a group of each column. */
  'casts.bbf': ['bbf.py', 'casts', 'zstd', '10000', '5000'],
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
