import t from 'tap'
import { createArrayProvider } from '../../src/workers/formats/arrays/array-provider.ts'
import { netcdf3 } from '../../src/workers/formats/netcdf3/netcdf3.ts'
import { conformance } from '../formats/conformance.ts'
import { classicSamples } from './classic.ts'

await conformance(t, {
  provider: createArrayProvider(netcdf3, { dimensions: null, isNanValue: true }),
  samples: classicSamples(''),
  damages: 16,
})
