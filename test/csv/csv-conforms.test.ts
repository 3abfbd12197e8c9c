import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import t from 'tap'
import { INFER_RECORDS } from '../../src/plan/limits.ts'
import { createCsv } from '../../src/workers/formats/csv/csv.ts'
import { CSV_LIMITS } from '../../src/workers/formats/csv/limits.ts'
import { conformance, type Sample } from '../formats/conformance.ts'

const FOLDER = join(import.meta.dirname, '..', 'fixtures', 'csv')

/** Made by scripts/make-csv-fixtures.py. */
const samples: readonly Sample[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.csv'))
  .map((file) => basename(file, '.csv'))
  .map((name) => ({
    name,
    location: join(FOLDER, `${name}.csv`),
    expected: join(FOLDER, `${name}.expected.arrow.gz`),
  }))

const options = { delimiter: ',', inferRecords: INFER_RECORDS }

t.test('as it is used', (t) =>
  conformance(t, { provider: createCsv(options), samples, damages: 24, isText: true }),
)

// The fixtures are small: in this way they have many blocks.
t.test('in blocks of a few records', (t) =>
  conformance(t, {
    provider: createCsv(options, { ...CSV_LIMITS, firstBlock: 100, block: 3000, tail: 100 }),
    samples,
    damages: 24,
    isText: true,
  }),
)
