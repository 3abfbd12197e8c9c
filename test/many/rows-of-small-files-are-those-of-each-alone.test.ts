import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import t, { type Test } from 'tap'
import { writeNetcdf } from '../../src/sample/write-netcdf.ts'
import { answersOf, type Row } from '../e2e/answers.ts'
import { startTestService } from '../e2e/service.ts'
import { argoLike } from '../netcdf/argo-like.ts'
import { generator } from '../support/generate.ts'

/** A few more than are read as few. */
const FILES = 68

const service = await startTestService(t)
const { rowsOf } = answersOf(service)
const below = generator('alone')

/** Compares the rows of all files with those of each file alone, in their order. `columns` are those of all files. Returns the rows. */
async function compare(
  t: Test,
  reader: string,
  paths: readonly string[],
  pattern: string,
  columns: readonly string[],
): Promise<readonly Row[]> {
  const alone: Row[] = []
  for (const path of paths) {
    for (const row of await rowsOf({ sql: `SELECT * FROM ${reader}('${path}')` }))
      alone.push(Object.fromEntries(columns.map((name) => [name, row[name] ?? null])))
  }
  const list = columns.map((name) => `"${name}"`).join(', ')
  for (const select of [
    list,
    columns
      .toReversed()
      .map((name) => `"${name}"`)
      .join(', '),
  ])
    t.same(
      (await rowsOf({ sql: `SELECT ${select} FROM ${reader}('${pattern}')` })).map((row) =>
        Object.fromEntries(columns.map((name) => [name, row[name] ?? null])),
      ),
      alone,
    )
  return alone
}

t.test('arrays in files of other sizes, packings, fill values and shapes', async (t) => {
  mkdirSync(join(service.datasets, 'n'))
  const paths = Array.from({ length: FILES }, (_, nth) => {
    const levels = 1 + below(6)
    const profiles = below(3) === 0 ? 2 : 1
    const numbers = (count: number) => Array.from({ length: count }, () => below(50))
    const attributes = { units: 'days since 2000-01-01' }
    const packed =
      below(3) === 0 ? { scale_factor: 0.5, _FillValue: 7 } : below(2) === 0 ? { _FillValue: 7 } : {}
    const both = {
      name: 'both',
      dimensions: ['profile', 'level'],
      values: Float32Array.from(numbers(profiles * levels)),
      attributes: {},
    }
    const bytes = writeNetcdf({ level: levels, ...(profiles > 1 && { profile: profiles }) }, {}, [
      { name: 'place', dimensions: [], values: Float64Array.of(nth), attributes: {} },
      { name: 'when', dimensions: ['level'], values: Float64Array.from(numbers(levels)), attributes },
      {
        name: 'packed',
        dimensions: ['level'],
        values: Float32Array.from(numbers(levels)),
        attributes: packed,
      },
      ...(profiles > 1 ? [both] : []),
    ])
    const path = `n/f${String(nth).padStart(3, '0')}.nc`
    writeFileSync(join(service.datasets, path), bytes)
    return path
  })
  await compare(t, 'read_netcdf', paths, 'n/*.nc', ['place', 'when', 'packed', 'both'])
})

t.test('headers that differ in sizes, texts, types and variables', async (t) => {
  mkdirSync(join(service.datasets, 'h'))
  const paths = Array.from({ length: FILES }, (_, nth) => {
    const file = {
      version: ([1, 2, 1, 5] as const)[below(4)] ?? 1,
      profiles: 1 + below(2),
      levels: 1 + below(6),
      steps: below(3),
      letters: below(4) === 0 ? 5 : 8,
      history: `made ${'again '.repeat(below(9))}${nth}`,
      comment: 'é'.repeat(below(5)),
      hasSalinity: below(5) > 0,
      isWide: below(5) === 0,
    }
    const path = `h/f${String(nth).padStart(3, '0')}.nc`
    writeFileSync(join(service.datasets, path), argoLike(file, below))
    return path
  })
  const columns = [
    '.history',
    '.comment',
    'PLATFORM',
    'CYCLE',
    'JULD',
    'LATITUDE',
    'PRES',
    'TEMP',
    'TEMP_QC',
    'PSAL',
  ]
  const alone = await compare(t, 'read_netcdf', paths, 'h/*.nc', columns)
  for (const [name, isPassing] of [
    ['"LATITUDE" < 10', ({ LATITUDE }: Row) => Number(LATITUDE) < 10],
    [`"TEMP_QC" = 'B' AND "PRES" >= 5`, ({ TEMP_QC, PRES }: Row) => TEMP_QC === 'B' && Number(PRES) >= 5],
    [
      `"PLATFORM" < 'B' AND "CYCLE" > 40`,
      ({ PLATFORM, CYCLE }: Row) => String(PLATFORM) < 'B' && Number(CYCLE) > 40,
    ],
  ] as const) {
    const passing = alone.filter(isPassing)
    const sql = `SELECT count(*) AS n, sum("TEMP") AS t, count("PSAL") AS p FROM read_netcdf('h/*.nc') WHERE ${name}`
    const [counted] = await rowsOf({ sql })
    t.same(Number(counted?.['n']), passing.length, name)
    const sum = passing.reduce((all, { TEMP }) => all + Number(TEMP), 0)
    t.ok(Math.abs(Number(counted?.['t'] ?? 0) - sum) < 1e-6, `the sum where ${name}`)
    t.same(Number(counted?.['p']), passing.filter(({ PSAL }) => PSAL !== null).length)
  }
  const damaged = join(service.datasets, paths[40] ?? '')
  writeFileSync(damaged, readFileSync(damaged).subarray(0, -3))
  await t.rejects(rowsOf({ sql: `SELECT sum("TEMP") AS t FROM read_netcdf('h/*.nc')` }), /f040\.nc/)
})

t.test('row groups of other writers, codecs and types', async (t) => {
  mkdirSync(join(service.datasets, 'q'))
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()
  const paths: string[] = []
  for (let nth = 0; nth < FILES; nth++) {
    const path = `q/f${String(nth).padStart(3, '0')}.parquet`
    const codec = ['snappy', 'snappy', 'uncompressed', 'zstd', 'lz4_raw'][below(5)]
    const number = below(4) === 0 ? 'BIGINT' : 'INTEGER'
    const more = below(3) === 0 ? `, i % 4 = 0 AS flag` : ''
    const rows = below(5) === 0 ? 0 : below(6) === 0 ? 3000 : 1 + below(40)
    await connection.run(
      `COPY (SELECT (i * 3)::${number} AS number, nullif(i % 3, 0)::DOUBLE / 4 AS half, 'text ' || i % 7 AS word${more}
         FROM range(${rows}) r(i)) TO '${join(service.datasets, path)}'
       (FORMAT parquet, CODEC ${codec}, PARQUET_VERSION ${['V1', 'V2'][below(2)]}, ROW_GROUP_SIZE 2048)`,
    )
    paths.push(path)
  }
  connection.closeSync()
  const columns = ['number', 'half', 'word', 'flag']
  const alone = await compare(t, 'read_parquet', paths, 'q/*.parquet', columns)
  for (const name of columns) {
    const values = alone.map((row) => row[name]).filter((value) => value !== null)
    const from = `FROM read_parquet('q/*.parquet')`
    const counted = await rowsOf({ sql: `SELECT count("${name}") AS n, count(*) AS rows ${from}` })
    t.same(counted, [{ n: values.length, rows: alone.length }], name)
    const passing = await rowsOf({ sql: `SELECT "${name}" AS v ${from} WHERE "${name}" IS NOT NULL` })
    t.same(
      passing.map(({ v }) => v),
      values,
    )
  }
})
