import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { tableFromIPC } from 'apache-arrow'
import t from 'tap'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { createArrayProvider } from '../../src/workers/formats/arrays/array-provider.ts'
import { netcdf3 } from '../../src/workers/formats/netcdf3/netcdf3.ts'
import { readContext } from '../formats/context.ts'
import { memorySource } from '../formats/source.ts'
import { columnValues, readAll } from '../formats/values.ts'
import { classicSamples } from './classic.ts'

for (const { name, location, expected, dimensions } of classicSamples('argo'))
  t.test(name, async (t) => {
    const core = createCore({ maximumBytes: 256 << 20 })
    const context = readContext(core)
    const store = memorySource(readFileSync(location), name)
    const file = createArrayProvider(netcdf3, { dimensions }).open(store, context)
    const table = tableFromIPC(gunzipSync(readFileSync(expected)))
    const names = file.schema.fields.map((field) => field.name)
    t.same(
      names,
      table.schema.fields.map((field) => field.name),
      'has its columns',
    )
    const [values, wanted] = [readAll(file, store, context), columnValues(table)]
    for (const [index, column] of names.entries()) t.strictSame(values[index], wanted[index], column)
    t.equal(core.usedBytes(), 0)
  })
