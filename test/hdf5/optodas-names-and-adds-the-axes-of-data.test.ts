import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { tableFromIPC } from 'apache-arrow'
import t from 'tap'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { createArrayProvider } from '../../src/workers/formats/arrays/array-provider.ts'
import { hdf5With } from '../../src/workers/formats/hdf5/hdf5.ts'
import type { OpenFile, ReadContext } from '../../src/workers/formats/provider.ts'
import { openFileStore } from '../../src/workers/store/file-store.ts'
import { createStopwatch } from '../../src/workers/store/stopwatch.ts'
import type { Store } from '../../src/workers/store/store.ts'
import { readContext } from '../formats/context.ts'
import { fileRef } from '../formats/source.ts'
import { columnValues, readAll } from '../formats/values.ts'
import { fixture } from './describe.ts'

/** Opens a file with the convention, or without. */
async function withFile(
  name: string,
  convention: string | null,
  work: (opened: OpenFile, store: Store, context: ReadContext) => void,
): Promise<void> {
  const context = readContext(createCore({ maximumBytes: 256 << 20 }))
  const file = fileRef(fixture(`${name}.h5`))
  using store = openFileStore(file, createStopwatch())
  const reader = hdf5With(convention === null ? {} : { convention })
  work(createArrayProvider(reader, { dimensions: null }).open(store, context), store, context)
}

function namesOf({ schema }: OpenFile): readonly string[] {
  return schema.fields.map(({ name }) => name)
}

for (const name of ['optodas', 'optodas-turned', 'optodas-gaps'])
  t.test(name, async (t) => {
    const table = tableFromIPC(gunzipSync(readFileSync(fixture(`${name}@optodas.expected.arrow.gz`))))
    await withFile(name, 'optodas', (opened, store, context) => {
      t.same(
        namesOf(opened),
        table.schema.fields.map((field) => field.name),
      )
      const [values, wanted] = [readAll(opened, store, context), columnValues(table)]
      for (const [index, field] of table.schema.fields.entries())
        t.same(values[index], wanted[index], field.name)
    })
  })

t.test(
  'its columns have the types of their values, and no attributes that are not in the file',
  async (t) => {
    await withFile('optodas-turned', 'optodas', (opened) => {
      const types = new Map(opened.schema.fields.map(({ name, type }) => [name, type]))
      t.match(types.get('time'), { kind: 'timestamp', unit: 'nanosecond', zone: null })
      t.match(types.get('distance'), { kind: 'float', bits: 64 })
      t.match(types.get('data'), { kind: 'float', bits: 64 })
      t.same(
        [...types.keys()].filter((name) => name.includes('.')),
        ['data.units'],
      )
    })
  },
)

t.test('a range of the axes is read as a part of them', async (t) => {
  await withFile('optodas', 'optodas', (opened, store, context) => {
    const grid = opened.segments(['distance'], store, context)
    t.match(grid, { kind: 'grid', shape: [4], axes: [{ column: 'distance' }] })
  })
})

t.test('a file that the header does not describe stays as it is', async (t) => {
  const plain: (readonly string[])[] = []
  for (const convention of [null, 'optodas'])
    await withFile('optodas-other-sizes', convention, (opened) => plain.push(namesOf(opened)))
  t.same(plain[0], plain[1])
  t.notOk(plain[0]?.includes('time'))
  for (const convention of [null, 'optodas'])
    await withFile('groups', convention, (opened) => t.ok(namesOf(opened).includes('station_id')))
})
