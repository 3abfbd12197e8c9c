import t from 'tap'
import { createCsv } from '../../src/workers/formats/csv/csv.ts'
import { CSV_LIMITS } from '../../src/workers/formats/csv/limits.ts'
import { csvOptions } from '../../src/workers/formats/csv/options.ts'
import { conformance } from '../formats/conformance.ts'
import { samples } from '../formats/fixtures.ts'

const options = csvOptions({})

t.test('as it is used', (t) =>
  conformance(t, { provider: createCsv(options), samples: samples('csv'), damages: 24, isText: true }),
)

// The fixtures are small, so small blocks are needed to cut them into many.
t.test('in blocks of a few records', (t) =>
  conformance(t, {
    provider: createCsv(options, { ...CSV_LIMITS, firstBlock: 100, block: 3000, tail: 100 }),
    samples: samples('csv'),
    damages: 24,
    isText: true,
  }),
)
