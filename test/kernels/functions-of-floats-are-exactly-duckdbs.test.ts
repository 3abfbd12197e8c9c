import t from 'tap'
import { callExpression, columnExpression, type TypedExpression } from '../../src/plan/expression.ts'
import type { DataType } from '../../src/plan/types/schema.ts'
import { fc } from '../support/generate.ts'
import { compareEngines } from './both-engines.ts'

const DOUBLE: DataType = { kind: 'float', bits: 64 }
const ROWS = 2000
const NAMES = [
  'sin',
  'cos',
  'tan',
  'asin',
  'acos',
  'atan',
  'atan2',
  'sinh',
  'cosh',
  'tanh',
  'exp',
  'ln',
  'log2',
  'log10',
  'cbrt',
  'pow',
]

t.test('functions of floats are DuckDB’s to the last bit', async (t) => {
  const numbers = fc.oneof(
    fc.double({ min: -1, max: 1 }),
    fc.double({ min: -800, max: 800 }),
    fc.double({ min: -1e15, max: 1e15 }),
    fc.double({ noDefaultInfinity: true }),
  )
  const within: Readonly<Record<string, (value: number) => number>> = {
    asin: (value) => Math.min(1, Math.max(-1, value)),
    acos: (value) => Math.min(1, Math.max(-1, value)),
    ln: (value) => Math.abs(value) + 1e-300,
    log2: (value) => Math.abs(value) + 1e-300,
    log10: (value) => Math.abs(value) + 1e-300,
  }
  for (const name of NAMES) {
    const columns = ['x', 'y'].map((column) => ({
      name: column,
      type: DOUBLE,
      values: fc
        .sample(numbers, ROWS)
        .map((value) => ({ kind: 'float' as const, value: within[name]?.(value) ?? value })),
    }))
    const [x, y] = columns.map((column) => columnExpression(column.name, DOUBLE))
    const args = ['atan2', 'pow'].includes(name) ? [x, y] : [x]
    const call = callExpression(name, args as TypedExpression[], DOUBLE) as TypedExpression
    t.equal(compareEngines(call, columns, ROWS), 'values', name)
  }
})
