import { rmSync } from 'node:fs'
import t from 'tap'
import { startTables, type Tables, waysToAsk } from '../../external/tables.ts'

/** Asks for columns in every way, and expects the same lines of all of them. */
async function sameLines(
  t: Parameters<typeof startTables>[0],
  { ask }: Tables,
  table: string,
  lines: readonly string[],
): Promise<void> {
  const columns = (lines[0] ?? '').split(',')
  for (const [way, query] of Object.entries(waysToAsk(table, columns)))
    t.same(await ask(query), lines, `${table}: ${way}`)
}

t.test('from the first CREATE to a DROP, with restarts between', async (t) => {
  const morning = await startTables(t)
  const { put, at, command, ask, settle, dataDir } = morning
  put('obs/year=2023/a.csv', 'n,site\n1,a\n2,b\n')
  put('obs/year=2024/b.csv', 'n,site\n3,a\n4,\n')
  put('other.csv', 'n,site,year\n9,z,2030\n')
  await settle()

  t.equal(
    await command(
      "CREATE EXTERNAL TABLE obs STORED AS CSV PARTITIONED BY (year INT) LOCATION 'obs/' OPTIONS ('delimiter' ',')",
    ),
    '',
  )
  await sameLines(t, morning, 'obs', ['n,site,year', '1,a,2023', '2,b,2023', '3,a,2024', '4,,2024'])
  t.equal(
    await command('CREATE VIEW recent AS SELECT n AS number, year, site FROM obs WHERE year >= 2024'),
    '',
  )
  t.equal(
    await command('CREATE VIEW "recent at a" AS SELECT number AS No FROM recent WHERE site = \'a\''),
    '',
  )
  t.equal(
    await command(
      'CREATE VIEW ranked AS SELECT number, row_number() OVER (ORDER BY number DESC) AS place FROM recent',
    ),
    '',
  )
  await sameLines(t, morning, 'recent', ['number,year,site', '3,2024,a', '4,2024,'])
  await sameLines(t, morning, '"recent at a"', ['No', '3'])
  t.same(await ask('SELECT * FROM ranked ORDER BY place'), ['number,place', '4,1', '3,2'])
  t.match(await command('CREATE VIEW obs AS SELECT 1 AS one'), /There is a table "obs" already/)
  t.equal(await command('CREATE VIEW IF NOT EXISTS obs AS SELECT 1 AS one'), '', 'it stays')

  put('obs/year=2025/c.csv', 'n,site,depth\n5,a,1.5\n')
  await settle()
  await sameLines(t, morning, '"recent at a"', ['No', '3', '5'])
  t.match(await ask('SELECT depth FROM obs'), /depth/)
  t.equal(await command('REFRESH TABLE obs'), '')
  t.same(await ask('SELECT n, depth FROM obs WHERE year = 2025'), ['n,depth', '5,1.5'])

  t.equal(await command("CREATE OR REPLACE EXTERNAL TABLE obs STORED AS CSV LOCATION 'other.csv'"), '')
  await sameLines(t, morning, 'recent', ['number,year,site', '9,2030,z'])
  await sameLines(t, morning, '"recent at a"', ['No'])
  t.same(await ask('SELECT * FROM ranked'), ['number,place', '9,1'])
  await morning.close()

  const noon = await startTables(t, { dataDir })
  await sameLines(t, noon, 'obs', ['n,site,year', '9,z,2030'])
  await sameLines(t, noon, 'recent', ['number,year,site', '9,2030,z'])
  t.same(await noon.ask('SELECT * FROM ranked'), ['number,place', '9,1'])
  t.equal(await noon.command('DROP TABLE recent'), '', 'DROP TABLE drops a view')
  for (const query of Object.values(waysToAsk('"recent at a"', ['No'])))
    t.match(await noon.ask(query), /recent at a.*recent/, 'both are named')
  t.equal(await noon.command('CREATE VIEW recent AS SELECT n AS number, site FROM obs'), '')
  t.equal(await noon.command('DROP VIEW IF EXISTS ranked'), '')
  t.equal(await noon.command('DROP VIEW IF EXISTS ranked'), '')
  t.match(await noon.command('DROP VIEW ranked'), /"ranked"/)
  await noon.close()

  const evening = await startTables(t, { dataDir })
  await sameLines(t, evening, 'recent', ['number,site', '9,z'])
  t.match(await evening.ask('FROM ranked'), /There is no table "ranked"/)
  rmSync(at('other.csv'))
  await sameLines(t, evening, 'recent', ['number,site'])
  for (const name of ['"recent at a"', 'recent', 'obs'])
    t.equal(await evening.command(`DROP TABLE ${name}`), '', name)
  t.same(await (await fetch(`${evening.url}/api/tables`)).json(), ['default'])
  await evening.close()

  const night = await startTables(t, { dataDir })
  t.same(await (await fetch(`${night.url}/api/tables`)).json(), ['default'])
  put('obs/year=2023/d.csv', 'n,site\n7,a\n')
  t.same(
    await night.ask("SELECT n FROM read_csv('obs/year=2023/*.csv')"),
    ['n', '1', '2', '7'],
    'the files are as they were',
  )
})
