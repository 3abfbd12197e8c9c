import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { type ClassicAttribute, writeClassic } from '../../netcdf/write-classic.ts'
import { untilSettled } from '../../support/settled.ts'
import { startTestService } from '../service.ts'

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures')

const CHAR = 2
const DOUBLE = 6

/** The most bytes of an answer: names and values are cut at a few MiB, and JSON escapes some characters. */
const MOST_BYTES = 64 << 20

interface Structure {
  readonly groups: readonly { readonly path: string; readonly attributes: Attributes }[]
  readonly dimensions: readonly { readonly name: string; readonly size: number }[]
  readonly variables: readonly {
    readonly group: string
    readonly name: string
    readonly shape: readonly number[]
    readonly attributes: Attributes
    readonly column: string | null
    readonly note: string | null
  }[]
  readonly left_out: Readonly<Record<'groups' | 'dimensions' | 'variables' | 'attributes', number>>
}

type Attributes = Readonly<
  Record<string, { readonly type: string; readonly value: unknown; readonly cut_from?: number }>
>

const service = await startTestService(t)

async function answer(path: string): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(`${service.url}/api/dataset-structure?file=${encodeURIComponent(path)}`)
  return { status: response.status, text: await response.text() }
}

async function structureOf(path: string): Promise<Structure> {
  await untilSettled(service.datasets)
  const { status, text } = await answer(path)
  if (status !== 200) throw new Error(`${status}: ${text.slice(0, 300)}`)
  t.ok(text.length < MOST_BYTES, `${path} has ${text.length} characters`)
  return JSON.parse(text) as Structure
}

function textAttribute(name: string, bytes: Uint8Array): ClassicAttribute {
  return { name, type: CHAR, bytes }
}

function classic(attributes: readonly ClassicAttribute[], names: readonly string[] = ['v']): Buffer {
  return writeClassic({
    version: 5,
    records: 0,
    dimensions: [{ name: 'x', size: 2 }],
    attributes,
    variables: names.map((name) => ({
      name,
      dimensions: [0],
      type: DOUBLE,
      attributes: [],
      bytes: Buffer.alloc(16),
    })),
  })
}

function place(path: string, bytes: Uint8Array | string): void {
  mkdirSync(join(service.datasets, path, '..'), { recursive: true })
  writeFileSync(join(service.datasets, path), bytes)
}

t.test('of 100 000 attributes those that fit are listed, and the others are counted', async (t) => {
  const most = 100_000
  place(
    'attributes.nc',
    classic(Array.from({ length: most }, (_, index) => textAttribute(`a${index}`, Buffer.from('value')))),
  )
  const { groups, left_out } = await structureOf('attributes.nc')
  const listed = Object.keys(groups[0]?.attributes ?? {}).length
  t.ok(listed > 10_000, `${listed} are listed`)
  t.ok(left_out.attributes > 0)
  t.equal(listed + left_out.attributes, most)
})

t.test('a huge attribute is cut, and says from what', async (t) => {
  place(
    'huge.nc',
    classic([
      textAttribute('text', Buffer.alloc(20_000_000, 'é')),
      textAttribute('small', Buffer.from('as it is')),
    ]),
  )
  const { groups } = await structureOf('huge.nc')
  const { text, small } = groups[0]?.attributes ?? {}
  t.equal(text?.cut_from, 10_000_000)
  t.equal(String(text?.value).length, 16_384)
  t.same(small, { type: 'string', value: 'as it is' })
})

t.test('of many variables those that fit are listed, and the others are counted', async (t) => {
  const most = 60_000
  place(
    'variables.nc',
    classic(
      [],
      Array.from({ length: most }, (_, index) => `variable_${index}`),
    ),
  )
  const { variables, left_out } = await structureOf('variables.nc')
  t.ok(variables.length > 10_000)
  t.equal(variables.length + left_out.variables, most)
})

t.test('names of any characters are JSON', async (t) => {
  const names = ['two words', 'ü', '"quoted\\"', '__proto__', 'constructor', '\u2028', '😀', 'toString']
  place(
    'names.nc',
    classic(
      names.map((name) => textAttribute(name, Buffer.from(name))),
      names,
    ),
  )
  const { groups, variables } = await structureOf('names.nc')
  t.same(
    variables.map(({ name }) => name),
    names,
  )
  t.same(
    Object.entries(groups[0]?.attributes ?? {}).map(([name, { value }]) => [name, value]),
    names.map((name) => [name, name]),
  )
})

t.test(
  'a name with control characters in a NetCDF-3 header is a 400, one that is no UTF-8 is Latin-1',
  async (t) => {
    place('control.nc', classic([], ['line\nend']))
    place(
      'latin.nc',
      Buffer.from(classic([], ['abcd']).toString('latin1').replace('abcd', 'ab\u00e9d'), 'latin1'),
    )
    await untilSettled(service.datasets)
    const { status, text } = await answer('control.nc')
    t.equal(status, 400)
    t.match(text, /has control characters/)
    t.match((await structureOf('latin.nc')).variables, [{ name: 'abéd' }])
  },
)

t.test('a file that promises more than it has is a 400, or told as it is', async (t) => {
  const sound = classic([textAttribute('title', Buffer.from('sound'))])
  for (let at = 4; at < 120; at += 4) {
    const bytes = Buffer.from(sound)
    bytes.writeUInt32BE(0x7fffffff, at)
    place(`promises/${at}.nc`, bytes)
  }
  await untilSettled(service.datasets)
  for (let at = 4; at < 120; at += 4) {
    const { status, text } = await answer(`promises/${at}.nc`)
    t.ok(status === 200 || status === 400, `${at}: ${status} ${text.slice(0, 100)}`)
    t.ok(text.length < 10_000, `${at} has ${text.length} characters`)
  }
  t.equal((await structureOf('names.nc')).variables.length, 8, 'the service goes on')
})

t.test('a Zarr array of an enormous shape is listed', async (t) => {
  place('enormous.zarr/zarr.json', JSON.stringify({ zarr_format: 3, node_type: 'group', attributes: {} }))
  const array = {
    zarr_format: 3,
    node_type: 'array',
    shape: [2 ** 50, 2 ** 50],
    data_type: 'float64',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [1, 1] } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    fill_value: 0,
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
    attributes: { long: 'x'.repeat(100_000) },
    dimension_names: ['y', 'x'],
  }
  place('enormous.zarr/v/zarr.json', JSON.stringify(array))
  await untilSettled(service.datasets)
  const { status, text } = await answer('enormous.zarr')
  t.ok(status === 200 || status === 400, `${status} ${text.slice(0, 200)}`)
  t.ok(text.length < 100_000)
})

t.test('groups in circles and in each other are listed once', async (t) => {
  cpSync(join(FIXTURES, 'hdf5-structures'), service.datasets, { recursive: true })
  const circles = await structureOf('circles.h5')
  t.same(
    circles.groups.map(({ path }) => path),
    ['/', '/a', '/a/b'],
  )
  t.same(
    circles.variables.map(({ group, name }) => [group, name]),
    [['/a/b', 'v']],
  )
  t.equal((await structureOf('deep.h5')).groups.length, 61)
  const deep = await answer('too-deep.h5')
  t.equal(deep.status, 400)
  t.match(deep.text, /groups in each other/)
  const { variables } = await structureOf('enormous.h5')
  t.same(
    variables.map(({ name, column }) => [name, column]),
    [
      ['v', null],
      ['w', null],
    ],
  )
  for (const { note } of variables) t.match(note, /more than any file has/)
})
