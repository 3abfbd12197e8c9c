import { writeFileSync } from 'node:fs'
import t from 'tap'
import { startStatedService } from './asked-statements.ts'

t.test('columns of views are those that their queries have after a change below', async (t) => {
  const { state, answer, at, settle } = await startStatedService(t)
  const columns = async (name: string): Promise<unknown> => {
    const lines = await answer({ sql: `DESCRIBE ${name}` })
    return Array.isArray(lines) ? lines.slice(1).map((line: string) => line.split(',')[0]) : lines
  }
  writeFileSync(at('obs.csv'), 'n,year\n1,2023\n')
  await settle()
  await state("CREATE EXTERNAL TABLE obs STORED AS CSV LOCATION 'obs.csv'")
  await state('CREATE VIEW low AS SELECT * FROM obs')
  await state('CREATE VIEW high AS SELECT * FROM low WHERE n > 0')
  await state('CREATE VIEW years AS SELECT year FROM low')
  writeFileSync(at('obs.csv'), 'n,year,place\n1,2023,a\n')
  await settle()
  t.same(await answer({ sql: 'SELECT * FROM high' }), ['n,year', '1,2023'], 'the stored schema')
  t.equal(await state('REFRESH obs'), null)
  t.same(await answer({ sql: 'SELECT * FROM high' }), ['n,year,place', '1,2023,a'])
  t.same(await answer({ from: 'high', select: ['place'] }), ['place', 'a'])
  t.same(await columns('high'), ['n', 'year', 'place'])
  t.same(await columns('years'), ['year'])

  t.equal(await state('CREATE OR REPLACE VIEW low AS SELECT place, n FROM obs'), null)
  t.same(await columns('high'), ['place', 'n'])
  t.same(await columns('years'), ['year'], 'a view that cannot be bound keeps its columns')
  t.match(await answer({ sql: 'SELECT * FROM years' }), /year/, 'and says what is missing')
  t.equal(await state('CREATE OR REPLACE VIEW low AS SELECT year, place FROM obs'), null)
  t.same(await answer({ sql: 'SELECT * FROM years' }), ['year', '2023'])
  t.match(await answer({ sql: 'SELECT * FROM high' }), /n/)
})

t.test('views over tables that are refreshed at once have the columns of both', async (t) => {
  const { state, answer, at, settle } = await startStatedService(t)
  const described = async (name: string): Promise<readonly string[]> => {
    const lines = await answer({ sql: `DESCRIBE ${name}` })
    return typeof lines === 'string' ? [lines] : lines.slice(1).map((line) => line.split(',')[0] ?? '')
  }
  writeFileSync(at('a.csv'), 'a0\n1\n')
  writeFileSync(at('b.csv'), 'b0\n1\n')
  await settle()
  for (const name of ['a', 'b'])
    t.equal(await state(`CREATE EXTERNAL TABLE ${name} STORED AS CSV LOCATION '${name}.csv'`), null)
  t.equal(await state('CREATE VIEW "both" AS SELECT * FROM a, b'), null)
  for (let round = 1; round <= 4; round++) {
    const names = (table: string): readonly string[] => Array.from({ length: round + 1 }, (_, n) => table + n)
    for (const name of ['a', 'b'])
      writeFileSync(at(`${name}.csv`), `${names(name)}\n${names(name).map(() => 1)}\n`)
    await settle()
    const statements = ['REFRESH a', 'REFRESH b', `CREATE VIEW v${round} AS SELECT * FROM b, a`]
    t.same(await Promise.all(statements.map(state)), [null, null, null])
    t.same(await described('"both"'), [...names('a'), ...names('b')])
    t.same(await described(`v${round}`), [...names('b'), ...names('a')])
  }
})

t.test('statements at once leave what one order of them would', async (t) => {
  const { state, answer, at, settle } = await startStatedService(t)
  writeFileSync(at('obs.csv'), 'n\n1\n')
  await settle()
  await state("CREATE EXTERNAL TABLE obs STORED AS CSV LOCATION 'obs.csv'")
  const created = await Promise.all(
    Array.from({ length: 8 }, (_, index) => state(`CREATE VIEW v AS SELECT n AS n${index} FROM obs`)),
  )
  t.equal(created.filter((error) => error === null).length, 1, 'one of them has created it')
  for (const error of created) if (error !== null) t.match(error, /There is a view "v" already/)

  await state('CREATE VIEW one AS SELECT n FROM obs')
  await state('CREATE VIEW two AS SELECT n FROM obs')
  const replaced = await Promise.all([
    state('CREATE OR REPLACE VIEW one AS SELECT n FROM two'),
    state('CREATE OR REPLACE VIEW two AS SELECT n FROM one'),
  ])
  t.equal(replaced.filter((error) => error === null).length, 1, 'a circle is not closed')
  t.match(String(replaced.find((error) => error !== null)), /would read itself/)
  t.same(await answer({ sql: 'SELECT * FROM one' }), ['n', '1'])

  await state('CREATE OR REPLACE VIEW one AS SELECT * FROM obs')
  await state('CREATE OR REPLACE VIEW two AS SELECT * FROM one')
  writeFileSync(at('obs.csv'), 'n,m\n1,2\n')
  await settle()
  await Promise.all([state('REFRESH obs'), state('DROP VIEW two'), state('DROP VIEW one')])
  for (const name of ['one', 'two'])
    t.match(
      await answer({ sql: `SELECT * FROM ${name}` }),
      /There is no table/,
      'REFRESH brings no view back',
    )
  const dropped = await Promise.all(Array.from({ length: 4 }, () => state('DROP VIEW v')))
  t.equal(dropped.filter((error) => error === null).length, 1)
})
