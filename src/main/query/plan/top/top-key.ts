import { boundsOf } from '../../../../plan/condition/bounds.ts'
import { any } from '../../../../plan/condition/combine.ts'
import { compareScalars } from '../../../../plan/condition/compare.ts'
import { type Condition, compare, isNull } from '../../../../plan/condition/condition.ts'
import type { ColumnExpression } from '../../../../plan/expression.ts'
import type { ScanSpec } from '../../../../plan/scan.ts'
import type { SortKey } from '../../../../plan/task/finish.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import type { DataType } from '../../../../plan/types/schema.ts'
import type { SegmentKey } from './sort-keys.ts'

/** A sort key that is a column whose values can be compared. */
export interface TopKey extends SortKey {
  readonly operand: ColumnExpression
}

/** The types whose values main can compare with statistics. */
const COMPARED: readonly DataType['kind'][] = [
  'bool',
  'int',
  'float',
  'decimal',
  'utf8',
  'binary',
  'fixed_binary',
  'uuid',
  'date',
  'time',
  'timestamp',
  'duration',
]

/** The column of a sort key. Null: the key is not a column, or main cannot compare its values. */
export function topKey({ projection }: ScanSpec, sort: SortKey): TopKey | null {
  const operand = projection[sort.column]?.expression
  return operand?.kind === 'column' && COMPARED.includes(operand.type.kind) ? { ...sort, operand } : null
}

/** Compares segments: negative if `a` may have rows that come before all rows of `b`. */
export function compareKeys(key: TopKey, a: SegmentKey, b: SegmentKey): number {
  const [x, y] = [firstOf(key, a), firstOf(key, b)]
  if (x === null || y === null || x === 'null' || y === 'null') return rank(x) - rank(y)
  return (key.isDescending ? -1 : 1) * compareScalars(x, y)
}

/** The first value of the key that a segment may have. `'null'`: a null. Null: not known, or the segment has no values. */
function firstOf(
  { isDescending, areNullsFirst }: TopKey,
  { statistics, rows }: SegmentKey,
): Scalar | 'null' | null {
  if (statistics === null) return null
  if (areNullsFirst && statistics.nulls !== undefined && statistics.nulls > 0) return 'null'
  if (statistics.nulls === rows) return null
  const { min, max } = boundsOf(statistics)
  return isDescending ? max : min
}

function rank(first: Scalar | 'null' | null): number {
  return first === 'null' ? 0 : first === null ? 2 : 1
}

/** Compares keys: negative if `a` comes before `b`. A key is null only in an order in which nulls come first. */
export function order({ isDescending }: TopKey, a: Scalar | null, b: Scalar | null): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null)
  return (isDescending ? -1 : 1) * compareScalars(a, b)
}

/** A condition of the rows that come no later in the order than a key. */
export function reachTo({ operand, isDescending, areNullsFirst }: TopKey, last: Scalar | null): Condition {
  if (last === null) return isNull(operand)
  const comparison = isDescending ? 'gt_eq' : 'lt_eq'
  const reach = compare(operand, comparison, last)
  return areNullsFirst ? any([isNull(operand), reach]) : reach
}
