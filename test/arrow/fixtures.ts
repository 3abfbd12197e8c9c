import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Sample } from '../formats/conformance.ts'

const FOLDER = join(import.meta.dirname, '..', 'fixtures', 'arrow')

/** Made by scripts/make-arrow-fixtures.py. */
export function fixture(name: string): string {
  return join(FOLDER, `${name}.arrow`)
}

/** Every fixture that can be read, with what pyarrow reads from it. */
export function samples(): Sample[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.expected.arrow.gz'))
    .map((file) => basename(file, '.expected.arrow.gz'))
    .toSorted()
    .map((name) => ({ name, location: fixture(name), expected: join(FOLDER, `${name}.expected.arrow.gz`) }))
}
