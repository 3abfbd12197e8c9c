import t from 'tap'
import { FUNCTIONS } from '../../src/plan/functions/functions.ts'
import { numbers, type TestEngine, testEngine } from '../sql/engine.ts'

function made({ engine }: TestEngine): ReadonlySet<string> {
  return new Set(engine.signatures().map(({ name }) => name))
}

t.test('a macro is there from the statement on that names it', async (t) => {
  const engine = await testEngine()
  const { run } = engine
  t.notOk(made(engine).has('nvl2'))
  t.ok(engine.engine.functions.includes('nvl2'), 'JSON requests may call it before')
  t.equal(run('SELECT nvl2(NULL, 1, 2) AS x').get(0)?.['x'], 2)
  t.ok(made(engine).has('nvl2'))
  for (const [call, value] of [
    ['"nvl"(NULL, 5)', 5],
    ['NaNvl(1.0::DOUBLE, 2)', 1],
    ["main.btrim(' a ')", 'a'],
    ['(-2.0::DOUBLE).signum()', -1],
    ['length(current_date::VARCHAR)', 10n],
    ['length(CURRENT_TIME::VARCHAR) > 5', true],
  ] as const)
    t.equal(run(`SELECT ${call} AS x`).get(0)?.['x'], value, call)
})

t.test('those without parameters are there from the start', async (t) => {
  const names = made(await testEngine())
  for (const { name, form } of FUNCTIONS.values())
    if (form.kind === 'macro' && form.overloads.every(({ parameters }) => parameters === ''))
      t.ok(names.has(name), name)
})

t.test('one in a view is made for the view', async (t) => {
  const { run } = await testEngine()
  const view = { name: 'v', digest: 'v', query: 'SELECT nvl(NULL, 7) AS x' }
  t.equal(run('SELECT x FROM v', [], [view]).get(0)?.['x'], 7)
})

t.test('while other statements are prepared or run', async (t) => {
  const { prepare, open, pull, rest } = await testEngine()
  const sources = [numbers(100_000)]
  const waiting = prepare('SELECT nvl(n, 0) AS x, now() AS t FROM _rows(0)', sources, 'waiting')
  const running = prepare('SELECT n, iszero(n) AS z FROM _rows(0)', sources, 'running')
  t.notOk(open(running, { key: 'running', answerBytes: 1000 }).isDone)
  const other = prepare("SELECT signum(n) AS s, initcap('a') AS i FROM _rows(0)", sources, 'other')
  t.equal(rest(other, 'other').numRows, 100_000)
  t.equal(rest(waiting, 'waiting').numRows, 100_000)
  let rows = 0
  for (let answer = pull('running', 1 << 20); ; answer = pull('running', 1 << 20)) {
    rows++
    if (answer.isDone) break
  }
  t.ok(rows > 0)
})

t.test(
  'a long text is searched in no time, and text that only looks like a name harms nothing',
  async (t) => {
    const { run } = await testEngine()
    const long = 'nvl_'.repeat(500_000)
    t.equal(run(`SELECT length('${long}') AS n, 'nvl2(' AS x -- btrim(`).get(0)?.['n'], 2_000_000n)
  },
)

t.test('all of them can be made', async (t) => {
  const engine = await testEngine()
  const names = [...FUNCTIONS.values()].filter(({ form }) => form.kind === 'macro').map(({ name }) => name)
  engine.run(`SELECT '${names.join(' ')}' AS names`)
  const all = made(engine)
  for (const name of names) t.ok(all.has(name), name)
})
