import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { fc } from '../../support/generate.ts'
import { startTestService } from '../service.ts'

const { datasets, dataDir, query } = await startTestService(t, {
  settings: { SERVICE_MAX_GRID_BYTES: '1000', SERVICE_MAX_OUTPUT_BYTES: '30000' },
})

t.test('its cells are the last values of the rows', async (t) => {
  const output = { format: { nd_netcdf: { dimension_columns: ['time', 'lat'] } } }
  let files = 0

  const json = async (request: object): Promise<unknown[][]> => {
    const answer = await query({ ...request, output: { format: 'json' } })
    const body = (await answer.json()) as { rows: unknown[][] }
    if (answer.status !== 200) throw new Error(JSON.stringify(body))
    return body.rows
  }

  const row = fc.tuple(
    fc.option(fc.integer({ min: 0, max: 4 }), { nil: null, freq: 9 }),
    fc.option(fc.constantFrom(-1.5, 0, 2.25, 80), { nil: null, freq: 9 }),
    fc.option(fc.double({ min: -1, max: 1, noNaN: true }), { nil: null, freq: 3 }),
    fc.option(fc.integer({ min: -100, max: 100 }), { nil: null, freq: 3 }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 60 }), async (rows) => {
      const name = `rows${files++}`
      const lines = rows.map(([day, lat, value, count]) =>
        [day === null ? '' : `2024-01-0${day + 1}T06:00:00`, lat ?? '', value ?? '', count ?? ''].join(),
      )
      // The first row decides on the types, and is left out.
      const types = '2000-01-01T06:00:00,0.5,0.5,1'
      writeFileSync(join(datasets, `${name}.csv`), ['time,lat,value,count', types, ...lines, ''].join('\n'))
      const sql = `SELECT time, lat::DOUBLE AS lat, value::DOUBLE AS value, count::INTEGER AS count
        FROM read_csv('${name}.csv') WHERE time IS NULL OR time > '2001-01-01'`
      const answer = await query({ sql, output })
      if (answer.status !== 200) throw new Error(await answer.text())
      writeFileSync(join(datasets, `${name}.nc`), Buffer.from(await answer.arrayBuffer()))
      const placed = rows.filter(([day, lat]) => day !== null && lat !== null)
      const days = [...new Set(placed.map(([day]) => day ?? 0))].sort((a, b) => a - b)
      const lats = [...new Set(placed.map(([, lat]) => lat ?? 0))].sort((a, b) => a - b)
      const last = (day: number, lat: number, index: 2 | 3) =>
        placed
          .filter((each) => each[0] === day && each[1] === lat)
          .findLast((each) => each[index] !== null)?.[index] ?? null
      const expected = days.flatMap((day) =>
        lats.map((lat) => [`2024-01-0${day + 1}T06:00:00`, lat, last(day, lat, 2), last(day, lat, 3)]),
      )
      const select = ['time', 'lat', 'value', 'count']
      const found = await json({ from: { netcdf: { paths: [`${name}.nc`] } }, select })
      t.same(found, expected)
      return t.passing()
    }),
    { numRuns: 12 },
  )
})

t.test('requests that cannot be a grid are a 400 that says why, and nothing is left of them', async (t) => {
  const rows = Array.from({ length: 40 }, (_, i) => `${i},${i * 0.5},${i % 2 === 0},${'x'.repeat(i)}`)
  writeFileSync(join(datasets, 'rows.csv'), ['x,y,flag,name', ...rows, ''].join('\n'))
  const ask = async (columns: readonly string[], select: readonly string[]): Promise<string> => {
    const answer = await query({
      from: { csv: { paths: ['rows.csv'] } },
      select,
      output: { format: { nd_netcdf: { dimension_columns: columns } } },
    })
    if (answer.status === 200) return `${(await answer.arrayBuffer()).byteLength}`
    t.equal(answer.status, 400)
    return String(await answer.json())
  }
  t.match(await ask([], ['x', 'y']), /"dimension_columns".*is empty/)
  t.match(await ask(['X'], ['x', 'y']), /names "X", which is no column of the result, did you mean "x"/)
  t.match(await ask(['x', 'x'], ['x', 'y']), /names "x" twice/)
  t.match(await ask(['x'], ['x', 'name']), /"name" has the type Utf8/)
  t.match(await ask(['x', 'flag'], ['x', 'flag', 'y']), /^\d+$/, '80 cells of 8 bytes')
  const large = await ask(['x', 'y'], ['x', 'y', 'flag'])
  t.match(
    large,
    /40 values of "x" times 40 values of "y", with 1 bytes in each cell: 1600 bytes.*SERVICE_MAX_GRID_BYTES/,
  )
  t.same(readdirSync(join(dataDir, 'tmp')), [])
})

t.test('rows that are set aside may have more bytes than an answer', async (t) => {
  const rows = Array.from({ length: 10_000 }, (_, i) => `${i % 10},${i}`)
  writeFileSync(join(datasets, 'many.csv'), ['x,n', ...rows, ''].join('\n'))
  const answer = await query({
    from: { csv: { paths: ['many.csv'] } },
    select: ['x', 'n'],
    output: { format: { ndnetcdf: { dimension_columns: ['x'] } } },
  })
  t.equal(answer.status, 200)
  t.equal(answer.headers.get('content-type'), 'application/x-netcdf')
  t.ok((await answer.arrayBuffer()).byteLength < 30_000)
})
