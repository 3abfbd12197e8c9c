import type { Scalar } from '../../src/plan/types/scalar.ts'
import { type DataType, valueType } from '../../src/plan/types/schema.ts'
import type { Value } from '../formats/values.ts'

/** A value as `columnValues` gives those of Arrow tables. */
export function plainValue(value: Scalar | null, type: DataType): Value {
  if (value === null) return null
  switch (value.kind) {
    case 'bool':
      return value.value
    case 'float':
      return Object.is(value.value, -0) ? '-0' : String(value.value)
    case 'bytes':
      return Buffer.from(value.value).toString('utf8')
    case 'int':
      return BigInt.asUintN(bitsOf(valueType(type)), value.value)
  }
}

function bitsOf(type: DataType): number {
  if (type.kind === 'int') return type.bits
  return type.kind === 'date' ? 32 : 64
}
