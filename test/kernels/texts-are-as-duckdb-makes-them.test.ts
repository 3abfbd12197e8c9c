import assert from 'node:assert/strict'
import t from 'tap'
import { callExpression, columnExpression, type TypedExpression } from '../../src/plan/expression.ts'
import { TEXT_KERNELS } from '../../src/plan/kernels/text-kernels.ts'
import type { DataType } from '../../src/plan/types/schema.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { columnOf, valuesOf } from '../core/columns.ts'
import { testEngine } from '../sql/engine.ts'
import { fc } from '../support/generate.ts'
import { compareEngines } from './both-engines.ts'
import { expressionsOf } from './expressions.ts'
import { columnsOf } from './rows.ts'
import { columnOfIndices } from './stored.ts'

const VARCHAR: DataType = { kind: 'utf8' }
const TEXT = columnExpression('x', VARCHAR)
const core = createCore({ maximumBytes: 256 << 20 })
const bytes = (text: string) => ({ kind: 'bytes', value: Buffer.from(text) }) as const

t.test('texts that are made of others are those of DuckDB', async (t) => {
  const ROWS = 30
  for (const { name, overloads } of TEXT_KERNELS)
    for (const { args, result } of overloads) {
      const cases = columnsOf([VARCHAR], ROWS).chain((columns) =>
        expressionsOf(
          result,
          columns,
          1,
          (other, given) => other === name && given.length === args.length,
        ).map((expression) => ({ columns, expression })),
      )
      for (const { columns, expression } of fc.sample(cases, 6))
        t.equal(compareEngines(expression, columns, ROWS), 'values')
    }
})

/** What the core makes of a column of texts. */
function textsOf(name: string, column: ReturnType<typeof columnOf>, ...args: readonly TypedExpression[]) {
  const expression = callExpression(name, [TEXT, ...args], VARCHAR) as TypedExpression
  const rows = core.rows(column)
  const [made] = core.evaluate([expression], {
    rows,
    mask: null,
    column: () => ({ column, type: VARCHAR }),
    checkCancelled() {},
  })
  assert(made)
  const texts = valuesOf(core, made, VARCHAR).map((value) =>
    value?.kind === 'bytes' ? Buffer.from(value.value).toString() : null,
  )
  const size = core.columnBytes(made)
  core.free(made)
  return { texts, size }
}

t.test('all characters have the case of DuckDB', async (t) => {
  const { run } = await testEngine()
  const characters = `SELECT c // 512 AS block, string_agg(chr(c::INTEGER), '' ORDER BY c) AS x
    FROM range(1, 1114112) t(c) WHERE c < 55296 OR c > 57343 GROUP BY 1 ORDER BY 1`
  for (const name of ['lower', 'upper']) {
    const given: string[] = []
    const expected: string[] = []
    for (const { x, y } of run(`SELECT x, ${name}(x) AS y FROM (${characters})`).toArray()) {
      given.push(x)
      expected.push(y)
    }
    const column = columnOf(core, VARCHAR, given.map(bytes))
    t.same(textsOf(name, column).texts, expected)
    core.free(column)
  }
})

t.test('a dictionary stays one, and is changed once a value', async (t) => {
  const values = ['Argo', 'CTD', 'Straße']
  const indices = Array.from({ length: 9000 }, (_, row) => (row % 7 === 0 ? null : row % 3))
  const column = columnOfIndices(core, columnOf(core, VARCHAR, values.map(bytes)), indices)
  const before = core.columnBytes(column)
  const { texts, size } = textsOf('upper', column)
  t.ok(size <= before + 1000)
  const expected = ['ARGO', 'CTD', 'STRAẞE']
  t.same(
    texts,
    indices.map((index) => (index === null ? null : expected[index])),
  )
  core.free(column)
})

t.test('texts that grow too long end the evaluation, and not the core', async (t) => {
  const constant = (text: string) =>
    ({ kind: 'constant', value: bytes(text), type: VARCHAR }) as unknown as TypedExpression
  const column = columnOf(
    core,
    VARCHAR,
    Array.from({ length: 300 }, () => bytes('a'.repeat(1000))),
  )
  t.throws(() => textsOf('replace', column, constant('a'), constant('b'.repeat(1000))), {
    message: /memory/,
  })
  t.equal(textsOf('upper', column).texts[299], 'A'.repeat(1000))
  core.free(column)
})
