import { copyFileSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import t from 'tap'
import { startTables, type Tables } from './tables.ts'

const FIXTURES = 'test/fixtures'

const FORMATS = [
  ['PARQUET', 'parquet', 'parquet/*.parquet'],
  ['ARROW', 'arrow', 'arrow/*.arrow'],
  ['CSV', 'csv', 'csv/*.csv'],
  ['NC', 'netcdf', 'netcdf*/*.nc'],
  ['HDF5', 'hdf5', 'hdf5/*.h5'],
] as const

const tables = await startTables(t)

/** The rows of a query as a text, or the message of its error. */
async function rowsOf({ post }: Tables, query: object): Promise<{ status: number; text: string }> {
  const response = await post({ ...query, output: { format: 'ndjson' } })
  return { status: response.status, text: await response.text() }
}

async function copied(path: string): Promise<void> {
  mkdirSync(dirname(tables.at(path)), { recursive: true })
  copyFileSync(join(FIXTURES, path), tables.at(path))
}

for (const [format, key, pattern] of FORMATS)
  t.test(`files of ${format}`, async (t) => {
    const paths = globSync(pattern, { cwd: FIXTURES }).sort()
    t.ok(paths.length > 3, format)
    await Promise.all(paths.map(copied))
    await tables.settle()
    for (const path of paths) {
      const answer = await fetch(`${tables.url}/api/dataset-schema?file=${encodeURIComponent(path)}`)
      const created = await tables.command(
        `CREATE OR REPLACE EXTERNAL TABLE x STORED AS ${format} LOCATION '${path}'`,
      )
      t.equal(created === '', answer.status === 200, `${path}: ${created}`)
      if (answer.status !== 200) continue
      const { fields } = (await answer.json()) as { fields: { name: string }[] }
      const select = fields.slice(0, 50).map(({ name }) => name)
      if (select.length === 0) continue
      const byPath = await rowsOf(tables, { from: { [key]: { paths: [path] } }, select, limit: 500 })
      const byName = await rowsOf(tables, { from: 'x', select, limit: 500 })
      t.equal(byName.status, byPath.status, `${path}: ${byName.text.slice(0, 200)}`)
      if (byPath.status === 200) t.ok(byName.text === byPath.text, path)
    }
  })

t.test('CSV in dialects, by OPTIONS', async (t) => {
  for (const file of globSync('csv-dialects/*.json', { cwd: FIXTURES }).sort()) {
    // Types are no key of OPTIONS: the columns of a table are declared.
    const { types: _, ...options } = JSON.parse(readFileSync(join(FIXTURES, file), 'utf8')) as Record<
      string,
      unknown
    >
    const path = file.replace(/json$/, 'txt')
    await copied(path)
    await tables.settle()
    const written = Object.entries(options).map(
      ([name, value]) => `'${name}' '${String(value).replaceAll("'", "''")}'`,
    )
    t.equal(
      await tables.command(
        `CREATE OR REPLACE EXTERNAL TABLE x STORED AS CSV LOCATION '${path}' OPTIONS (${written.join(', ')})`,
      ),
      '',
      basename(path),
    )
    const answer = await fetch(`${tables.url}/api/table-schema?table_name=x`)
    const { fields } = (await answer.json()) as { fields: { name: string }[] }
    const select = fields.map(({ name }) => name)
    const byPath = await rowsOf(tables, { from: { csv: { paths: [path], ...options } }, select })
    t.same(await rowsOf(tables, { from: 'x', select }), byPath, path)
    t.equal(byPath.status, 200, path)
  }
})
