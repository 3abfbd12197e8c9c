import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { tableFromIPC } from 'apache-arrow'
import t from 'tap'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { createArrayProvider } from '../../src/workers/formats/arrays/array-provider.ts'
import { zarr } from '../../src/workers/formats/zarr/zarr.ts'
import { readContext } from '../formats/context.ts'
import { fixture, samples, samplesOfGroups } from '../formats/fixtures.ts'
import { memoryObjects, readObjects } from '../formats/objects.ts'
import { columnValues, readAll, withoutNan } from '../formats/values.ts'

const provider = createArrayProvider(zarr, { dimensions: null, isNanValue: true })
const withNulls = createArrayProvider(zarr, { dimensions: null })

for (const { name, location, expected, group } of [...samples('zarr'), ...samplesOfGroups('zarr')])
  t.test(name, async (t) => {
    const context = readContext(createCore({ maximumBytes: 256 << 20 }))
    using store = memoryObjects(readObjects(location), location, group)
    const file = provider.open(store, context)
    const table = tableFromIPC(gunzipSync(readFileSync(expected)))
    const columns = table.schema.fields.map((field) => field.name)
    t.same(
      file.schema.fields.map((field) => field.name),
      columns,
      'columns',
    )
    const values = readAll(file, store, context)
    const wanted = columnValues(table)
    for (const [index, column] of columns.entries()) t.strictSame(values[index], wanted[index], column)
    const nulls = readAll(withNulls.open(store, context), store, context)
    t.strictSame(nulls, withoutNan(columns, wanted), 'with null for NaN')
  })

for (const name of ['adler32', 'bz2', 'lzma', 'packbits', 'v2-bz2', 'v2-lzma'])
  t.test(`the codec of refused-${name} is named`, async (t) => {
    const context = readContext(createCore({ maximumBytes: 256 << 20 }))
    const location = fixture('zarr', `refused-${name}`)
    using store = memoryObjects(readObjects(location), location)
    const read = (): unknown => readAll(provider.open(store, context), store, context)
    t.throws(read, { code: 'unreadable_file', message: new RegExp(`"v".*${name.split('-').at(-1)}`) })
  })
