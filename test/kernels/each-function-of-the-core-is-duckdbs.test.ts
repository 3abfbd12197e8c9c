import t from 'tap'
import { KERNELS } from '../../src/plan/kernels/kernels.ts'
import { sameType } from '../../src/plan/types/schema.ts'
import { fc } from '../support/generate.ts'
import { compareEngines } from './both-engines.ts'
import { expressionsOf } from './expressions.ts'
import { columnsOf } from './rows.ts'

const ROWS = 40

/** Overloads of each function that are compared: others for another seed. */
const OVERLOADS = 3

t.test('each function has the values and the failures of DuckDB', async (t) => {
  const counted = { values: 0, failures: 0 }
  for (const { name, overloads } of KERNELS.values()) {
    const count = Math.min(OVERLOADS, overloads.length)
    const some = fc.shuffledSubarray([...overloads], { minLength: count, maxLength: count })
    for (const { args, result } of fc.sample(some, 1).flat()) {
      const types = args.filter((type, index) => args.findIndex((other) => sameType(type, other)) === index)
      const cases = columnsOf(types, ROWS).chain((columns) => {
        const takes = (other: string, given: typeof args): boolean =>
          other === name &&
          given.length === args.length &&
          given.every((type, at) => sameType(type, args[at] ?? type))
        return expressionsOf(result, columns, 1, takes).map((expression) => ({ columns, expression }))
      })
      for (const { columns, expression } of fc.sample(cases, 1))
        counted[compareEngines(expression, columns, ROWS)]++
    }
  }
  t.ok(counted.values > 100, JSON.stringify(counted))
})
