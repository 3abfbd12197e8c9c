import t from 'tap'
import { canEvaluate } from '../../src/plan/kernels/kernels.ts'
import {
  DAY_DIFFERENCES,
  DAY_SUMS,
  TIME_CASTS,
  TIME_KERNELS,
  TOTAL_TIME_CASTS,
} from '../../src/plan/kernels/time-kernels.ts'
import { sameType } from '../../src/plan/types/schema.ts'
import { fc } from '../support/generate.ts'
import { compareEngines } from './both-engines.ts'
import { expressionsOf } from './expressions.ts'
import { columnsOf } from './rows.ts'

const ROWS = 30

const CALLS = [
  ...TIME_KERNELS.flatMap(({ name, overloads }) => overloads.map((overload) => ({ name, ...overload }))),
  ...TIME_CASTS.map((overload) => ({ name: 'cast', ...overload })),
  ...TOTAL_TIME_CASTS.map((overload) => ({ name: 'try_cast', ...overload })),
  ...DAY_SUMS.map((overload) => ({ name: '+', ...overload })),
  ...DAY_DIFFERENCES.map((overload) => ({ name: '-', ...overload })),
]

t.test('times that are cast, counted and moved are those of DuckDB', async (t) => {
  const counted = { values: 0, failures: 0 }
  for (const { name, args, result } of CALLS) {
    const types = args.filter((type, index) => args.findIndex((other) => sameType(type, other)) === index)
    const cases = columnsOf(types, ROWS).chain((columns) =>
      expressionsOf(
        result,
        columns,
        1,
        (other, given) =>
          other === name &&
          given.length === args.length &&
          given.every((type, at) => sameType(type, args[at] ?? type)),
      ).map((expression) => ({ columns, expression })),
    )
    for (const { columns, expression } of fc.sample(cases, 5)) {
      if (expression.kind !== 'call') continue
      const types = expression.args.flatMap(({ type }) => type ?? [])
      t.ok(canEvaluate(name, types, expression.type, expression.args))
      counted[compareEngines(expression, columns, ROWS)]++
    }
  }
  t.ok(counted.values > 50, JSON.stringify(counted))
})
