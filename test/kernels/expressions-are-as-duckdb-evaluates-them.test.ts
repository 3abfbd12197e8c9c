import t from 'tap'
import { NUMBERS, VALUES } from '../../src/plan/kernels/kernel-types.ts'
import { fc } from '../support/generate.ts'
import { compareEngines, failsAlike } from './both-engines.ts'
import { expressionsOf } from './expressions.ts'
import { columnsOf } from './rows.ts'

const ROWS = 12
const TYPES = [...NUMBERS, ...VALUES.filter(({ kind }) => !['int', 'float'].includes(kind))]
const BOOLEAN = TYPES.filter(({ kind }) => kind === 'bool')

t.test('expressions of all types = DuckDB', async (t) => {
  const counted = { values: 0, failures: 0 }
  const cases = fc
    .shuffledSubarray(TYPES, { minLength: 2, maxLength: 4 })
    .chain((picked) => columnsOf([...new Set([...picked, ...BOOLEAN])], ROWS))
    .chain((columns) =>
      fc
        .constantFrom(...columns.map(({ type }) => type))
        .chain((type) => expressionsOf(type, columns, 3))
        .filter(failsAlike)
        .map((expression) => ({ columns, expression })),
    )
  const property = fc.property(cases, ({ columns, expression }) => {
    counted[compareEngines(expression, columns, ROWS)]++
  })
  fc.assert(property, { numRuns: 120 })
  t.ok(counted.values > 30 && counted.failures > 5, JSON.stringify(counted))
})
