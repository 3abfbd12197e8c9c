import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Sample } from './conformance.ts'

/** A folder of test/fixtures and the extension of its files. Each is made by a script, such as scripts/make-csv-fixtures.py. */
export type FixtureFormat = 'arrow' | 'csv' | 'parquet'

const FOLDER = join(import.meta.dirname, '..', 'fixtures')
const EXPECTED = '.expected.arrow.gz'

export function fixture(format: FixtureFormat, name: string): string {
  return join(FOLDER, format, `${name}.${format}`)
}

/** Every fixture that can be read, with its expected rows. */
export function samples(format: FixtureFormat): Sample[] {
  return readdirSync(join(FOLDER, format))
    .filter((file) => file.endsWith(EXPECTED))
    .map((file) => basename(file, EXPECTED))
    .toSorted()
    .map((name) => ({
      name,
      location: fixture(format, name),
      expected: join(FOLDER, format, `${name}${EXPECTED}`),
    }))
}
