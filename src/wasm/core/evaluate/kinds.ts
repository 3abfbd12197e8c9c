import { areIn64Bits, isShortDecimal } from '../../../plan/kernels/decimals.ts'
import type { DataType } from '../../../plan/types/schema.ts'

/** The kinds of values in registers, in the order of `src/evaluate/kind.rs`. */
export const KINDS = Object.freeze([
  'bool',
  'i8',
  'i16',
  'i32',
  'i64',
  'u8',
  'u16',
  'u32',
  'u64',
  'f32',
  'f64',
  'text',
  'i128',
] as const)

export type Kind = (typeof KINDS)[number]

/** The kind of the values of a type. Throws `TypeError` for types that the core does not evaluate. */
export function kindOf(type: DataType): Kind {
  switch (type.kind) {
    case 'bool':
      return 'bool'
    case 'int':
      return `${type.signed ? 'i' : 'u'}${type.bits}`
    case 'float':
      if (type.bits !== 16) return `f${type.bits}`
      break
    case 'utf8':
      return 'text'
    case 'interval':
      // Of constants alone, from which instructions are written.
      return 'text'
    case 'date':
      return type.unit === 'day' ? 'i32' : 'i64'
    case 'time':
      return type.unit === 'second' || type.unit === 'millisecond' ? 'i32' : 'i64'
    case 'timestamp':
      return 'i64'
    case 'decimal':
      if (isShortDecimal(type) || areIn64Bits(type)) return 'i64'
      break
    case 'dictionary':
      return kindOf(type.value)
  }
  throw new TypeError(`the core evaluates no values of the type ${type.kind}`)
}

export function isFloat(kind: Kind): kind is 'f32' | 'f64' {
  return kind === 'f32' || kind === 'f64'
}
