import t from 'tap'
import { createValuesBudget, makeValues } from '../../src/main/query/duckdb/make-values.ts'
import { createValues, type Value } from '../../src/main/query/duckdb/values-columns.ts'
import type { QueryContext } from '../../src/main/query/source/query-context.ts'
import type { ValuesRequest } from '../../src/plan/statement/values.ts'
import type { Scalar } from '../../src/plan/types/scalar.ts'
import { field } from '../../src/plan/types/schema.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { fc } from '../support/generate.ts'

/** A listing of this number of datasets, all of this name. */
function contextOf(datasets: number, name: string): QueryContext {
  const file = { path: name, location: name, isLink: false, stats: null }
  let described = 0
  const context = {
    signal: new AbortController().signal,
    listing: {
      find: async () => Array.from({ length: datasets }, () => ({ file, format: 'csv' })),
      async describe(page: readonly unknown[]) {
        described += page.length
        const entry = {
          format: 'csv',
          can_inspect: false,
          can_partial_explore: false,
          size: 1,
          last_modified: null,
        }
        return page.map(() => ({ file_path: name, ...entry }))
      },
    },
    get described() {
      return described
    },
  }
  return context as unknown as QueryContext
}

const ALL: ValuesRequest = { kind: 'datasets', pattern: '**/*', offset: 0, limit: null }

t.test('by rows before they are made, by their text while they are', async (t) => {
  const many = contextOf(600_000, 'a')
  await t.rejects(makeValues(ALL, createValuesBudget(), many), {
    code: 'invalid_sql',
    message: /16 MiB.*list_datasets takes a pattern, an offset and a limit/,
  })
  t.match(many, { described: 0 })
  const long = contextOf(50_000, 'x'.repeat(4000))
  await t.rejects(makeValues(ALL, createValuesBudget(), long), { code: 'invalid_sql' })
  t.match(long, { described: 4096 })
})

t.test('all together, not each by itself', async (t) => {
  const budget = createValuesBudget()
  const context = contextOf(100_000, 'a name of some forty characters.parquet')
  const page = await makeValues(ALL, budget, context)
  t.equal(page.rows, 100_000)
  await t.rejects(makeValues({ ...ALL, offset: 1 }, budget, contextOf(400_000, 'a')), { code: 'invalid_sql' })
  t.equal((await makeValues({ ...ALL, offset: 99_998, limit: 5 }, createValuesBudget(), context)).rows, 2)
})

/** The value as the core returns it: text is bytes there. */
function plain(scalar: Scalar | null): unknown {
  if (scalar === null) return null
  return scalar.kind === 'bytes' ? Buffer.from(scalar.value).toString() : Reflect.get(scalar, 'value')
}

t.test('whatever they are, and however they are cut, the core has them as they were', async (t) => {
  const core = createCore({ maximumBytes: 16 << 20 })
  const fields = [
    field('text', { kind: 'utf8' }),
    field('flag', { kind: 'bool' }),
    field('number', { kind: 'int', bits: 64, signed: false }),
  ]
  const row = fc.tuple(
    fc.option(fc.string({ unit: 'grapheme' })),
    fc.option(fc.boolean()),
    fc.option(fc.maxSafeNat()),
  )
  fc.assert(
    fc.property(fc.array(fc.array(row, { maxLength: 20 }), { maxLength: 4 }), (slices) => {
      const rows: readonly (readonly Value[])[] = slices.flat()
      const builder = createValues(fields, rows.length)
      for (const slice of slices) builder.add(slice)
      for (const [index, made] of builder.finish().columns.entries()) {
        if (made === null) throw new Error('a column was not made')
        const { layout, width, buffers } = made
        const type = fields[index]?.type ?? { kind: 'null' }
        const column = core.assemble({ layout, parameter: width, rows: rows.length, buffers })
        const read = rows.map((_, row) => plain(core.valueAt(column, type, row)))
        core.free(column)
        const expected = rows.map((values) => {
          const value = values[index] ?? null
          return typeof value === 'number' ? BigInt(value) : value
        })
        t.strictSame(read, expected)
      }
    }),
    { numRuns: 200, verbose: 1 },
  )
  t.equal(core.usedBytes(), 0)
})
