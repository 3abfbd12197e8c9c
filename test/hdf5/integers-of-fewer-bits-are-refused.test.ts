import t from 'tap'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { createArrayProvider } from '../../src/workers/formats/arrays/array-provider.ts'
import { hdf5 } from '../../src/workers/formats/hdf5/hdf5.ts'
import { openFileStore } from '../../src/workers/store/file-store.ts'
import { createStopwatch } from '../../src/workers/store/stopwatch.ts'
import { readContext } from '../formats/context.ts'
import { fileRef } from '../formats/source.ts'
import { readAll } from '../formats/values.ts'
import { fixture, metadataOf } from './describe.ts'

/** Reads one column of a file. */
async function readColumn(name: string, column: string): Promise<readonly unknown[]> {
  const context = readContext(createCore({ maximumBytes: 256 << 20 }))
  const file = fileRef(fixture(name))
  using store = openFileStore(file, createStopwatch())
  const opened = createArrayProvider(hdf5, { dimensions: null }).open(store, context)
  const { fields } = opened.schema
  const wanted = fields.filter((field) => field.name === column)
  return readAll({ ...opened, schema: { ...opened.schema, fields: wanted } }, store, context)[0] ?? []
}

t.test('a query that asks for them, with the file, the dataset and the precision', async (t) => {
  const REFUSED = {
    twenty_bits: /"twenty_bits": its integers have a precision of 20 bits in 32; only/,
    from_bit_four: /"from_bit_four": its integers have a precision of 10 bits in 16, from bit 4 on; only/,
    'pair/narrow': /"pair\/narrow": its integers have a precision of 16 bits in 32; only/,
  }
  for (const [column, message] of Object.entries(REFUSED)) {
    await t.rejects(readColumn('refused-narrow.h5', column), { code: 'unreadable_file', message })
    await t.rejects(readColumn('refused-narrow.h5', column), { message: /refused-narrow\.h5/ })
  }
  t.same(await readColumn('refused-narrow.h5', 'whole'), [0, 1, 2, 3])
  t.same(await readColumn('refused-narrow.h5', 'pair/whole'), [0, 0, 0, 0])
  await t.rejects(readColumn('refused-nbit.h5', 'v'), { message: /a precision of 20 bits in 32/ })
})

t.test('the library need not open the dataset', async (t) => {
  const { arrays } = await metadataOf(fixture('refused-narrow.h5'))
  t.match(
    arrays.find(({ name }) => name === 'unopened/narrow'),
    { fault: /12 bits in 32/, element: { kind: 'int', bits: 32, signed: true }, shape: [4], attributes: [] },
  )
})

t.test('an attribute of them is left out', async (t) => {
  const { arrays } = await metadataOf(fixture('refused-narrow.h5'))
  const names = arrays.find(({ name }) => name === 'whole')?.attributes.map(({ name }) => name)
  t.same(names, ['wide'])
})
