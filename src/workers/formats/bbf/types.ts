import type { DataType, TimeUnit } from '../../../plan/types/schema.ts'

const int = (bits: 8 | 16 | 32 | 64, signed: boolean): DataType =>
  Object.freeze({ kind: 'int', bits, signed })
const float = (bits: 32 | 64): DataType => Object.freeze({ kind: 'float', bits })
const timestamp = (unit: TimeUnit): DataType => Object.freeze({ kind: 'timestamp', unit, zone: null })

/** Types in the order of their codes. A stored array has the number of its type, and one more. */
export const TYPES: readonly DataType[] = Object.freeze([
  Object.freeze({ kind: 'null' as const }),
  Object.freeze({ kind: 'bool' as const }),
  int(8, true),
  int(16, true),
  int(32, true),
  int(64, true),
  int(8, false),
  int(16, false),
  int(32, false),
  int(64, false),
  float(32),
  float(64),
  timestamp('second'),
  timestamp('millisecond'),
  timestamp('microsecond'),
  timestamp('nanosecond'),
  Object.freeze({ kind: 'utf8' as const }),
  Object.freeze({ kind: 'binary' as const }),
])

/** The bytes of a value of a type of one width. Null: its values have none. */
export function widthOf(type: DataType): number | null {
  switch (type.kind) {
    case 'int':
    case 'float':
      return type.bits / 8
    case 'timestamp':
      return 8
    default:
      return null
  }
}
