import type { ColumnStatistics } from '../source/statistics.ts'
import type { Scalar } from '../types/scalar.ts'
import { type DataType, sameType, type TimeUnit } from '../types/schema.ts'
import type { KnownColumn } from './bounds.ts'

const UNITS: readonly TimeUnit[] = ['second', 'millisecond', 'microsecond', 'nanosecond']

/**
 * Converts statistics of a column of type `from` to the type `to`, to which the scan widens the column. Widening keeps the order,
 * so that converted bounds are bounds. Bounds that cannot be converted safely are left out.
 */
export function statisticsWidening(
  from: DataType,
  to: DataType,
): (statistics: ColumnStatistics | null, rows: number) => KnownColumn | null {
  if (from.kind === 'null') return (_statistics, rows) => ({ type: to, nulls: rows })
  const kind = scalarKind(from)
  const widen = scalarWidening(from, to)
  const bound = (scalar: Scalar | undefined) => (scalar?.kind === kind && widen(scalar)) || undefined
  return (statistics) => {
    if (statistics === null) return null
    const min = bound(statistics.min)
    const max = bound(statistics.max)
    return {
      type: to,
      ...(min && { min }),
      ...(max && { max }),
      ...(min && statistics.isMinExact && { isMinExact: true }),
      ...(max && statistics.isMaxExact && { isMaxExact: true }),
      ...(statistics.nulls !== undefined && { nulls: statistics.nulls }),
    }
  }
}

/** The kind of the bounds of numbers that are the same in both types. Null: they are converted, or there are none. */
export function unchangedBounds(from: DataType, to: DataType): 'int' | 'float' | null {
  const kind = scalarKind(from)
  return (kind === 'int' || kind === 'float') && isUnchanged(from, to) ? kind : null
}

function isUnchanged(from: DataType, to: DataType): boolean {
  return sameType(from, to) || (from.kind === to.kind && (from.kind === 'int' || from.kind === 'float'))
}

/** Converts constants of a type to a wider one. Null: the two types are not widened. */
function scalarWidening(from: DataType, to: DataType): (scalar: Scalar) => Scalar | null {
  if (isUnchanged(from, to)) return (scalar) => scalar
  if (from.kind === 'uuid' && to.kind === 'fixed_binary') return (scalar) => scalar
  // Rounds to nearest, as the conversion of values does, so that no value is outside of the bounds.
  if (from.kind === 'int' && to.kind === 'float') {
    return (scalar) => ({ kind: 'float', value: Number(scalar.value) })
  }
  const factor = factorBetween(from, to)
  return (scalar) =>
    scalar.kind === 'int' && factor !== null ? { kind: 'int', value: scalar.value * factor } : null
}

/** The factor from the unit of one date or time type to that of another. Null: there is none. */
function factorBetween(from: DataType, to: DataType): bigint | null {
  if (from.kind === 'date' && to.kind === 'date') return 86_400_000n
  const isTime = (from.kind === 'timestamp' || from.kind === 'time') && to.kind === from.kind
  const finer = isTime ? UNITS.indexOf(to.unit) - UNITS.indexOf(from.unit) : -1
  return finer < 0 ? null : 1_000n ** BigInt(finer)
}

/** The kind of constants for a column of this type. Null: such columns are not compared. */
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
    case 'uuid':
      return 'bytes'
    default:
      return null
  }
}
