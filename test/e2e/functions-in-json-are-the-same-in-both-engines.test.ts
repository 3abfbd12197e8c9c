import assert from 'node:assert/strict'
import { join } from 'node:path'
import { EnabledStatistics } from 'parquet-wasm'
import t from 'tap'
import { post } from '../http/test-server.ts'
import { layouts, writeFiles } from '../query/files.ts'
import { cells } from '../query/generated/generators.ts'
import { numbered } from '../sql/numbered.ts'
import { answerOf, show } from '../sql/select/both-engines.ts'
import { EXPRESSION_COLUMNS } from '../sql/select/sql-expressions.ts'
import { fc } from '../support/generate.ts'
import { startTestService } from './service.ts'

const service = await startTestService(t, { workers: 2 })

type Entry =
  | string
  | { readonly value: number | string }
  | { readonly function: string; readonly args: readonly Entry[] }

const column = fc.constantFrom('i8', 'i32', 'i64', 'u16', 'f32', 'f64', 'flag', 'name')
const { entry } = fc.letrec<Readonly<Record<'entry', Entry>>>((tie) => ({
  entry: fc.oneof<fc.MaybeWeightedArbitrary<Entry>[]>(
    { depthSize: 'small', withCrossShrink: true },
    column,
    fc.constantFrom(1, 2.5, -3).map((value) => ({ value })),
    fc
      .tuple(fc.constantFrom('floor', 'ceil', 'abs', 'sign', 'round', 'trunc', 'isnan'), tie('entry'))
      .map(([name, arg]) => ({ function: name, args: [arg] })),
    fc
      .tuple(fc.constantFrom('round', 'trunc'), fc.constantFrom('f32', 'f64'), fc.constantFrom(1, 0, -1))
      .map(([name, arg, value]) => ({ function: name, args: [arg, { value }] })),
    fc
      .tuple(
        fc.constantFrom('time_bucket', 'date_bin'),
        fc.constantFrom('1 day', '7 months', '90 minutes'),
        fc.constantFrom('time', 'day', 'time_s', 'time_ns'),
      )
      .map(([name, value, time]) => ({
        function: 'epoch_ns',
        args: [{ function: name, args: [{ value }, time] }],
      })),
    fc
      .tuple(
        fc.constantFrom('time', 'day', 'time_s', 'time_ns'),
        fc.constantFrom('%Y-%m', '%H:%M:%S', '%a %d %b'),
      )
      .map(([time, value]) => ({
        function: 'length',
        args: [{ function: 'strftime', args: [time, { value }] }],
      })),
    fc
      .tuple(fc.constantFrom('contains', 'strpos'), fc.constantFrom<Entry>('name', { value: '1' }))
      .map(([name, part]) => ({ function: name, args: ['name', part] })),
    fc
      .tuple(
        fc.constantFrom('hour', 'epoch_ns', 'minute'),
        fc.constantFrom('time', 'day', 'time_ms', 'time_ns'),
      )
      .map(([name, time]) => ({ function: name, args: [time] })),
    fc
      .tuple(fc.constantFrom('coalesce', 'greatest', 'least', 'mod', 'nullif'), tie('entry'), tie('entry'))
      .map(([name, a, b]) => ({ function: name, args: [a, b] })),
  ),
}))

const requests = fc.record({
  entry,
  filter: fc.constantFrom(null, { gt: 0 }, { lt_eq: 2.5 }, { eq: '1' }),
  sorted: fc.constantFrom<object[]>([], [{ Asc: 'x' }, { Desc: 'row id' }], [{ Desc: 'row id' }]),
})

/** A filter that each row passes, with a pattern, which only DuckDB evaluates. */
const ANY = { or: [{ column: 'name', like: '%' }, { is_null: { column: 'name' } }] }

t.test('a function in JSON gives on the core what it gives in DuckDB', async (t) => {
  const counts = { core: 0, left: 0, rows: 0, refused: 0 }
  let cases = 0
  const table = fc
    .tuple(
      ...Object.entries(EXPRESSION_COLUMNS).map(([name, type]) =>
        cells(type, 30).map((values) => ({ name, type, cells: values })),
      ),
    )
    .map((columns) => numbered({ rows: 30, columns }))
  const ask = async (request: object): Promise<string> => {
    const answer = await answerOf(await service.query(request), JSON.stringify(request))
    if (typeof answer === 'string') return 'refused'
    return show([answer.columns, answer.rows.map((row) => row.map((value) => `${value}`))])
  }
  const generated = fc.tuple(table, layouts, fc.array(requests, { minLength: 25, maxLength: 25 }))
  const property = fc.asyncProperty(generated, async ([written, layout, some]) => {
    const folder = `case-${cases++}`
    writeFiles(join(service.datasets, folder), written, layout, EnabledStatistics.Page)
    for (const { entry: computed, filter, sorted } of some) {
      const isCall = typeof computed === 'object' && 'function' in computed
      const request = {
        select: [
          'row id',
          isCall ? { ...computed, alias: 'x' } : { function: 'abs', args: ['i32'], alias: 'x' },
        ],
        from: { parquet: { paths: [`${folder}/*.parquet`] } },
        sort_by: sorted,
      }
      const filters = filter === null ? [] : [{ column: 'x', ...filter }]
      const plan = await (await post(`${service.url}/api/explain-query`, { ...request, filters })).text()
      const core = await ask({ ...request, filters })
      const duck = await ask({ ...request, filters: [...filters, ANY] })
      if (/"Engine": ?"DuckDB"/.test(plan)) counts.left++
      else if (core.startsWith('[')) counts.core++
      else counts.refused++
      assert.equal(core, duck, JSON.stringify({ ...request, filters }))
    }
  })
  await fc.assert(property, { numRuns: 4, endOnFailure: true })
  t.ok(counts.core > 15, JSON.stringify(counts))
})
