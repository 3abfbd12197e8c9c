import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Sample } from './conformance.ts'

/** The folders of test/fixtures and the extensions of their files. Each is made by a script, such as scripts/make-csv-fixtures.py. */
const EXTENSIONS = Object.freeze({
  arrow: 'arrow',
  csv: 'csv',
  parquet: 'parquet',
  /** Classic files. */
  netcdf: 'nc',
  /** Real ones. Some have rows for named dimensions too: `<name>@<dimensions>`. */
  'netcdf/argo': 'nc',
  netcdf4: 'nc',
  hdf5: 'h5',
})

export type FixtureFormat = keyof typeof EXTENSIONS

const FOLDER = join(import.meta.dirname, '..', 'fixtures')
const EXPECTED = '.expected.arrow.gz'

export function fixture(format: FixtureFormat, name: string): string {
  return join(FOLDER, format, `${name}.${EXTENSIONS[format]}`)
}

/** Every fixture that can be read, with its expected rows if no options are given. */
export function samples(format: FixtureFormat): Sample[] {
  return readdirSync(join(FOLDER, format))
    .filter((file) => file.endsWith(EXPECTED) && !file.includes('@'))
    .map((file) => basename(file, EXPECTED))
    .toSorted()
    .map((name) => ({
      name,
      location: fixture(format, name),
      expected: join(FOLDER, format, `${name}${EXPECTED}`),
    }))
}
