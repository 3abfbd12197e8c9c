import assert from 'node:assert/strict'
import t from 'tap'
import { startTables, waysToAsk } from '../../external/tables.ts'

/** Names that code may mishandle which writes SQL, paths, records or URLs without care. */
const NAMES = [
  'a.b',
  'a.b.c.d',
  '.',
  'say "x"',
  '"',
  "it's",
  'with space',
  ' padded ',
  '水温',
  '\u{1F600}',
  'e\u0301',
  'select',
  'Table',
  'NULL',
  '1',
  '1e5',
  '*',
  'a\nb',
  'a\tb',
  '$1',
  '?',
  '%s',
  'a\\b',
  '../b',
  'constructor',
  'toString',
  "x'; DROP TABLE other; --",
  '/* x',
  'public',
  'service',
  'main',
  'memory',
  'temp',
  'system',
  'read_csv',
  "read_csv('a.csv')",
  'list_datasets',
  'query_table',
  '_table',
  '_rows',
  'sql',
  'current_date',
  'rowid',
  'x'.repeat(1000),
  '\u{1F600}'.repeat(250),
]

/** Names of the service and of DuckDB. */
const REFUSED = [
  '',
  '__x',
  '__proto__',
  'duckdb_tables',
  'DuckDB_x',
  'pg_class',
  'pragma_x',
  'PRAGMA_version',
  'sqlite_master',
]

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const tables = await startTables(t)
const { put, command, ask, settle, url } = tables
put('a.csv', 'n,s\n1,x\n2,y\n')
put('b.csv', 'n,s\n7,z\n')
await settle()
assert.equal(await command("CREATE EXTERNAL TABLE other STORED AS CSV LOCATION 'b.csv'"), '')

const names = async (): Promise<unknown> => (await fetch(`${url}/api/tables`)).json()

for (const name of NAMES) {
  t.test(`a table and a view named ${JSON.stringify(name).slice(0, 50)}`, async (t) => {
    const written = quoted(name)
    t.equal(await command(`CREATE EXTERNAL TABLE ${written} STORED AS CSV LOCATION 'a.csv'`), '')
    t.same(await names(), ['default', 'other', name].toSorted(byBytes))
    const rows = ['n,s', '1,x', '2,y']
    const ways = {
      ...waysToAsk(written, ['n', 's']),
      'by its exact name': { from: name, select: ['n', 's'] },
      'with its schema': { sql: `SELECT n, s FROM public.${written}` },
      'with its catalog, in DuckDB': {
        sql: `SELECT n, s FROM service.public.${written} QUALIFY row_number() OVER () > 0`,
      },
      'among common tables': { sql: `WITH c AS (FROM ${written}) SELECT c.n, c.s FROM c ORDER BY n` },
      'qualifying a column': { sql: `SELECT ${written}.n, ${written}.s FROM ${written}` },
    }
    for (const [way, query] of Object.entries(ways)) t.same(await ask(query), rows, way)
    const schema = await fetch(`${url}/api/table-schema?table_name=${encodeURIComponent(name)}`)
    t.equal(schema.status, 200)

    t.equal(await command(`CREATE VIEW ${quoted(`${name}!`)} AS SELECT s, n FROM ${written} WHERE n > 1`), '')
    for (const [way, query] of Object.entries(waysToAsk(quoted(`${name}!`), ['s', 'n'])))
      t.same(await ask(query), ['s,n', 'y,2'], `through a view: ${way}`)
    t.equal(await command(`REFRESH TABLE ${written}`), '')
    t.equal(await command(`CREATE OR REPLACE EXTERNAL TABLE ${written} STORED AS CSV LOCATION 'b.csv'`), '')
    t.same(await ask({ from: name, select: ['n'] }), ['n', '7'])
    t.same(await ask({ from: `${name}!`, select: ['n'] }), ['n', '7'])
    t.equal(await command(`DROP VIEW ${quoted(`${name}!`)}`), '')
    t.equal(await command(`DROP TABLE ${written}`), '')
    t.same(await names(), ['default', 'other'])
  })
}

t.test('names that are not available', async (t) => {
  for (const name of REFUSED)
    for (const create of [
      `CREATE EXTERNAL TABLE ${quoted(name)} STORED AS CSV LOCATION 'a.csv'`,
      `CREATE VIEW ${quoted(name)} AS SELECT 1 AS one`,
    ])
      t.not(await command(create), '', create)
  t.same(await names(), ['default', 'other'])
})

t.test('names are equal whatever the case of A to Z, and of no other letters', async (t) => {
  t.equal(await command(`CREATE VIEW "Naïve" AS SELECT 1 AS n`), '')
  t.match(await command(`CREATE VIEW "nAïVE" AS SELECT 2 AS n`), /"Naïve" already/)
  t.equal(await command(`CREATE VIEW "NAÏVE" AS SELECT 3 AS n`), '')
  t.equal(await command(`CREATE VIEW "nai\u0308ve" AS SELECT 4 AS n`), '')
  t.same(await names(), ['NAÏVE', 'Naïve', 'default', 'nai\u0308ve', 'other'].toSorted(byBytes))
  t.same(await ask('SELECT n FROM "naïve"'), ['n', '1'])
  t.same(await ask('SELECT n FROM "naÏve"'), ['n', '3'])
  t.same(await ask({ from: 'nai\u0308VE', select: ['n'] }), ['n', '4'])
  t.equal(await command('DROP TABLE "NAïVE"'), '')
  t.match(await ask('SELECT n FROM "naïve"'), /There is no table/)
})

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
