import t from 'tap'
import { appendFloat } from '../../src/wasm/duckdb/catalog/bind-arguments.ts'
import { openFunctionCatalog } from '../../src/wasm/duckdb/catalog/function-catalog.ts'
import type { Overload } from '../../src/wasm/duckdb/catalog/overload.ts'
import { isFailure, queryTexts } from '../../src/wasm/duckdb/statement.ts'
import { openDuck } from '../sql/duck.ts'

const database = await openDuck()
const { duck, connections } = database
const catalog = openFunctionCatalog(database)

const first = (sql: string): string => {
  const rows = queryTexts(duck, connections[0] ?? 0, `SELECT COLUMNS(*)::VARCHAR FROM (${sql})`)
  return isFailure(rows) ? rows.failure : (rows[0] ?? []).join(' ')
}
const find = (overloads: readonly Overload[], parameters: string): Overload => {
  const found = overloads.find((overload) => overload.parameters.join() === parameters)
  if (found === undefined) throw new Error(`no overload (${parameters})`)
  return found
}

t.test('the overloads of a function are read, with their types', async (t) => {
  const year = catalog.overloads('scalar', 'year')
  t.same(year.map(({ parameters }) => parameters.join()).sort(), [
    'date',
    'interval',
    'timestamp',
    'timestamp_tz',
  ])
  t.same(
    new Set(year.map(({ returns }) => returns)),
    new Set(['bigint']),
    'names of types are those of the C API',
  )
  t.ok(catalog.overloads('aggregate', 'approx_count_distinct').length > 0)
  t.same(catalog.overloads('aggregate', 'year'), [], 'a scalar function is no aggregate')
  t.same(catalog.overloads('scalar', 'current_user'), [], 'nor is a macro a scalar function')
  t.same(catalog.overloads('scalar', 'a_function_of_another_database'), [])
})

t.test('an overload without an implementation gets that of another one', async (t) => {
  t.match(first("SELECT year(TIMESTAMPTZ '2020-03-01 00:00:00+00')"), /icu/)
  const of = find(catalog.overloads('scalar', 'year'), 'timestamp')
  catalog.register('year', [{ of, parameters: ['timestamp_tz'] }])
  t.equal(first("SELECT year(TIMESTAMPTZ '2020-03-01 00:00:00+00')"), '2020')
  t.equal(first("SELECT extract(year FROM TIMESTAMP '2020-03-01')"), '2020', 'the others are as they were')
  t.equal(catalog.overloads('scalar', 'year').length, 4)
})

t.test('an operator gets an overload that it did not have', async (t) => {
  t.match(first("SELECT to_timestamp(0) - INTERVAL '1' HOUR"), /No function matches/)
  const of = find(catalog.overloads('scalar', '-'), 'timestamp,interval')
  const before = catalog.overloads('scalar', '-').length
  catalog.register('-', [{ of, parameters: ['timestamp_tz', 'interval'], returns: 'timestamp_tz' }])
  t.equal(catalog.overloads('scalar', '-').length, before + 1)
  t.equal(first("SELECT to_timestamp(0) - INTERVAL '1' HOUR"), '1969-12-31 23:00:00+00')
  t.equal(first('SELECT 5 - 3'), '2')
})

t.test('an aggregate gets an overload, and one of its own is replaced', async (t) => {
  const of = find(catalog.overloads('aggregate', 'sum'), 'hugeint')
  const before = catalog.overloads('aggregate', 'sum').length
  catalog.register('sum', [
    { of, parameters: ['uhugeint'], returns: 'uhugeint' },
    { of, parameters: ['hugeint'] },
  ])
  t.equal(catalog.overloads('aggregate', 'sum').length, before + 1)
  t.equal(first('SELECT typeof(sum(range::UHUGEINT)), sum(range::UHUGEINT) FROM range(4)'), 'UHUGEINT 6')
  t.equal(first('SELECT sum(range), sum(1.50), sum(range::HUGEINT) FROM range(4)'), '6 6.00 6')
})

t.test('what binds a call is a function of JavaScript', async (t) => {
  const of = find(catalog.overloads('aggregate', 'count_if'), 'boolean')
  let calls = 0
  const bind = duck.addFunction(3, () => {
    calls++
    return 0
  })
  catalog.register('true_values', [{ of, bind }])
  t.equal(first('SELECT true_values(range > 1) FROM range(4)'), '2')
  t.ok(calls > 0)
})

t.test(
  'a copy may have fewer parameters, or more, if what binds it makes them those of the original',
  async (t) => {
    const of = find(catalog.overloads('aggregate', 'approx_quantile'), 'bigint,float')
    const halves = duck.addFunction(3, (context = 0, overload = 0, args = 0) => {
      appendFloat(duck, overload, args, 0.5)
      return duck.callPointer(of.bind, context, overload, args)
    })
    const share = (sql: string) => first(`SELECT ${sql} FROM range(101) t(n)`)
    catalog.register('middle', [{ of, parameters: ['bigint'], bind: halves }])
    t.equal(share('middle(n)'), '50')
    t.equal(share('middle(n) FILTER (n > 49)'), '75')
    const shorter = duck.addFunction(3, (context = 0, overload = 0, args = 0) => {
      duck.api.erase_argument(overload, args, 2n)
      return duck.callPointer(of.bind, context, overload, args)
    })
    catalog.register('share', [{ of, parameters: ['bigint', 'float', 'varchar'], bind: shorter }])
    t.equal(share("share(n, 0.25, 'ignored')"), '25')
    t.match(share("share(n, n, 'ignored')"), /constant/, 'what binds it natively may throw')
    t.equal(share("share(n, 1, 'ignored')"), '100')
  },
)

t.test('a function gets a second name, with all that it can do', async (t) => {
  catalog.alias('distinct_values', 'aggregate', 'approx_count_distinct')
  catalog.alias('a_name_that_is_longer', 'aggregate', 'first')
  catalog.alias('btrim', 'scalar', 'trim')
  t.equal(first('SELECT distinct_values(DISTINCT n) FILTER (n > 3) FROM range(10) AS t(n)'), '6')
  t.equal(first('SELECT a_name_that_is_longer(n ORDER BY n DESC) FROM range(10) AS t(n)'), '9')
  t.equal(
    first('SELECT max(c) FROM (SELECT distinct_values(n) OVER (ORDER BY n) AS c FROM range(3) AS t(n))'),
    '3',
  )
  t.equal(first("SELECT btrim(' a '), btrim('xax', 'x')"), 'a a')
  t.equal(first("SELECT trim(' a ')"), 'a')
})

t.test('what cannot be done is an error that says so', async (t) => {
  const internal = { code: 'internal' }
  t.throws(() => catalog.alias('x', 'scalar', 'no_such_function'), internal)
  const trim = find(catalog.overloads('scalar', 'trim'), 'varchar')
  const listed = find(catalog.overloads('scalar', 'date_part'), 'list,date')
  t.throws(() => catalog.register('y', [{ of: listed, parameters: ['date', 'date'] }]), internal, 'a list')
  const sum = find(catalog.overloads('aggregate', 'sum'), 'hugeint')
  t.throws(() => catalog.register('y', [{ of: trim }, { of: sum }]), internal, 'two kinds')
})
