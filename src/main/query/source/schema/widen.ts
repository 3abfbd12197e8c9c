import {
  type DataType,
  type Field,
  type IntType,
  sameType,
  type TimeUnit,
  valueType,
} from '../../../../plan/types/schema.ts'
import { UUID_BYTES } from '../../../../plan/types/uuid.ts'

const UNITS: readonly TimeUnit[] = ['second', 'millisecond', 'microsecond', 'nanosecond']

const FLOAT64: DataType = Object.freeze({ kind: 'float', bits: 64 })

/** The narrowest type that both types widen to (docs/reference/types.md). Null: there is none. */
export function widen(a: DataType, b: DataType): DataType | null {
  if (sameType(a, b) || b.kind === 'null') return a
  if (a.kind === 'null') return b
  // Dictionaries of different types, or a dictionary and its values.
  if (a.kind === 'dictionary' || b.kind === 'dictionary') return widen(valueType(a), valueType(b))
  if (a.kind === 'int' && b.kind === 'int') return widenInt(a, b)
  if (a.kind === 'float' && b.kind === 'float') return a.bits > b.bits ? a : b
  if ((a.kind === 'float' && b.kind === 'int') || (a.kind === 'int' && b.kind === 'float')) return FLOAT64
  if (a.kind === 'date' && b.kind === 'date') return { kind: 'date', unit: 'millisecond' }
  if (a.kind === 'time' && b.kind === 'time') return { kind: 'time', unit: finer(a.unit, b.unit) }
  if (a.kind === 'timestamp' && b.kind === 'timestamp') {
    return { kind: 'timestamp', unit: finer(a.unit, b.unit), zone: commonZone(a.zone, b.zone) }
  }
  if (isUuidBytes(a) && isUuidBytes(b)) return { kind: 'fixed_binary', width: UUID_BYTES }
  return widenNested(a, b)
}

/** Whether values are 16 bytes: those of a UUID, or others. */
function isUuidBytes(type: DataType): boolean {
  return type.kind === 'uuid' || (type.kind === 'fixed_binary' && type.width === UUID_BYTES)
}

/**
 * The common type of two nested types whose values have the same types. They may differ in the names of a list's items and in
 * whether these may be null, as they do between writers. The types of nested values are not widened.
 */
function widenNested(a: DataType, b: DataType): DataType | null {
  if ((a.kind === 'list' || a.kind === 'large_list') && a.kind === b.kind) {
    const item = join(a.item, b.item)
    return item && { kind: a.kind, item }
  }
  if (a.kind === 'fixed_list' && b.kind === 'fixed_list' && a.size === b.size) {
    const item = join(a.item, b.item)
    return item && { kind: 'fixed_list', item, size: a.size }
  }
  if (a.kind === 'map' && b.kind === 'map') {
    const entries = join(a.entries, b.entries)
    return entries && { kind: 'map', entries, sorted: a.sorted && b.sorted }
  }
  if (a.kind === 'struct' && b.kind === 'struct' && a.fields.length === b.fields.length) {
    const fields = a.fields.flatMap((field, i) => {
      const other = b.fields[i]
      return (other?.name === field.name && join(field, other)) || []
    })
    return fields.length === a.fields.length ? { kind: 'struct', fields } : null
  }
  return null
}

function join(a: Field, b: Field): Field | null {
  const type = sameType(a.type, b.type) ? a.type : widenNested(a.type, b.type)
  const [name = a.name] = [a.name, b.name].toSorted()
  return type && { name, type, nullable: a.nullable || b.nullable, metadata: {} }
}

/** Of a signed and an unsigned type: the signed type that holds both, or Float64 where there is none, beside UInt64. */
function widenInt(a: IntType, b: IntType): DataType {
  if (a.signed === b.signed) return a.bits > b.bits ? a : b
  const [signed, unsigned] = a.signed ? [a, b] : [b, a]
  if (unsigned.bits === 64) return FLOAT64
  const above = ({ 8: 16, 16: 32, 32: 64 } as const)[unsigned.bits]
  return above > signed.bits ? { kind: 'int', bits: above, signed: true } : signed
}

function finer(a: TimeUnit, b: TimeUnit): TimeUnit {
  return UNITS.indexOf(a) > UNITS.indexOf(b) ? a : b
}

function commonZone(a: string | null, b: string | null): string | null {
  if (a === b || b === null) return a
  return a === null ? b : 'UTC'
}
