import { writeFileSync } from 'node:fs'
import { Table, tableToIPC, Uint8, Uint16, Uint32, Uint64, vectorFromArray } from 'apache-arrow'
import t from 'tap'
import { askBoth, sameAnswers, show } from '../../sql/select/both-engines.ts'
import { startStatedService } from '../../statements/asked-statements.ts'
import { writeParquetFile } from '../parquet-file.ts'

const ROWS = 200
const every = <T>(values: readonly T[]): T[] =>
  Array.from({ length: ROWS }, (_, row) => values[row % values.length] as T)

const most = 2n ** 64n - 1n
const table = new Table({
  g: vectorFromArray(every([1, 2, 3, null, 5]), new Uint8()),
  a: vectorFromArray(every([0, 255, null, 7]), new Uint8()),
  b: vectorFromArray(every([65_535, null, 1]), new Uint16()),
  c: vectorFromArray(every([4_294_967_295, 4_294_967_295, null, 2, 9, 1]), new Uint32()),
  d: vectorFromArray(every([null, most / 500n, 0n, 3n]), new Uint64()),
  // The sum of the whole column is the greatest that there is.
  e: vectorFromArray(
    Array.from({ length: ROWS }, (_, row) => (row === 3 ? most - 5n : row === 9 ? 5n : 0n)),
    new Uint64(),
  ),
  // That of rows 0 and 2 does not fit.
  f: vectorFromArray(
    Array.from({ length: ROWS }, (_, row) => (row === 0 ? most : row === 2 ? 1n : null)),
    new Uint64(),
  ),
})

const STATEMENTS = [
  'SELECT sum(a), sum(b), sum(c), sum(d), sum(e) FROM t',
  'SELECT g, sum(a), sum(b), sum(c), sum(d), sum(e) FROM t GROUP BY g ORDER BY g',
  'SELECT g, a, sum(c) AS s FROM t GROUP BY ALL ORDER BY s DESC, g, a',
  'SELECT sum(a), sum(d) FROM t WHERE a > 300 OR g > 5',
  'SELECT g, sum(c) FROM t GROUP BY g HAVING sum(c) > 100 ORDER BY g',
  'SELECT g, sum(b) FROM t GROUP BY g HAVING sum(b) >= 65535.5 AND sum(b) <> -1 ORDER BY g',
  'SELECT g, sum(a) FROM t GROUP BY g HAVING sum(a) = 18446744073709551616 OR sum(a) IS NULL ORDER BY g',
  'SELECT g, sum(a) AS s FROM t GROUP BY g ORDER BY s DESC, g LIMIT 2 OFFSET 1',
  'SELECT count(*) FROM (SELECT g, sum(a) AS s FROM t GROUP BY g)',
  'SELECT g, var(a), Var(b), var(t.d) AS v FROM t GROUP BY g ORDER BY g',
  'SELECT sum(g) AS s, sum(a) AS s2 FROM (SELECT g, a FROM t WHERE g < 4)',
]

const TOO_LARGE = /a sum of integers does not fit into UInt64: write sum\(x::DECIMAL\(38, 0\)\)/

const service = await startStatedService(t)
writeFileSync(service.at('t.arrow'), tableToIPC(table, 'file'))
writeParquetFile(service.at('t.parquet'), table, 7)

for (const source of ["read_arrow('t.arrow')", "read_parquet('t.parquet')"])
  t.test(`${source}: the core = DuckDB`, async (t) => {
    const over = (sql: string) => sql.replaceAll(/\bFROM t\b/g, `FROM ${source} AS t`)
    for (const statement of STATEMENTS) {
      const { engine, core, duck } = await askBoth(service, over(statement))
      t.equal(engine, 'core', statement)
      t.ok(
        typeof core === 'object' && sameAnswers(core, duck, true),
        `${statement}\n${show(core)}\n${show(duck)}`,
      )
    }
    for (const statement of [
      'SELECT sum(f) FROM t',
      'SELECT g < 9 AS k, sum(f) FROM t WHERE g > 0 GROUP BY k',
    ]) {
      const { core, duck } = await askBoth(service, over(statement))
      for (const answer of [core, duck]) t.match(answer, TOO_LARGE, `${statement}: ${show(answer)}`)
    }
    t.match(await service.answer({ sql: over('SELECT sum(e) FROM t') }), ['sum(e)', String(most)])
  })

t.test('a view, what describes it and what is asked of it have the same types', async (t) => {
  const sums =
    "SELECT g, sum(a) AS a, sum(d) AS d, sum(g::INTEGER) AS i FROM read_parquet('t.parquet') GROUP BY g"
  t.equal(await service.state(`CREATE VIEW sums AS ${sums}`), null)
  const described = [
    'column_name,data_type,is_nullable',
    'g,UInt8,YES',
    'a,UInt64,YES',
    'd,UInt64,YES',
    'i,Int64,YES',
  ]
  t.same(await service.answer({ sql: 'DESCRIBE sums' }), described)
  t.same(await service.answer({ sql: `DESCRIBE ${sums}` }), described)
  const response = await fetch(`${service.url}/api/table-schema?table_name=sums`)
  t.match(await response.text(), /"a".*UInt64.*"d".*UInt64.*"i".*Int64/s)
  for (const query of [
    { sql: 'SELECT a, d FROM sums' },
    { sql: 'SELECT max(a) AS a, sum(d) AS d FROM sums' },
    { sql: 'WITH x AS (SELECT sum(a) AS a, min(d) AS d FROM sums) SELECT * FROM x' },
    { sql: 'SELECT a, d FROM sums WHERE a > 3 UNION ALL SELECT sum(a), sum(d) FROM sums' },
    { from: 'sums', select: [{ column: 'a' }, { column: 'd' }], filters: [{ column: 'a', min: 1 }] },
    {
      from: 'sums',
      select: [{ column: 'a' }, { function: 'abs', args: ['d'], alias: 'd' }],
    },
  ]) {
    const { schema } = await service.rows(query)
    t.same(
      schema.fields.map(({ name, type }) => `${name} ${type}`),
      ['a Uint64', 'd Uint64'],
      show(query),
    )
  }
})
