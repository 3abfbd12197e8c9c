import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import h5wasm from 'h5wasm/node'
import t from 'tap'
import { answersOf, type Row } from '../e2e/answers.ts'
import { startTestService } from '../e2e/service.ts'
import { generator } from '../support/generate.ts'

/** A few more than are read as few. */
const FILES = 68

const DIMENSION = 'This is a netCDF dimension but not a netCDF variable.'

const service = await startTestService(t)
const { rowsOf } = answersOf(service)
const below = generator('hdf5 alone')

/** What differs among files: sizes, texts, and now and then types, chunks, variables, or the version of the format. */
function writeFile(location: string, nth: number): void {
  const [profiles, levels, steps] = [1 + below(2), 1 + below(6), 1 + below(4)]
  const library = below(5) === 0 ? 'v110' : 'earliest'
  const file = new h5wasm.File(location, 'w', { libver: [library, 'latest'] })
  const numbers = (count: number) => Array.from({ length: count }, () => below(90) / 4)
  const isWide = below(5) === 0
  const floats = (count: number) => (isWide ? Float64Array : Float32Array).from(numbers(count))
  const add = (
    name: string,
    along: readonly string[],
    shape: number[],
    data: Float32Array | Float64Array | Int32Array,
    chunks: number[] | null = null,
  ) => {
    const dataset = file.create_dataset({ name, data, shape, ...(chunks && { chunks, maxshape: [null] }) })
    for (const [axis, each] of along.entries()) dataset.attach_scale(axis, `/${each}`)
    dataset.create_attribute('long_name', `the ${name} of a profile`)
    return dataset
  }
  for (const [name, size] of [
    ['N_PROF', profiles],
    ['N_LEVELS', levels],
    ['N_STEPS', steps],
  ] as const)
    file.create_dataset({ name, data: new Float32Array(size), shape: [size] }).make_scale(DIMENSION)
  file.create_attribute('history', `made ${'again '.repeat(below(30))}${nth}`)
  file.create_attribute('title', 'profiles')
  const [grid, size] = [
    ['N_PROF', 'N_LEVELS'],
    [profiles, levels],
  ]
  const missing = isWide ? Float64Array.of(5) : Float32Array.of(5)
  add('TEMP', grid, size, floats(profiles * levels)).create_attribute('_FillValue', missing, [])
  add('PRES', grid, size, Float32Array.from(numbers(profiles * levels)))
  if (below(5) > 0) add('PSAL', grid, size, Float32Array.from(numbers(profiles * levels)))
  add('LATITUDE', ['N_PROF'], [profiles], Float64Array.from(numbers(profiles)))
  const days = add('JULD', ['N_PROF'], [profiles], Float64Array.from(numbers(profiles)))
  days.create_attribute('units', 'days since 1950-01-01 00:00:00')
  add(
    'CYCLE',
    ['N_PROF'],
    [profiles],
    Int32Array.from({ length: profiles }, () => below(90)),
  )
  // Chunks as large as their array are another layout than smaller ones.
  add('STEP', ['N_STEPS'], [steps], Float32Array.from(numbers(steps)), [1 + below(2)])
  if (below(3) === 0)
    file.create_dataset({ name: 'padding', data: new Float64Array(12_000), shape: [12_000] })
  file.close()
}

await h5wasm.ready
mkdirSync(join(service.datasets, 'h'))
const paths = Array.from({ length: FILES }, (_, nth) => {
  const path = `h/f${String(nth).padStart(3, '0')}.nc`
  writeFile(join(service.datasets, path), nth)
  return path
})

const COLUMNS = ['.history', 'CYCLE', 'JULD', 'LATITUDE', 'PRES', 'TEMP', 'PSAL', 'TEMP.long_name']

for (const [reader, options] of [
  ['read_netcdf', ", dimensions => ['N_PROF', 'N_LEVELS']"],
  ['read_hdf5', ", dimensions => ['N_PROF', 'N_LEVELS']"],
  ['read_netcdf', ", dimensions => ['N_STEPS']"],
] as const)
  t.test(`${reader}${options}: rows, first and again`, async (t) => {
    const columns = options.includes('STEPS') ? ['.history', 'STEP'] : COLUMNS
    const alone: Row[] = []
    for (const path of paths)
      for (const row of await rowsOf({ sql: `SELECT * FROM ${reader}('${path}'${options})` }))
        alone.push(Object.fromEntries(columns.map((name) => [name, row[name] ?? null])))
    for (const names of [
      columns,
      columns.toReversed(),
      ['TEMP', 'LATITUDE'].filter((name) => columns.includes(name)),
    ]) {
      if (names.length === 0) continue
      const list = names.map((name) => `"${name}"`).join(', ')
      const rows = await rowsOf({ sql: `SELECT ${list} FROM ${reader}('h/*.nc'${options})` })
      t.same(
        rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name] ?? null]))),
        alone.map((row) => Object.fromEntries(names.map((name) => [name, row[name] ?? null]))),
      )
    }
    if (columns !== COLUMNS) return
    const passing = alone.filter(({ LATITUDE, PRES }) => Number(LATITUDE) < 10 && Number(PRES) >= 5)
    const sql = `SELECT count(*) AS n, sum("TEMP") AS t, count("PSAL") AS p FROM ${reader}('h/*.nc'${options}) WHERE "LATITUDE" < 10 AND "PRES" >= 5`
    const [counted] = await rowsOf({ sql })
    t.equal(Number(counted?.['n']), passing.length)
    const sum = passing.reduce((all, { TEMP }) => all + Number(TEMP), 0)
    t.ok(Math.abs(Number(counted?.['t'] ?? 0) - sum) < 1e-6)
    t.equal(Number(counted?.['p']), passing.filter(({ PSAL }) => PSAL !== null).length)
  })

t.test('a file that changes has its new rows, and one that is damaged is named', async (t) => {
  const mean = `SELECT count(*) AS n, sum("PRES") AS s FROM read_netcdf('h/*.nc', dimensions => ['N_PROF', 'N_LEVELS'])`
  await rowsOf({ sql: mean })
  writeFile(join(service.datasets, paths[7] ?? ''), 1000)
  const alone = []
  for (const path of paths)
    alone.push(
      ...(await rowsOf({
        sql: `SELECT "PRES" FROM read_netcdf('${path}', dimensions => ['N_PROF', 'N_LEVELS'])`,
      })),
    )
  const [counted] = await rowsOf({ sql: mean })
  t.equal(Number(counted?.['n']), alone.length)
  t.ok(Math.abs(Number(counted?.['s']) - alone.reduce((all, { PRES }) => all + Number(PRES), 0)) < 1e-6)
  const damaged = join(service.datasets, paths[40] ?? '')
  const bytes = readFileSync(damaged)
  writeFileSync(damaged, bytes.subarray(0, bytes.length >> 1))
  await t.rejects(rowsOf({ sql: mean }), /f040\.nc/)
})
