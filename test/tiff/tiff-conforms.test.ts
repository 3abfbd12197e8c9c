import t from 'tap'
import { createArrayProvider } from '../../src/workers/formats/arrays/array-provider.ts'
import { tiff } from '../../src/workers/formats/tiff/tiff.ts'
import { conformance } from '../formats/conformance.ts'
import { samples } from '../formats/fixtures.ts'
import { COMPRESSED } from './compressed.ts'

t.test('TIFF', (t) =>
  conformance(t, {
    provider: createArrayProvider(tiff, { dimensions: null, isNanValue: true }),
    samples: samples('tiff').filter(({ name }) => !COMPRESSED.test(name)),
    damages: 24,
  }),
)
