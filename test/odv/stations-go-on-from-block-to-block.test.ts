import t from 'tap'
import { startOdvService } from '../output/odv/odv-service.ts'

const TITLES = ['Cruise', 'Station', 'Type', 'Latitude', 'Depth', 'Temp', 'Note'].join('\t')

/** Rows of some stations of 1 row to half of the file, each as it is written, and as it is with the metadata in every row. */
function cruise(rows: number): { readonly once: string; readonly repeated: string } {
  const ends = [1, 2, 40, 41, Math.floor(rows / 3), Math.floor(rows / 3) + 5, Math.floor((rows * 5) / 6)]
  const [once, repeated] = [[TITLES], [TITLES]]
  let station = 0
  for (let row = 0; row < rows; row++) {
    const isFirst = row === 0 || ends.includes(row)
    if (isFirst) station++
    const metadata = `C${station % 3}\tS${station}\tB\t${station}.25`
    const data = `${row}\t${row % 3 === 0 ? '' : (row % 1000) / 8}\t${'x'.repeat(row % 90)}`
    once.push(`${isFirst ? metadata : '\t\t\t'}\t${data}`)
    repeated.push(`${metadata}\t${data}`)
  }
  return { once: `${once.join('\n')}\n`, repeated: `${repeated.join('\n')}\n` }
}

// Three blocks of 4 MiB: workers begin to read each of them before it is known which station the one before ends in.
const FILES = cruise(220_000)

t.test('a file with metadata once is the file with metadata in every row', async (t) => {
  const { ask } = await startOdvService(t, { 'once.txt': FILES.once, 'repeated.txt': FILES.repeated })
  const both = async (query: (file: string) => Readonly<Record<string, unknown>>): Promise<void> => {
    const [once, repeated] = await Promise.all(
      ['once.txt', 'repeated.txt'].map(async (file) => {
        const response = await ask(query(file))
        return { status: response.status, text: await response.text() }
      }),
    )
    t.equal(once?.status, 200, once?.text.slice(0, 300) ?? '')
    t.ok(once?.text === repeated?.text, JSON.stringify(query('…')))
  }
  const output = { format: 'csv' }
  const sql = (text: string) => (file: string) => ({
    sql: text.replace('ODV', `read_odv('${file}')`),
    output,
  })
  const json = (rest: Readonly<Record<string, unknown>>) => (file: string) => ({
    select: ['Cruise', 'Station', 'Latitude', 'Depth', 'Temp'],
    from: { odv: { paths: [file] } },
    ...rest,
    output,
  })
  await both(json({}))
  await both(json({ offset: 150_000, limit: 20_000 }))
  await both(json({ filters: [{ column: 'Station', eq: 'S8' }] }))
  await both(json({ filters: [{ column: 'Depth', gt: 100_000 }], limit: 60_000 }))
  await both(json({ select: ['Depth', 'Temp'] }))
  await both(
    sql(
      'SELECT "Cruise", "Station", count(*) AS n, avg("Latitude") AS lat, sum("Depth") AS d FROM ODV GROUP BY ALL ORDER BY 2',
    ),
  )
  await both(sql('SELECT DISTINCT "Station", "Latitude" FROM ODV ORDER BY 1'))
  await both(sql('SELECT "Station", "Depth" FROM ODV ORDER BY "Temp" DESC NULLS LAST, "Depth" LIMIT 1000'))
  await both(
    sql(
      'SELECT "Station", max("Temp") OVER (PARTITION BY "Station") AS m, "Depth" FROM ODV WHERE "Depth" % 100 = 0 ORDER BY "Depth"',
    ),
  )
  await both(sql('SELECT max("Latitude") AS a, count(*) AS n FROM ODV'))
  await both(
    sql(
      'SELECT a."Station", count(*) AS n FROM ODV a JOIN (SELECT 1 AS one) b ON a."Latitude" > b.one GROUP BY 1 ORDER BY 1',
    ),
  )
})
