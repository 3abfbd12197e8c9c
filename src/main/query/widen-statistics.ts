import type { Scalar } from '../../plan/scalar.ts'
import { type DataType, sameType, type TimeUnit } from '../../plan/schema.ts'
import type { ColumnStatistics } from '../../plan/unit.ts'
import type { KnownColumn } from './bounds.ts'

const UNITS: readonly TimeUnit[] = ['second', 'millisecond', 'microsecond', 'nanosecond']

/**
 * Statistics of a segment whose file has the column as `from`, in the type `to` that the scan widens it to. Widening
 * keeps order, so widened bounds are bounds. What cannot be converted for sure is left out.
 */
export function widenStatistics(
  statistics: ColumnStatistics | null,
  from: DataType,
  to: DataType,
  rows: number,
): KnownColumn | null {
  if (from.kind === 'null') return { type: to, nulls: rows }
  if (statistics === null) return null
  const min = widenScalar(statistics.min, from, to)
  const max = widenScalar(statistics.max, from, to)
  return {
    type: to,
    ...(min === null ? {} : { min }),
    ...(max === null ? {} : { max }),
    ...(statistics.nulls === undefined ? {} : { nulls: statistics.nulls }),
  }
}

function widenScalar(scalar: Scalar | undefined, from: DataType, to: DataType): Scalar | null {
  if (scalar === undefined || scalar.kind !== scalarKind(from)) return null
  if (sameType(from, to)) return scalar
  if (scalar.kind === 'float' && to.kind === 'float') return scalar
  if (scalar.kind !== 'int') return null
  if (from.kind === 'int' && to.kind === 'int') return scalar
  // Rounds to nearest as the cast of the values does, so no value passes its bound.
  if (from.kind === 'int' && to.kind === 'float') return { kind: 'float', value: Number(scalar.value) }
  if (from.kind === 'date' && to.kind === 'date') return { kind: 'int', value: scalar.value * 86_400_000n }
  if ((from.kind === 'timestamp' || from.kind === 'time') && to.kind === from.kind) {
    const finer = UNITS.indexOf(to.unit) - UNITS.indexOf(from.unit)
    return finer < 0 ? null : { kind: 'int', value: scalar.value * 1_000n ** BigInt(finer) }
  }
  return null
}

/** The kind of constant that a column of this type is compared with; null for types that are not compared. */
function scalarKind(type: DataType): Scalar['kind'] | null {
  switch (type.kind) {
    case 'bool':
      return 'bool'
    case 'float':
      return 'float'
    case 'int':
    case 'decimal':
    case 'date':
    case 'time':
    case 'timestamp':
    case 'duration':
      return 'int'
    case 'utf8':
    case 'binary':
    case 'fixed_binary':
      return 'bytes'
    default:
      return null
  }
}
