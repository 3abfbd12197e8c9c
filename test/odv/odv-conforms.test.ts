import t from 'tap'
import { CSV_LIMITS } from '../../src/workers/formats/csv/limits.ts'
import { createOdv } from '../../src/workers/formats/odv/odv.ts'
import { odvOptions } from '../../src/workers/formats/odv/options.ts'
import { conformance } from '../formats/conformance.ts'
import { samples } from '../formats/fixtures.ts'

const options = odvOptions({})
const text = { isText: true, isAnyText: false }

t.test('as it is used', (t) =>
  conformance(t, { provider: createOdv(options), samples: samples('odv'), damages: 24, ...text }),
)

// The fixtures are small, so small blocks are needed to cut them into many, and stations too.
t.test('in blocks of a few records', (t) =>
  conformance(t, {
    provider: createOdv(options, { ...CSV_LIMITS, firstBlock: 100, block: 700, tail: 100 }),
    samples: samples('odv'),
    damages: 24,
    ...text,
  }),
)
