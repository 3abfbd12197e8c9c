import type { Condition } from '../../../src/plan/condition/condition.ts'
import { testOf } from '../../../src/plan/condition/test.ts'
import { columnNameOf, type Expression, type TypedExpression } from '../../../src/plan/expression.ts'
import type { ScanPlan } from '../../../src/plan/plan.ts'
import type { Scalar } from '../../../src/plan/types/scalar.ts'
import type { Cell, TestTable } from '../table.ts'
import { inside, type Position } from './oracle.ts'

/** Evaluates a bound condition for one row, as `plan/condition/condition.ts` defines it. Null: unknown. */
export function interpret(condition: Condition, cell: (operand: TypedExpression) => Cell): boolean | null {
  const test = testOf(condition)
  switch (test.op) {
    case 'constant':
      return test.value
    case 'not': {
      const truth = interpret(test.arg, cell)
      return truth === null ? null : !truth
    }
    case 'and':
    case 'or': {
      const decides = test.op === 'or'
      const truths = test.args.map((arg) => interpret(arg, cell))
      if (truths.includes(decides)) return decides
      return truths.includes(null) ? null : !decides
    }
    case 'within': {
      const point = [test.longitude, test.latitude].map((operand) => Number(cell(operand) ?? Number.NaN))
      const rings = test.geometry.polygons.flat().map(positions)
      return inside(point[0] ?? Number.NaN, point[1] ?? Number.NaN, rings)
    }
  }
  const value = cell(test.operand)
  if (test.op === 'is_null') return value === null
  if (test.op === 'is_not_null') return value !== null
  if (value === null) return null
  switch (test.op) {
    case 'in':
      return test.values.some((each) => order(value, each) === 0)
    case 'between':
      return order(value, test.low) >= 0 && order(value, test.high) <= 0
    case 'compare': {
      const sign = order(value, test.value)
      return {
        eq: sign === 0,
        neq: sign !== 0,
        gt: sign > 0,
        gt_eq: sign >= 0,
        lt: sign < 0,
        lt_eq: sign <= 0,
      }[test.comparison]
    }
  }
}

/** Compares a cell with a constant. Throws if they are of different kinds, of which the core would misread the bytes. */
function order(cell: Exclude<Cell, null>, { kind, value }: Scalar): number {
  if (kind === 'bytes' && typeof cell === 'string') return Buffer.compare(Buffer.from(cell), value)
  if (kind === 'int' && typeof cell === 'bigint') return cell < value ? -1 : Number(cell > value)
  if (kind === 'bool' && typeof cell === 'boolean') return Number(cell) - Number(value)
  if (kind !== 'float' || typeof cell !== 'number') throw new TypeError(`${typeof cell} against ${kind}`)
  if (cell === value || (Number.isNaN(cell) && Number.isNaN(value))) return 0
  return Number.isNaN(cell) || cell > value ? 1 : -1
}

function positions(ring: Float64Array): Position[] {
  return Array.from({ length: ring.length / 2 }, (_, index) => [
    ring[2 * index] ?? 0,
    ring[2 * index + 1] ?? 0,
  ])
}

/** The rows of a plan over a table, as `answer` gives those of a request. */
export function runPlan({ scan, offset, limit }: ScanPlan, table: TestTable): Cell[][] {
  const cellOf = (expression: Expression, row: number) =>
    expression.kind === 'constant'
      ? constantCell(expression.value)
      : cellIn(table, columnNameOf(expression) ?? '', row)
  const { filter } = scan
  return [...Array(table.rows).keys()]
    .filter((row) => filter === null || interpret(filter, (operand) => cellOf(operand, row)) === true)
    .slice(offset, offset + limit)
    .map((row) => scan.projection.map(({ expression }) => cellOf(expression, row)))
}

/** Null: the table has no such column. */
export function cellIn(table: TestTable, name: string, row: number): Cell {
  return table.columns.find((column) => column.name === name)?.cells[row] ?? null
}

function constantCell(scalar: Scalar | null): Cell {
  if (scalar === null) return null
  return scalar.kind === 'bytes' ? Buffer.from(scalar.value).toString() : scalar.value
}
