import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import t from 'tap'
import { writeNetcdf } from '../../src/sample/write-netcdf.ts'
import { answersOf, type Row } from '../e2e/answers.ts'
import { startTestService } from '../e2e/service.ts'
import { generator } from '../support/generate.ts'

/** More than are few, so that they are planned as many. */
const FILES = 150

const service = await startTestService(t)
const { rowsOf } = answersOf(service)
const below = generator('many')

/** Profiles of different lengths, some of them empty, with a text, and some with a column that others do not have. */
const folder = join(service.datasets, 'p')
mkdirSync(folder)
const expected = Array.from({ length: FILES }, (_, nth): readonly Row[] => {
  const levels = below(9)
  const temp = Array.from({ length: levels }, () => below(400) / 8)
  const salt = nth % 4 === 1 ? temp.map((each) => each / 2) : null
  const text = `profile ${nth % 7}`
  const attributes = {}
  const bytes = writeNetcdf({ level: levels, ...(levels === 0 && { level: 1 }) }, { text }, [
    { name: 'lat', dimensions: [], values: Float64Array.of(nth), attributes },
    { name: 'temp', dimensions: ['level'], values: Float32Array.from(levels === 0 ? [7] : temp), attributes },
    ...(salt === null || levels === 0
      ? []
      : [{ name: 'salt', dimensions: ['level'], values: Float64Array.from(salt), attributes }]),
  ])
  writeFileSync(join(folder, `p${String(nth).padStart(4, '0')}.nc`), bytes)
  const rows = levels === 0 ? [7] : temp
  return rows.map((each, at) => ({
    '.text': text,
    lat: nth,
    salt: levels === 0 ? null : (salt?.[at] ?? null),
    temp: each,
  }))
}).flat()

const ALL = "read_netcdf('p/*.nc')"

function inOrder(rows: readonly Row[]): readonly Row[] {
  return rows.map((row) =>
    Object.fromEntries(
      ['.text', 'lat', 'salt', 'temp'].flatMap((name) => (name in row ? [[name, row[name] ?? null]] : [])),
    ),
  )
}

t.test('all of them', async (t) => {
  t.same(inOrder(await rowsOf({ sql: `SELECT * FROM ${ALL}` })), expected)
  t.same(inOrder(await rowsOf({ sql: `SELECT * FROM ${ALL}` })), expected, 'again')
  const table = tableFromIPC(await (await service.query({ sql: `SELECT * FROM ${ALL}` })).bytes())
  t.same(
    table.toArray().map((row) => row['.text']),
    expected.map((row) => row['.text']),
    'texts that are the same in all rows of a file',
  )
  t.ok(table.batches.length < FILES / 2, 'files share record batches')
})

t.test('those that pass a filter', async (t) => {
  for (const [filter, passes] of [
    ['temp > 25', ({ temp }: Row) => Number(temp) > 25],
    ['salt IS NOT NULL', ({ salt }: Row) => salt !== null],
    [
      'lat BETWEEN 20 AND 120 AND temp < 10',
      ({ lat, temp }: Row) => Number(lat) >= 20 && Number(lat) <= 120 && Number(temp) < 10,
    ],
    ['temp < -1', () => false],
  ] as const)
    t.same(
      inOrder(await rowsOf({ sql: `SELECT * FROM ${ALL} WHERE ${filter}` })),
      expected.filter(passes),
      filter,
    )
})

t.test('from an offset, up to a limit', async (t) => {
  for (const [offset, limit] of [
    [0, 5],
    [17, 300],
    [expected.length - 3, 10],
    [expected.length, 1],
  ] as const)
    t.same(
      inOrder(await rowsOf({ sql: `SELECT lat, temp FROM ${ALL} LIMIT ${limit} OFFSET ${offset}` })),
      expected.slice(offset, offset + limit).map(({ lat, temp }) => ({ lat, temp })),
      `${limit} from ${offset}`,
    )
})

t.test('their groups', async (t) => {
  const sum = expected.reduce((all, { temp }) => all + Number(temp), 0)
  t.same(await rowsOf({ sql: `SELECT count(*) AS n, sum(temp) AS s FROM ${ALL}` }), [
    { n: expected.length, s: sum },
  ])
})
