import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Sample } from '../formats/conformance.ts'

const FOLDER = join(import.meta.dirname, '..', 'fixtures', 'netcdf')
const EXPECTED = '.expected.arrow.gz'

/** Files of a folder of the fixtures with the rows that are expected of them. */
export interface ClassicSample extends Sample {
  /** The dimensions for which the rows are. Null: none are given. */
  readonly dimensions: readonly string[] | null
}

/** All fixtures of a folder: '' has made files, `argo` real ones. Those with dimensions are called `<file>@<dimensions>`. */
export function classicSamples(folder: '' | 'argo'): readonly ClassicSample[] {
  return readdirSync(join(FOLDER, folder))
    .filter((file) => file.endsWith(EXPECTED))
    .toSorted()
    .map((file) => {
      const name = file.slice(0, -EXPECTED.length)
      const [stem = name, dimensions] = name.split('@')
      return {
        name,
        location: join(FOLDER, folder, `${stem}.nc`),
        expected: join(FOLDER, folder, file),
        dimensions: dimensions?.split(',') ?? null,
      }
    })
}
