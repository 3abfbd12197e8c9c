/** Names of dimensions, variables and attributes in the header of a classic file that old programs wrote. */
import t from 'tap'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { createArrayProvider } from '../../src/workers/formats/arrays/array-provider.ts'
import { netcdf3 } from '../../src/workers/formats/netcdf3/netcdf3.ts'
import { readContext } from '../formats/context.ts'
import { memorySource } from '../formats/source.ts'
import { readAll } from '../formats/values.ts'
import { writeClassic } from './write-classic.ts'

const BYTE = 1
const CHAR = 2

/** Each name has a letter of two bytes in UTF-8, in whose place there is one byte of ISO 8859-1, and one that fills up. */
function latin1(bytes: Uint8Array): Buffer {
  const text = Buffer.from(bytes).toString('latin1')
  return Buffer.from(text.replaceAll('\xc3\xa9', '\xe9x').replaceAll('\xc3\xb1', '\x96x'), 'latin1')
}

t.test('they are read as Latin-1, and others as UTF-8', (t) => {
  const file = writeClassic({
    version: 1,
    records: 0,
    attributes: [{ name: 'cr\u00e9ateur', type: CHAR, bytes: Buffer.from('x') }],
    dimensions: [{ name: 'station\u00f1', size: 2 }],
    variables: [
      {
        name: 'temp\u00e9rature',
        dimensions: [0],
        type: BYTE,
        attributes: [{ name: 'unit\u00e9', type: CHAR, bytes: Buffer.from('C') }],
        bytes: Buffer.of(1, 2),
      },
      { name: 'gr\u00f6\u00dfe', dimensions: [0], type: BYTE, attributes: [], bytes: Buffer.of(3, 4) },
    ],
  })
  const context = readContext(createCore({ maximumBytes: 64 << 20 }))
  const store = memorySource(latin1(file), 'old.nc')
  const opened = createArrayProvider(netcdf3, { dimensions: ['station\u0096x'] }).open(store, context)
  const names = opened.schema.fields.map(({ name }) => name)
  t.same(names, ['.cr\u00e9xateur', 'gr\u00f6\u00dfe', 'temp\u00e9xrature', 'temp\u00e9xrature.unit\u00e9x'])
  t.same(readAll(opened, store, context)[names.indexOf('temp\u00e9xrature')], ['1', '2'].map(BigInt))
  t.end()
})
