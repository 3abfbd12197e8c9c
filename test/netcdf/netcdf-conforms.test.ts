import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import t from 'tap'
import { createArrayProvider } from '../../src/workers/formats/arrays/array-provider.ts'
import { netcdf3 } from '../../src/workers/formats/netcdf3/netcdf3.ts'
import { conformance, type Sample } from '../formats/conformance.ts'

const FOLDER = join(import.meta.dirname, '..', 'fixtures', 'netcdf')
const EXPECTED = '.expected.arrow.gz'

/** A file of the fixtures. `of`: which of its expected rows. */
function sample(name: string, of = name): Sample {
  return { name: of, location: join(FOLDER, `${name}.nc`), expected: join(FOLDER, `${of}${EXPECTED}`) }
}

const ARGO = readdirSync(join(FOLDER, 'argo'))
  .filter((file) => file.endsWith(EXPECTED))
  .map((file) => sample(join('argo', basename(file, EXPECTED))))

const plain = createArrayProvider(netcdf3, { dimensions: null })

t.test('every way in which attributes say what numbers mean', (t) =>
  conformance(t, { provider: plain, samples: [sample('cf')], damages: 64 }),
)

t.test('dimensions that are given', (t) =>
  conformance(t, {
    provider: createArrayProvider(netcdf3, { dimensions: ['lat', 'lon'] }),
    samples: [sample('cf', 'cf.lat-lon')],
    damages: 8,
  }),
)

t.test('real Argo files', (t) => conformance(t, { provider: plain, samples: ARGO, damages: 8 }))
