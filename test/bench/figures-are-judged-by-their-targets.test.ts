import t from 'tap'
import type { Comparison } from '../../bench/compare/compare.ts'
import type { Figure } from '../../bench/figures/figure.ts'
import { EIGHT } from '../../bench/queries/queries.ts'
import { renewFigures } from '../../bench/report/renew.ts'
import type { Results } from '../../bench/report/report.ts'
import { summarise } from '../../bench/report/summary.ts'
import { judge } from '../../bench/report/targets.ts'

/** The eight queries, the service taking `ratio` times as long with one worker. */
const eight = (ratio: number): Comparison[] =>
  EIGHT.map((query) => ({
    layout: 'random',
    query,
    form: 'sql_rows',
    rows: 1,
    warm: { service1: 10 * ratio, native1: 10, service2: 8, native2: 4, python1: 5 },
    cold: null,
  }))

t.test('a mean is taken over its queries and layouts alone', async (t) => {
  const other = { ...eight(100)[0], query: 'point_lookup' } as Comparison
  const pyarrow = { ...eight(100)[0], layout: 'random-pyarrow' } as Comparison
  const [sql, byPyarrow, ...rest] = summarise([...eight(1.2), other, pyarrow])
  t.match(sql, { key: 'sql_rows', measured: 8, of: 8 })
  t.ok(Math.abs((sql?.warm.one ?? 0) - 1.2) < 1e-9)
  t.ok(Math.abs((sql?.warm.two ?? 0) - 2) < 1e-9)
  t.ok(Math.abs((sql?.warm.pythonOne ?? 0) - 2.4) < 1e-9)
  t.equal(sql?.warm.keptTwo, null)
  t.equal(sql?.cold.one, null)
  t.match(byPyarrow, { key: 'sql_rows_pyarrow', measured: 1, of: 16 })
  t.same(rest, [])
})

t.test('a ratio is met at most at its value, and only by all queries', async (t) => {
  const met = (comparisons: readonly Comparison[]) => judge(summarise(comparisons), [])[0]?.isMet
  t.equal(met(eight(0.89)), true)
  t.equal(met(eight(0.91)), false)
  t.equal(met(eight(0.5).slice(1)), false)
  const [first, ...others] = eight(0.5)
  const failed = { ...first, warm: { native1: 10 }, failure: 'refused' } as Comparison
  t.equal(met([failed, ...others]), false)
})

t.test('a figure is met at its value, at most or at least', async (t) => {
  const verdict = (figure: Figure) => judge([], [figure])[0]
  const memory = { key: 'rss_one', what: 'resident', value: 401, unit: 'MB' } as const
  t.match(verdict(memory), { what: 'resident', value: 401, bound: 400, isLeast: false, isMet: false })
  t.equal(verdict({ ...memory, value: 400 })?.isMet, true)
  const speed = { key: 'stream', what: 'a stream', value: 0.9, unit: 'GB/s' } as const
  t.match(verdict(speed), { bound: 1, isLeast: true, isMet: false })
  t.equal(verdict({ ...speed, value: 1 })?.isMet, true)
  t.equal(verdict({ ...speed, key: 'no target' }), undefined)
})

t.test(
  'figures of a later run take the place of those with their keys, and are judged with the others',
  async (t) => {
    const [idle, wire, small] = [
      { key: 'rss_one', what: 'resident', value: 506, unit: 'MB' },
      { key: 'stream', what: 'a stream', value: 1.2, unit: 'GB/s' },
      { key: 'start', what: 'the first answer', value: 657, unit: 'ms' },
    ] as const
    const summaries = summarise(eight(0.6))
    const figures: readonly Figure[] = [idle, wire]
    const whole = {
      summaries,
      figures,
      verdicts: judge(summaries, figures),
      date: '2026-11-23',
    } as unknown as Results
    const renewed = renewFigures(whole, [{ ...idle, value: 340 }, small], '2026-11-30')
    const date = '2026-11-30'
    t.strictSame(renewed.figures, [wire, { ...idle, value: 340, date }, { ...small, date }])
    t.equal(renewed.date, '2026-11-23', 'that of the whole run')
    const verdictOf = (what: string) => renewed.verdicts.find((each) => each.what === what)
    t.match(verdictOf('resident'), { value: 340, isMet: true, date })
    t.match(verdictOf('a stream'), { value: 1.2, isMet: true, date: undefined })
    t.ok(renewed.verdicts.length > 3, 'and the means')
  },
)
