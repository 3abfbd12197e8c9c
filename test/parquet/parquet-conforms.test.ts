import t from 'tap'
import { createParquet, parquet } from '../../src/workers/formats/parquet/parquet.ts'
import { conformance } from '../formats/conformance.ts'
import { samples } from '../formats/fixtures.ts'

t.test('as it is used', (t) =>
  conformance(t, { provider: parquet, samples: samples('parquet'), damages: 24 }),
)

// The fixtures are small, so limits of 0 are needed for ranges to be read page by page, and columns one by one.
t.test('with every range read by its pages', (t) =>
  conformance(t, {
    provider: createParquet({ smallChunk: 0, indexedChunk: 0, together: 0 }),
    samples: samples('parquet'),
    damages: 24,
  }),
)
