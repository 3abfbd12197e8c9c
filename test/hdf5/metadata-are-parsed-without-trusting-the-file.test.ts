import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Hdf5Metadata } from '../../src/workers/formats/hdf5/hdf5-metadata.ts'
import { fixture, metadataOf } from './describe.ts'
import { placesOf } from './hostile/structures.ts'

function shapesOf({ arrays }: Hdf5Metadata): Record<string, string> {
  return Object.fromEntries(
    arrays.map(({ name, dimensions }) => [
      name,
      dimensions.map((each) => `${each.name}=${each.size}${each.isInvented ? '*' : ''}`).join(' '),
    ]),
  )
}

t.test('groups give their paths, and attributes to groups', async (t) => {
  const metadata = await metadataOf(fixture('groups.h5'))
  t.same(shapesOf(metadata), {
    'observations/salinity': 'phony_len_3=3* phony_len_4=4*',
    'observations/temperature': 'phony_len_3=3* phony_len_4=4*',
    'qc/deep/er': 'phony_len_4=4*',
    'qc/flag': 'phony_len_3=3*',
    station_id: 'phony_len_3=3*',
  })
  t.same(metadata.attributes, [
    { name: '.title', value: { kind: 'text', value: 'nested groups' } },
    { name: 'observations/.source', value: { kind: 'text', value: 'ctd' } },
  ])
  const root = await metadataOf(fixture('groups.h5'), false)
  t.same(Object.keys(shapesOf(root)), ['station_id'])
})

t.test('the second axis of the same size, and one without a limit, keep a number', async (t) => {
  const phony = shapesOf(await metadataOf(fixture('phony.h5')))
  t.equal(phony['a'], 'phony_len_4=4* phony_len_6=6*')
  const optodas = shapesOf(await metadataOf(fixture('optodas.h5')))
  t.equal(optodas['header/missingSamples'], 'phony_dim_0=0*')
})

t.test('dimension scales give names', async (t) => {
  const shapes = shapesOf(await metadataOf(fixture('layouts-v200.h5')))
  t.equal(shapes['compact'], 'y=13 x=10')
  t.equal(shapes['x'], 'x=10')
})

t.test('links may lead in circles, to nothing, or to the same dataset', async (t) => {
  const shapes = shapesOf(await metadataOf(fixture('links.h5')))
  t.same(Object.keys(shapes), ['data/v', 'hard', 'soft'])
})

t.test('attributes have their values in their types', async (t) => {
  for (const library of ['earliest', 'v200']) {
    const { arrays } = await metadataOf(fixture(`attributes-${library}.h5`))
    const values = Object.fromEntries(
      (arrays[0]?.attributes ?? []).map(({ name, value }) => [
        name,
        'values' in value ? value.values : value.value,
      ]),
    )
    t.match(values, {
      unsigned: [18446744073709551615n],
      several: [1n, 2n, 3n],
      short: [-2],
      text: 'grün',
      fixed: 'fixed',
      texts: ['a', 'b'],
      double: [0.1],
    })
  }
})

t.test('what is in other files is not opened', async (t) => {
  const link = await metadataOf(fixture('refused-external-link.h5'))
  t.same(Object.keys(shapesOf(link)), ['v'])
  const { arrays } = await metadataOf(fixture('refused-virtual.h5'))
  t.match(arrays[0]?.fault, /other files/)
})

t.test('what is no HDF5 file, or ends too early, is an error that says so', async (t) => {
  const folder = t.testdir({ text: 'no HDF5 at all' })
  await t.rejects(metadataOf(join(folder, 'text')), {
    code: 'unreadable_file',
    message: /"[^"]*text" cannot be read as HDF5: it has no superblock/,
  })
  const whole = readFileSync(fixture('groups.h5'))
  const cut = join(folder, 'cut.h5')
  writeFileSync(cut, whole.subarray(0, whole.length - 1))
  await t.rejects(metadataOf(cut), { code: 'unreadable_file', message: /truncated/ })
  t.equal(Object.keys(shapesOf(await metadataOf(fixture('groups.h5')))).length, 5, 'the next file is read')
})

t.test('a query that is cancelled while the file is read is cancelled', async (t) => {
  let reads = 0
  const check = () => {
    if (++reads === 3) throw new Error('cancelled here')
  }
  await t.rejects(metadataOf(fixture('groups.h5'), true, check), { message: 'cancelled here' })
})

t.test('what no column is made of is known, and what it is', async (t) => {
  const { omitted, arrays } = await metadataOf(fixture('kinds-v200.h5'))
  t.same(Object.fromEntries(omitted.map(({ name, what }) => [name, what])), {
    'compound/bytes': 'opaque values',
    'compound/link': 'references',
    'compound/list': 'sequences',
    'compound/long': 'floats of 16 bytes that are not binary16, binary32 or binary64',
    'compound/nested': 'compounds in compounds',
    'compound/note': 'texts of variable length in compounds',
    'compound/pair': 'arrays',
    omitted_array: 'arrays',
    omitted_bfloat16: 'floats of 2 bytes that are not binary16, binary32 or binary64',
    omitted_bits: 'bit fields',
    omitted_complex: 'complex numbers',
    omitted_float_24: 'floats of 4 bytes that are not binary16, binary32 or binary64',
    omitted_integer_24: 'integers of 3 bytes',
    omitted_lists: 'sequences',
    omitted_lists_of_text: 'sequences',
    omitted_long_double: 'floats of 16 bytes that are not binary16, binary32 or binary64',
    omitted_opaque: 'opaque values',
    omitted_reference: 'references',
    omitted_region: 'references',
    omitted_time: 'times of HDF5',
  })
  t.notOk(arrays.some(({ fault }) => fault !== null))
  const types = await metadataOf(fixture('types.h5'))
  t.match(
    types.omitted.find(({ name }) => name === 'nothing'),
    { what: 'no values' },
  )
})

t.test('netcdf has no columns of the members of compounds', async (t) => {
  const { arrays, omitted } = await metadataOf(fixture('compound.h5'), false)
  t.same(arrays, [])
  t.ok(omitted.every(({ what }) => what === 'compounds'))
})

t.test(
  'a damaged list of attributes is an error: without them values would mean something else',
  async (t) => {
    const sound = readFileSync(fixture('attributes-v200.h5'))
    const expected = await metadataOf(fixture('attributes-v200.h5'))
    const location = join(t.testdir({}), 'damaged.h5')
    let refused = 0
    // Leaves and heads of the trees by whose names and order attributes are found. The head has the address of its root there.
    const places = ['BTLF', 'BTHD'].flatMap((signature) => placesOf(sound, Buffer.from(signature)))
    for (const at of places) {
      const bytes = Buffer.from(sound)
      bytes[at + 20] = (bytes[at + 20] ?? 0) ^ 1
      writeFileSync(location, bytes)
      try {
        t.same(await metadataOf(location), expected)
      } catch (error) {
        t.match(error, { code: 'unreadable_file', message: /damaged\.h5" cannot be read as HDF5/ })
        refused++
      }
    }
    t.ok(refused > 0, `${refused} refused`)
  },
)
