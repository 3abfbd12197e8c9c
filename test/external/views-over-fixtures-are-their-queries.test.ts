import { copyFileSync, globSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { generator } from '../support/generate.ts'
import { startTables } from './tables.ts'

const FIXTURES = 'test/fixtures'
/** How many files of each format are read in a run: others in each. */
const FILES = 10

const FORMATS = [
  ['PARQUET', 'read_parquet', 'parquet/*.parquet'],
  ['ARROW', 'read_arrow', 'arrow/*.arrow'],
  ['CSV', 'read_csv', 'csv/*.csv'],
  ['NC', 'read_netcdf', 'netcdf*/*.nc'],
  ['HDF5', 'read_hdf5', 'hdf5/*.h5'],
] as const

const tables = await startTables(t)

/** The rows of a query as a text. Null: it is an error. */
async function rowsOf(query: object): Promise<string | null> {
  const response = await tables.post({ ...query, output: { format: 'ndjson' } })
  const text = await response.text()
  return response.status === 200 ? text : null
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

for (const [format, read, pattern] of FORMATS)
  t.test(`files of ${format}`, async (t) => {
    const random = generator(format)
    const all = globSync(pattern, { cwd: FIXTURES }).sort()
    const paths = Array.from({ length: FILES }, () => all.splice(random(all.length), 1)).flat()
    for (const path of paths) {
      mkdirSync(dirname(tables.at(path)), { recursive: true })
      copyFileSync(join(FIXTURES, path), tables.at(path))
    }
    await tables.settle()
    let compared = 0
    for (const path of paths) {
      const isTable = await tables.command(
        `CREATE OR REPLACE EXTERNAL TABLE x STORED AS ${format} LOCATION '${path}'`,
      )
      const low = await tables.command('CREATE OR REPLACE VIEW low AS SELECT * FROM x')
      if (isTable !== '' || low !== '') continue
      const answer = await fetch(`${tables.url}/api/table-schema?table_name=low`)
      const { fields } = (await answer.json()) as { fields: { name: string }[] }
      const names = fields.slice(0, 20).map(({ name }) => name)
      const [first = ''] = names
      const items = names.map((name, index) => `${quoted(name)} AS c${index}`).join(', ')
      const where = `WHERE ${quoted(first)} IS NOT NULL`
      const high = await tables.command(`CREATE OR REPLACE VIEW high AS SELECT ${items} FROM low ${where}`)
      const select = names.map((_, index) => `c${index}`)
      const inBrackets = `(SELECT ${items} FROM (SELECT * FROM ${read}('${path}')) ${where})`
      const byPath = await rowsOf({ sql: `SELECT ${select.join(', ')} FROM ${inBrackets} LIMIT 300` })
      if (high !== '') {
        t.equal(byPath, null, `${path}: the view is refused as the query is: ${high}`)
        continue
      }
      const byView = await rowsOf({ sql: `SELECT ${select.join(', ')} FROM high LIMIT 300` })
      t.ok(byView === byPath, `${path}: rows of the view`)
      t.ok((await rowsOf({ from: 'high', select, limit: 300 })) === byPath, `${path}: rows in JSON`)
      const counted = `SELECT count(*) AS n, count(c0) AS m`
      const count = await rowsOf({ sql: `${counted} FROM ${inBrackets}` })
      t.equal(await rowsOf({ sql: `${counted} FROM high` }), count, `${path}: counted`)
      if (byPath !== null) compared++
    }
    t.ok(compared > FILES / 3, `${compared} files were compared`)
  })
