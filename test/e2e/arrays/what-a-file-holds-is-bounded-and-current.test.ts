import { cpSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { type ClassicFile, type ClassicVariable, writeClassic } from '../../netcdf/write-classic.ts'
import { runPython, skipWithout } from '../../support/python.ts'
import { untilSettled } from '../../support/settled.ts'
import { startTestService } from '../service.ts'

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures')
const service = await startTestService(t)
const at = (path: string): string => join(service.datasets, path)

/** More than the limits of a listing leave of any file, with the quotes and names around it. */
const MOST_BYTES = 24 << 20

const CHAR = 2
const DOUBLE = 6
const text = (name: string, value: string) => ({ name, type: CHAR, bytes: Buffer.from(value) })

const PLAIN: ClassicFile = {
  version: 2,
  records: 0,
  dimensions: [{ name: 'x', size: 2 }],
  attributes: [text('title', 'first')],
  variables: [{ name: 'x', dimensions: [0], type: DOUBLE, attributes: [], bytes: Buffer.alloc(16) }],
}
const [X] = PLAIN.variables as readonly [ClassicVariable]

async function place(path: string, bytes: Uint8Array | string): Promise<void> {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), bytes)
  await untilSettled(at(path))
}

function write(path: string, file: ClassicFile): Promise<void> {
  return place(path, writeClassic(file))
}

async function ask(path: string): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(`${service.url}/api/dataset-structure?file=${encodeURIComponent(path)}`)
  return { status: response.status, text: await response.text() }
}

interface Attribute {
  readonly type: string
  readonly value: unknown
  readonly cut_from?: number
}

interface Structure {
  readonly groups: readonly {
    readonly path: string
    readonly attributes: Readonly<Record<string, Attribute>>
  }[]
  readonly grids: readonly { readonly dimensions: readonly string[] }[]
  readonly variables: readonly {
    readonly group: string
    readonly name: string
    readonly type: string
    readonly column: string | null
    readonly attributes: Readonly<Record<string, Attribute>>
    readonly note: string | null
    readonly is_in_grid: boolean
  }[]
  readonly left_out: Readonly<Record<string, number>>
}

async function structureOf(path: string): Promise<Structure> {
  const { status, text } = await ask(path)
  t.equal(status, 200, `${path}: ${text.slice(0, 300)}`)
  t.ok(text.length < MOST_BYTES, `${text.length}`)
  return JSON.parse(text) as Structure
}

const NOTHING = { groups: 0, dimensions: 0, variables: 0, attributes: 0 }

async function rowsOf(sql: string): Promise<readonly Record<string, unknown>[]> {
  const response = await service.query({ sql, output: { format: 'ndjson' } })
  const answer = await response.text()
  if (response.status !== 200) throw new Error(answer)
  const lines = answer.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

async function failure(sql: string): Promise<string> {
  const response = await service.query({ sql })
  t.equal(response.status, 400, sql)
  return response.text()
}

t.test('more attributes than are listed are counted', async (t) => {
  const many = Array.from({ length: 100_000 }, (_, index) => text(`a${index}`, 'v'))
  await write('many.nc', {
    ...PLAIN,
    attributes: many,
    variables: [{ ...X, attributes: many.slice(0, 1000) }],
  })
  const { groups, variables, left_out } = await structureOf('many.nc')
  const listed = [...groups, ...variables].flatMap(({ attributes }) => Object.keys(attributes))
  t.ok(listed.length > 10_000, `${listed.length} are listed`)
  t.not(left_out['attributes'], 0)
  t.equal(listed.length + (left_out['attributes'] ?? 0), 101_000)
})

t.test('more variables than are listed are counted', async (t) => {
  await write('variables.nc', {
    ...PLAIN,
    variables: Array.from({ length: 60_000 }, (_, index) => ({ ...X, name: `variable_${index}` })),
  })
  const { variables, left_out } = await structureOf('variables.nc')
  t.ok(variables.length > 10_000)
  t.equal(variables.length + (left_out['variables'] ?? 0), 60_000)
})

t.test('a long value is cut, and says from what', async (t) => {
  await write('long.nc', {
    ...PLAIN,
    attributes: [
      text('comment', 'é'.repeat(10_000_000)),
      text('small', 'as it is'),
      { name: 'numbers', type: DOUBLE, bytes: Buffer.alloc(8 * 100_000) },
    ],
  })
  const [root] = (await structureOf('long.nc')).groups
  const { comment, small, numbers } = root?.attributes ?? {}
  t.equal(comment?.cut_from, 10_000_000)
  t.equal(comment?.value, 'é'.repeat(16_384))
  t.same(small, { type: 'string', value: 'as it is' })
  t.equal(numbers?.cut_from, 100_000)
  t.match(numbers?.value, { length: 1024 })
})

t.test('names of any characters, and dimensions of any size', async (t) => {
  const odd = [
    '"',
    '\\',
    '"quoted\\"',
    '\u2028',
    '__proto__',
    'constructor',
    'toString',
    ' ',
    'two words',
    'ü',
    '😀',
  ]
  await write('odd.nc', {
    ...PLAIN,
    version: 5,
    dimensions: [
      ...PLAIN.dimensions,
      { name: 'huge', size: 2 ** 31 - 1 },
      { name: 'record', size: 0 },
      ...odd.map((name) => ({ name, size: 1 })),
    ],
    attributes: odd.map((name) => text(name, name)),
    variables: [X, ...odd.map((name) => ({ ...X, name }))],
  })
  const { groups, variables } = await structureOf('odd.nc')
  t.same(
    Object.entries(groups[0]?.attributes ?? {}).map(([name, { value }]) => [name, value]),
    odd.map((name) => [name, name]),
  )
  t.same(
    variables.map(({ name }) => name),
    ['x', ...odd],
  )
})

t.test('a name with control characters is a 400, and one that is not UTF-8 is Latin-1', async (t) => {
  await write('control.nc', { ...PLAIN, attributes: [text('\u0001', 'v')] })
  await write('lines.nc', { ...PLAIN, variables: [{ ...X, name: 'line\nend' }] })
  for (const path of ['control.nc', 'lines.nc']) {
    const { status, text } = await ask(path)
    t.equal(status, 400)
    t.match(text, new RegExp(`"${path}".*control characters`))
  }
  const bytes = writeClassic({ ...PLAIN, variables: [{ ...X, name: 'abcd' }] })
  await place('latin.nc', Buffer.from(bytes.toString('latin1').replace('abcd', 'ab\u00e9d'), 'latin1'))
  t.match((await structureOf('latin.nc')).variables, [{ name: 'abéd' }])
})

t.test('a file that is written again is listed again', async (t) => {
  for (const [round, title] of ['first', 'second', 'third'].entries()) {
    const file = { ...PLAIN, attributes: [text('title', title)] }
    if (round < 2) await write('changing.nc', file)
    else {
      await write('other.nc', file)
      renameSync(at('other.nc'), at('changing.nc'))
    }
    for (let again = 0; again < 2; again++)
      t.equal((await structureOf('changing.nc')).groups[0]?.attributes['title']?.value, title)
    const [row] = await rowsOf("SELECT name, is_in_grid FROM read_netcdf_variables('changing.nc')")
    t.same(row, { name: 'x', is_in_grid: true })
  }
})

t.test('ragged files, compounds, files that the library describes, and files without a column', async (t) => {
  for (const path of [
    'netcdf/ragged-profiles-cdf1.nc',
    'hdf5/compound.h5',
    'hdf5/links.h5',
    'hdf5/refused-nbit.h5',
    'hdf5/refused-external-link.h5',
  ])
    cpSync(join(FIXTURES, path), at(path.split('/')[1] ?? ''))
  await untilSettled(service.datasets)
  const ragged = await structureOf('ragged-profiles-cdf1.nc')
  t.same(ragged.left_out, NOTHING)
  const out = ragged.variables.filter((each) => !each.is_in_grid)
  t.ok(out.length > 0 && out.every(({ note }) => note !== null), 'what is in no row says why')
  const compound = await structureOf('compound.h5')
  const whole = compound.variables.find(({ type }) => type.startsWith('compound'))
  t.equal(whole?.note, 'its members are read')
  t.ok(compound.variables.some(({ name }) => name.startsWith(`${whole?.name}/`)))
  for (const path of ['links.h5', 'refused-nbit.h5', 'refused-external-link.h5'])
    t.same((await structureOf(path)).left_out, NOTHING, path)
})

t.test('groups in each other', { skip: skipWithout('netCDF4') }, async (t) => {
  const DEEP = `
import sys, netCDF4
for depth, name in [(40, 'deep'), (80, 'deeper')]:
    with netCDF4.Dataset(f'{sys.argv[1]}/{name}.nc', 'w') as file:
        group = file
        for level in range(depth):
            group = group.createGroup(f'g{level}')
        group.createDimension('x', 2)
        group.createVariable('v', 'f4', ('x',))
`
  await runPython(DEEP, [service.datasets])
  await untilSettled(service.datasets)
  const { groups, variables } = await structureOf('deep.nc')
  t.equal(groups.length, 41)
  t.match(variables, [{ name: 'v', is_in_grid: false, note: /read_hdf5/ }])
  const { status, text } = await ask('deeper.nc')
  t.equal(status, 400)
  t.match(text, /"deeper\.nc".*groups in each other/)
})

t.test('in SQL it is a table: of several files, beside others, and refused with a reason', async (t) => {
  await write('one.nc', {
    ...PLAIN,
    variables: [{ ...X, attributes: [text('units', 'm'), text('long_name', 'depth')] }],
  })
  await write('two.nc', { ...PLAIN, variables: [X] })
  t.same(
    await rowsOf(
      "SELECT path, name, type, dimensions, shape, units FROM read_netcdf_variables(['one.nc', 'two.nc']) ORDER BY path",
    ),
    [
      { path: 'one.nc', name: 'x', type: 'float64', dimensions: '["x"]', shape: '[2]', units: 'm' },
      { path: 'two.nc', name: 'x', type: 'float64', dimensions: '["x"]', shape: '[2]', units: null },
    ],
  )
  t.same(
    await rowsOf(
      "SELECT a.path, b.long_name FROM read_netcdf_variables('t*.nc') a JOIN read_netcdf_variables('one.nc') b USING (name) WHERE a.units IS NULL",
    ),
    [{ path: 'two.nc', long_name: 'depth' }],
  )
  const columns = await rowsOf("DESCRIBE SELECT * FROM read_netcdf_variables('one.nc')")
  t.equal(columns.length, 16)
  t.match(await failure("SELECT * FROM read_netcdf_variables('none.nc')"), /none\.nc/)
  writeFileSync(at('text.nc'), 'no array')
  await untilSettled(at('text.nc'))
  t.match(await failure("SELECT * FROM read_netcdf_variables('text.nc')"), /text\.nc/)
  t.match(await failure("SELECT * FROM read_hdf5_variables('one.nc')"), /one\.nc/)
  t.match(await failure("SELECT * FROM read_zarr_variables('one.nc')"), /one\.nc/)
  const { status, text: refused } = await ask('*.nc')
  t.equal(status, 400)
  t.match(refused, /read_netcdf_variables in SQL lists those of several/)
})

t.test('a file that promises more than it has is a 400, or listed as it is', async (t) => {
  const sound = writeClassic({ ...PLAIN, version: 5 })
  for (let word = 4; word < 120; word += 4) {
    const bytes = Buffer.from(sound)
    bytes.writeUInt32BE(0x7fffffff, word)
    writeFileSync(at(`promises${word}.nc`), bytes)
  }
  await untilSettled(service.datasets)
  for (let word = 4; word < 120; word += 4) {
    const { status, text } = await ask(`promises${word}.nc`)
    t.ok(status === 200 || status === 400, `${word}: ${status} ${text.slice(0, 100)}`)
    t.ok(text.length < 10_000, `${word} has ${text.length} characters`)
  }
  await write('sound.nc', PLAIN)
  t.equal((await structureOf('sound.nc')).variables.length, 1, 'the service goes on')
})

t.test('a Zarr array of an enormous shape is listed', async (t) => {
  await place(
    'enormous.zarr/zarr.json',
    JSON.stringify({ zarr_format: 3, node_type: 'group', attributes: {} }),
  )
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
  await place('enormous.zarr/v/zarr.json', JSON.stringify(array))
  const { status, text } = await ask('enormous.zarr')
  t.ok(status === 200 || status === 400, `${status} ${text.slice(0, 200)}`)
  t.ok(text.length < 100_000)
})

t.test('groups in circles and in each other are listed once', async (t) => {
  cpSync(join(FIXTURES, 'hdf5-structures'), service.datasets, { recursive: true })
  await untilSettled(service.datasets)
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
  const deep = await ask('too-deep.h5')
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
