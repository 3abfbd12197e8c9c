import t from 'tap'
import { createArrayProvider } from '../../src/workers/formats/arrays/array-provider.ts'
import { zarr } from '../../src/workers/formats/zarr/zarr.ts'
import { conformance } from '../formats/conformance.ts'
import { samples, samplesOfGroups } from '../formats/fixtures.ts'
import { OF_VERSION_2 } from './golden-stores.ts'

t.test('Zarr of version 3', (t) =>
  conformance(t, {
    provider: createArrayProvider(zarr, { dimensions: null, isNanValue: true }),
    samples: [...samples('zarr'), ...samplesOfGroups('zarr')].filter(({ name }) => !OF_VERSION_2.test(name)),
    damages: 8,
  }),
)
