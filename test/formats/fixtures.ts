import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Sample } from './conformance.ts'

/** The folders of test/fixtures and the extensions of their files. Each is made by a script, such as scripts/make-csv-fixtures.py. */
const EXTENSIONS = Object.freeze({
  arrow: 'arrow',
  csv: 'csv',
  odv: 'txt',
  parquet: 'parquet',
  /** Classic files. */
  netcdf: 'nc',
  /** Real ones. Some have rows for named dimensions too: `<name>@<dimensions>`. */
  'netcdf/argo': 'nc',
  netcdf4: 'nc',
  hdf5: 'h5',
  tiff: 'tif',
  /** Pixels that other readers decode a little differently. */
  'tiff/jpeg': 'tif',
  /** Folders. A store with several leaf groups has rows for each of them: `<name>@<group>`. */
  zarr: 'zarr',
})

export type FixtureFormat = keyof typeof EXTENSIONS

const FOLDER = join(import.meta.dirname, '..', 'fixtures')
const EXPECTED = '.expected.arrow.gz'

export function fixture(format: FixtureFormat, name: string): string {
  return join(FOLDER, format, `${name}.${EXTENSIONS[format]}`)
}

/** Every fixture that can be read, with its expected rows if no options are given. */
export function samples(format: FixtureFormat): Sample[] {
  return expectedNames(format)
    .filter((name) => !name.includes('@'))
    .map((name) => sampleOf(format, name, name))
}

/** The groups of stores that have several ones. */
export function samplesOfGroups(format: FixtureFormat): Sample[] {
  return expectedNames(format)
    .filter((name) => name.includes('@'))
    .map((name) => {
      const [store = '', group = ''] = name.split('@')
      return { ...sampleOf(format, store, name), name, group: group.replaceAll('+', '/') }
    })
}

function expectedNames(format: FixtureFormat): string[] {
  return readdirSync(join(FOLDER, format))
    .filter((file) => file.endsWith(EXPECTED))
    .map((file) => basename(file, EXPECTED))
    .toSorted()
}

function sampleOf(format: FixtureFormat, name: string, expected: string): Sample {
  return {
    name,
    location: fixture(format, name),
    expected: join(FOLDER, format, `${expected}${EXPECTED}`),
  }
}
