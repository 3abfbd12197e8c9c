import { statSync } from 'node:fs'
import t from 'tap'
import { createArrayProvider } from '../../src/workers/formats/arrays/array-provider.ts'
import { hdf5 } from '../../src/workers/formats/hdf5/hdf5.ts'
import { netcdf } from '../../src/workers/formats/providers.ts'
import { conformance, type Sample } from '../formats/conformance.ts'
import { samples } from '../formats/fixtures.ts'

/** Filters that the annex undoes. */
const OF_LIBRARY = /^filter-(?:.*-)?(?:szip|scaleoffset|zfp|bzip2|bitshuffle|blosc2|everywhere)/

/** Damaged copies of each file. */
const DAMAGES = 24

/** Larger files differ in the number of their chunks, of which other tests are. */
const MOST_BYTES = 40_000

function isSmall({ name, location }: Sample): boolean {
  return statSync(location).size <= MOST_BYTES && !OF_LIBRARY.test(name)
}

t.test('HDF5', (t) =>
  conformance(t, {
    provider: createArrayProvider(hdf5, { dimensions: null, isNanValue: true }),
    samples: samples('hdf5').filter(isSmall),
    damages: DAMAGES,
  }),
)

t.test('NetCDF-4', (t) =>
  conformance(t, {
    provider: createArrayProvider(netcdf, { dimensions: null, isNanValue: true }),
    samples: samples('netcdf4').filter(isSmall),
    damages: DAMAGES,
  }),
)
