import t from 'tap'
import type { SqlRowsAnswer } from '../../src/plan/task/task.ts'
import { type TestEngine, testEngine } from './engine.ts'

const engine = await testEngine()

/** Prepares a statement under a key of its own, and begins to run it. */
function begin(
  { engine, cancel }: TestEngine,
  key: string,
  sql: string,
  { isProfiled = true, answerBytes = 1 << 20, stop = cancel } = {},
): SqlRowsAnswer {
  engine.prepare({
    kind: 'sql_prepare',
    key,
    sql,
    definitions: [],
    absent: [],
    sources: [],
    values: [],
    ...(isProfiled && { isProfiled: true as const }),
    cancel: stop,
  })
  const rest = { scans: [], assistance: null, encoding: 'arrow', caching: true } as const
  return engine.open({ kind: 'sql_open', key, ...rest, answerBytes, cancel: stop })
}

/** The last answer to a statement that has begun. */
function last({ engine }: TestEngine, key: string, first: SqlRowsAnswer): SqlRowsAnswer {
  let answer = first
  while (!answer.isDone) answer = engine.pull({ kind: 'sql_pull', key, answerBytes: 1 << 20 })
  return answer
}

const GROUPS = 'SELECT x % 7 AS g, sum(x) AS s FROM range(100000) t(x) WHERE x % 3 = 0 GROUP BY g ORDER BY g'

t.test('the operators of a statement have their rows and times', async (t) => {
  const { profile } = last(engine, 'a', begin(engine, 'a', GROUPS))
  const names: string[] = []
  const rows: number[] = []
  for (let each = profile; each !== undefined; each = each.children[0]) {
    names.push(each.name)
    rows.push(each.rows)
    t.ok(Number.isInteger(each.us) && each.us >= 0)
  }
  t.same(names, ['ORDER_BY', 'HASH_GROUP_BY', 'PROJECTION', 'FILTER', 'RANGE'])
  t.same(rows, [7, 7, 33_334, 33_334, 100_000])
})

t.test('a statement that does not ask is not measured', async (t) => {
  t.equal(last(engine, 'a', begin(engine, 'a', GROUPS, { isProfiled: false })).profile, undefined)
})

t.test('four statements are measured at once, and others run without', async (t) => {
  const keys = Array.from({ length: 6 }, (_, index) => `s${index}`)
  const sql = 'SELECT x FROM range(300000) t(x)'
  const firsts = keys.map((key) => begin(engine, key, sql, { answerBytes: 1 }))
  const rows = keys.map((key, index) => {
    const first = firsts[index]
    return first && last(engine, key, first).profile?.rows
  })
  t.same(rows, [300_000, 300_000, 300_000, 300_000, undefined, undefined])
  t.equal(
    last(engine, 'again', begin(engine, 'again', sql)).profile?.rows,
    300_000,
    'their places are free again',
  )
})

t.test('statements that fail, are closed or are cancelled free their places', async (t) => {
  for (let turn = 0; turn < 10; turn++) {
    t.throws(() => begin(engine, 'failing', 'SELECT nothing'), { code: 'invalid_sql' })
    t.throws(
      () => last(engine, 'f', begin(engine, 'f', "SELECT CAST('x' || x AS INTEGER) AS n FROM range(9) t(x)")),
      {
        code: 'invalid_sql',
      },
    )
    begin(engine, 'left', 'SELECT x FROM range(300000) t(x)', { answerBytes: 1 })
    engine.engine.close('left')
    const stop = new SharedArrayBuffer(4)
    const first = begin(engine, 'stopped', 'SELECT x FROM range(300000) t(x)', { answerBytes: 1, stop })
    Atomics.store(new Int32Array(stop), 0, 1)
    t.throws(() => last(engine, 'stopped', first), { code: 'cancelled' })
  }
  t.equal(last(engine, 'a', begin(engine, 'a', GROUPS)).profile?.rows, 7)
})

t.test('a profile is deep or wide as its plan is', async (t) => {
  const wide = Array.from({ length: 300 }, (_, x) => `SELECT ${x} AS x`).join(' UNION ALL ')
  const { profile } = last(engine, 'w', begin(engine, 'w', `SELECT count(*) AS n FROM (${wide})`))
  let operators = 0
  const count = (each: NonNullable<typeof profile>): void => {
    operators++
    each.children.forEach(count)
  }
  if (profile !== undefined) count(profile)
  t.ok(operators > 300)
})
