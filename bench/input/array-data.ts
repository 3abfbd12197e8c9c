import { spawnSync } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ARRAY_PYTHON } from './python.ts'

/** Files of arrays, relative to the dataset root. */
export interface ArrayData {
  /** `sst(time = 365, lat = 360, lon = 720)` as 32-bit floats in NetCDF-4: chunks of 1 x 180 x 360, shuffled and deflated. */
  readonly sst: string
  /** `value(time = 2500, lat = 600, lon = 1000)` as 32-bit floats in NetCDF-4, without chunks: 6 GB. */
  readonly contiguous: string
}

/** Makes the files of arrays, unless an earlier run has made them. Throws without a Python that has netCDF4. */
export function arrayData(root: string): ArrayData {
  const data = { sst: 'sst.nc', contiguous: 'contiguous.nc' }
  for (const [kind, name] of Object.entries(data)) {
    const path = join(root, name)
    if (existsSync(path)) continue
    const partial = `${path}.partial`
    rmSync(partial, { force: true })
    const script = join(import.meta.dirname, 'arrays.py')
    const { status, error, stderr } = spawnSync(ARRAY_PYTHON, [script, kind, partial], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`${ARRAY_PYTHON} has not made ${name}: ${error ?? stderr}`)
    renameSync(partial, path)
  }
  return data
}
