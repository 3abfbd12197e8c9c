import { type Expression, requireColumn } from '../../../src/plan/expression.ts'
import type { ScanPlan } from '../../../src/plan/plan.ts'
import type { Operand, Predicate } from '../../../src/plan/predicate/predicate.ts'
import type { Scalar } from '../../../src/plan/types/scalar.ts'
import type { Cell, TestTable } from '../table.ts'
import { inside, type Position } from './oracle.ts'

/** Evaluates a bound predicate for one row, as `plan/predicate/predicate.ts` defines it. Null: unknown. */
export function interpret<O extends Operand>(
  predicate: Predicate<O>,
  cell: (operand: O) => Cell,
): boolean | null {
  switch (predicate.op) {
    case 'constant':
      return predicate.value
    case 'not': {
      const truth = interpret(predicate.arg, cell)
      return truth === null ? null : !truth
    }
    case 'and':
    case 'or': {
      const decides = predicate.op === 'or'
      const truths = predicate.args.map((arg) => interpret(arg, cell))
      if (truths.includes(decides)) return decides
      return truths.includes(null) ? null : !decides
    }
    case 'within': {
      const point = [predicate.longitude, predicate.latitude].map((operand) =>
        Number(cell(operand) ?? Number.NaN),
      )
      const rings = predicate.geometry.polygons.flat().map(positions)
      return inside(point[0] ?? Number.NaN, point[1] ?? Number.NaN, rings)
    }
  }
  const value = cell(predicate.operand)
  if (predicate.op === 'is_null') return value === null
  if (predicate.op === 'is_not_null') return value !== null
  if (value === null) return null
  switch (predicate.op) {
    case 'where_known':
      return predicate.value
    case 'in':
      return predicate.values.some((each) => order(value, each) === 0)
    case 'between':
      return order(value, predicate.low) >= 0 && order(value, predicate.high) <= 0
    case 'compare': {
      const sign = order(value, predicate.value)
      return {
        eq: sign === 0,
        neq: sign !== 0,
        gt: sign > 0,
        gt_eq: sign >= 0,
        lt: sign < 0,
        lt_eq: sign <= 0,
      }[predicate.comparison]
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
      : cellIn(table, requireColumn(expression), row)
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
