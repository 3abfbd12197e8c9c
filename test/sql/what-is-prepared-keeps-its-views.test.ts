import t from 'tap'
import type { NamedDefinition } from '../../src/plan/statement/definition.ts'
import type { Source } from '../../src/plan/statement/statement.ts'
import { numbers, tableOf, testEngine } from './engine.ts'

const { engine, run, rest, prepare, open, pull, cancel } = await testEngine()

/** The source of a table with the numbers below 10 000. */
const table = (name: string): Source => ({
  ...numbers(10_000),
  request: { kind: 'table', catalog: null, schema: null, name },
})
const SOURCES = [table('t')]
const T: NamedDefinition = { name: 't', digest: 'a table', query: null }
const view = (name: string, query: string): NamedDefinition => ({ name, digest: query, query })

/** `v` as it is at first and as others make it, and what they do to it besides. */
const V = view('v', 'SELECT n, n * 2 AS m FROM t WHERE n >= 9000')
const OTHERS: readonly (readonly NamedDefinition[])[] = [
  [T, view('v', 'SELECT n, n * 3 AS m FROM t WHERE n < 10')],
  [view('t', 'SELECT 5 AS n'), view('v', "SELECT 'x' AS n, n AS m, n AS k FROM t")],
  [],
]

/** Statements of kinds that DuckDB plans and runs differently, all of them over `v`, with the sum of their column `m`. */
const STATEMENTS: readonly (readonly [sql: string, sum: number])[] = [
  ['SELECT m FROM v', 18_999_000],
  ['SELECT sum(m) AS m FROM v', 18_999_000],
  ['SELECT sum(v.m) AS m FROM v JOIN public.v w USING (n)', 18_999_000],
  ['WITH x AS MATERIALIZED (FROM v) SELECT m FROM x', 18_999_000],
  ['SELECT m FROM v ORDER BY m DESC LIMIT 1', 19_998],
  ['SELECT m FROM (SELECT m, row_number() OVER (ORDER BY n) AS r FROM v) WHERE r = 1', 18_000],
  ['SELECT m FROM (PIVOT v ON n IN (9000) USING count(*)) WHERE m = 18000', 18_000],
  ['SELECT m FROM v WHERE n IN (SELECT max(n) FROM v)', 19_998],
  ['SELECT DISTINCT m FROM v WHERE n > 9998', 19_998],
  ['SELECT m FROM v UNION ALL SELECT 0', 18_999_000],
  ['SELECT max(m)::BIGINT AS m FROM v WHERE now() IS NOT NULL', 19_998],
]

const sumOf = (rows: ReturnType<typeof rest>): number =>
  [...(rows.getChild('m') ?? [])].reduce((sum, m) => sum + Number(m), 0)

/** What other statements do: they have the views made as they are for them, and drop them. */
function disturb(round: number): void {
  const definitions = OTHERS[round % OTHERS.length] ?? []
  const absent = definitions.length === 0 ? ['v', 't'] : []
  const sql = definitions.length === 0 ? 'SELECT 1' : 'SELECT count(*) FROM v'
  const answer = engine.prepare({
    kind: 'sql_prepare',
    key: 'other',
    sql,
    definitions,
    absent,
    sources: SOURCES,
    values: [],
    cancel,
  })
  t.equal(answer.kind, 'sql_prepared')
  engine.close('other')
}

t.test('what is prepared and not begun', async (t) => {
  for (const [sql, sum] of STATEMENTS)
    for (const round of OTHERS.keys()) {
      const prepared = prepare(sql, SOURCES, 'a', [T, V])
      disturb(round)
      t.equal(sumOf(rest(prepared)), sum, sql)
    }
})

t.test('what is under way', async (t) => {
  for (const sql of ['SELECT m FROM v', 'SELECT m FROM v WHERE now() IS NOT NULL']) {
    const prepared = prepare(sql, SOURCES, 'a', [T, view('v', 'SELECT n, n AS m FROM t')])
    const parts = []
    let answer = open(prepared, { answerBytes: 1 })
    for (let round = 0; ; round++) {
      parts.push(...answer.parts)
      if (answer.isDone) break
      disturb(round)
      answer = pull('a', 1)
    }
    t.ok(parts.length > 1, `${parts.length} parts`)
    t.equal(sumOf(tableOf(prepared.output, parts)), (9_999 * 10_000) / 2, sql)
  }
})

t.test('of two at once, each has its own', async (t) => {
  for (const [sql, sum] of STATEMENTS.slice(0, 6)) {
    const [one, other] = [
      prepare(sql, SOURCES, 'one', [T, V]),
      prepare(sql, SOURCES, 'two', [T, view('v', 'SELECT n, n AS m FROM t WHERE n >= 9000')]),
    ]
    t.equal(sumOf(rest(other, 'two')), sum / 2, sql)
    t.equal(sumOf(rest(one, 'one')), sum, sql)
  }
})

t.test('what an engine has of others is out of reach', async (t) => {
  const secret = [view('secret', 'SELECT 42 AS m')]
  t.equal(sumOf(run('SELECT m FROM secret', [], secret)), 42)
  const ask = (sql: string) =>
    engine.prepare({
      kind: 'sql_prepare',
      key: 'b',
      sql,
      definitions: [],
      absent: ['secret'],
      sources: [],
      values: [],
      cancel,
    })
  for (const name of ['secret', 'public.SECRET', 'service.public."Secret"'])
    t.match(ask(`SELECT m FROM ${name}`), { kind: 'sql_needs', sources: [{ kind: 'table' }] }, name)
  t.equal(sumOf(run('SELECT m FROM secret', [], secret)), 42)
  t.equal(sumOf(run('WITH secret AS (SELECT 1 AS m) SELECT m FROM secret', [], [])), 1)
})

t.test('as many views as there may be tables', async (t) => {
  const many = Array.from({ length: 700 }, (_, k) => view(`v${k}`, `SELECT ${k} AS m`))
  for (const definition of many)
    t.equal(
      sumOf(run(`SELECT m FROM ${definition.name}`, [], [definition])),
      Number(definition.name.slice(1)),
    )
  t.equal(sumOf(run('SELECT m FROM v0', [], many)), 0)
})

t.test('views that read each other are an error, and DuckDB lives', async (t) => {
  const circle = [view('x', 'FROM y'), view('y', 'FROM x')]
  t.throws(() => prepare('FROM x', [], 'a', circle), {
    code: 'invalid_sql',
    message: /The view "\w" reads itself/,
  })
  t.throws(() => prepare('FROM z', [], 'a', [view('z', 'SELECT 1 AS a FROM z')]), {
    message: /The view "z" reads itself/,
  })
  t.equal(sumOf(run('WITH x AS (SELECT 3 AS m) FROM x', [], circle)), 3, 'nobody reads them')
  t.notOk(engine.isDead())
})
