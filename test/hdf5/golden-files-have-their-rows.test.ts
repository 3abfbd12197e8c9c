import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { tableFromIPC } from 'apache-arrow'
import t from 'tap'
import { createCore } from '../../src/wasm/core/create-core.ts'
import type { ArrayReader } from '../../src/workers/formats/arrays/array-file.ts'
import { createArrayProvider } from '../../src/workers/formats/arrays/array-provider.ts'
import { hdf5 } from '../../src/workers/formats/hdf5/hdf5.ts'
import { netcdf } from '../../src/workers/formats/providers.ts'
import { openFileStore } from '../../src/workers/store/file-store.ts'
import { createStopwatch } from '../../src/workers/store/stopwatch.ts'
import { readContext } from '../formats/context.ts'
import { type FixtureFormat, samples } from '../formats/fixtures.ts'
import { fileRef } from '../formats/source.ts'
import { columnValues, readAll, withoutNan } from '../formats/values.ts'
import { undoingHere } from './undo-here.ts'

/** Filters that the library undoes. It undoes no others. */
const OF_LIBRARY = /^filter-(?:.*-)?(?:szip|scaleoffset|zfp|bzip2|bitshuffle|blosc2|everywhere)/

const KINDS: readonly (readonly [FixtureFormat, ArrayReader])[] = [
  ['hdf5', hdf5],
  ['netcdf4', netcdf],
]

for (const [kind, reader] of KINDS) {
  for (const { name, location, expected } of samples(kind)) {
    t.test(`${kind}: ${name}`, async (t) => {
      const core = createCore({ maximumBytes: 256 << 20 })
      const context = readContext(core)
      const file = fileRef(location)
      using store = openFileStore(file, createStopwatch())
      const opened = createArrayProvider(reader, { dimensions: null, isNanValue: true }).open(store, context)
      const table = tableFromIPC(gunzipSync(readFileSync(expected)))
      t.same(
        opened.schema.fields.map((field) => field.name),
        table.schema.fields.map((field) => field.name),
        'columns',
      )
      const undone = new Set<number>()
      const values = await undoingHere(
        context,
        (undoing) => readAll(opened, store, undoing),
        ({ filter }) => undone.add(filter.id),
      )
      const wanted = columnValues(table)
      t.equal(undone.size > 0, OF_LIBRARY.test(name) && !/^filter-blosc-/.test(name), 'the library is asked')
      for (const [index, field] of table.schema.fields.entries())
        if (JSON.stringify(values[index], text) !== JSON.stringify(wanted[index], text))
          t.same(values[index]?.slice(0, 10), wanted[index]?.slice(0, 10), field.name)
      if (!JSON.stringify(wanted, text).includes('"NaN"')) return
      const withNulls = createArrayProvider(reader, { dimensions: null }).open(store, context)
      const names = table.schema.fields.map((field) => field.name)
      t.same(readAll(withNulls, store, context), withoutNan(names, wanted), 'with null for NaN')
    })
  }
}

function text(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value
}
