import t from 'tap'
import type { Comparison } from '../../bench/compare.ts'
import { EIGHT } from '../../bench/queries.ts'
import { summarise } from '../../bench/summary.ts'
import { judge } from '../../bench/targets.ts'

/** The eight queries over both layouts, the service taking `ratio` times as long with one worker. */
const eight = (ratio: number): Comparison[] =>
  ['random', 'sorted'].flatMap((layout) =>
    EIGHT.map((query) => ({
      layout,
      query,
      form: 'sql_rows',
      rows: 1,
      warm: { service1: 10 * ratio, native1: 10, service2: 8, native2: 4 },
      cold: null,
    })),
  )

t.test('a mean is taken over its queries and layouts alone', async (t) => {
  const other = { ...eight(100)[0], query: 'point_lookup' } as Comparison
  const pyarrow = { ...eight(100)[0], layout: 'random-pyarrow' } as Comparison
  const [sql, byPyarrow, ...rest] = summarise([...eight(1.2), other, pyarrow])
  t.match(sql, { key: 'sql_rows', measured: 16, of: 16, cold1: null, cold2: null })
  t.ok(Math.abs((sql?.warm1 ?? 0) - 1.2) < 1e-9)
  t.ok(Math.abs((sql?.warm2 ?? 0) - 2) < 1e-9)
  t.match(byPyarrow, { key: 'sql_rows_pyarrow', measured: 1, of: 16 })
  t.same(rest, [])
})

t.test('a target is met at most at its value, and only by all queries', async (t) => {
  const met = (comparisons: readonly Comparison[]) => judge(summarise(comparisons), [])[0]?.isMet
  t.equal(met(eight(1.49)), true)
  t.equal(met(eight(1.51)), false)
  t.equal(met(eight(1).slice(1)), false)
  const [first, ...others] = eight(1)
  const failed = { ...first, warm: { native1: 10 }, failure: 'refused' } as Comparison
  t.equal(met([failed, ...others]), false)
  const verdicts = judge([], [{ key: 'rss_one', what: 'resident', value: 401, unit: 'MB' }])
  t.match(verdicts, [{ what: 'resident', value: 401, most: 400, isMet: false }])
})
