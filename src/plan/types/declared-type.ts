import { csvType } from '../format/csv-types.ts'
import { type DataType, DECIMAL_DIGITS, type IntType, type TimeUnit } from './schema.ts'

const int = (bits: IntType['bits'], signed = true): DataType => Object.freeze({ kind: 'int', bits, signed })
const timestamp = (unit: TimeUnit, zone: string | null = null): DataType =>
  Object.freeze({ kind: 'timestamp', unit, zone })
const UTF8: DataType = Object.freeze({ kind: 'utf8' })
const BINARY: DataType = Object.freeze({ kind: 'binary' })
const FLOAT: DataType = Object.freeze({ kind: 'float', bits: 32 })
const DOUBLE: DataType = Object.freeze({ kind: 'float', bits: 64 })
const DATE64: DataType = Object.freeze({ kind: 'date', unit: 'millisecond' })

/** Names that columns of CSV do not have. INT8 has 8 bytes in SQL, and 8 bits in Arrow. */
const NAMES: Readonly<Record<string, DataType>> = Object.freeze({
  INT1: int(8),
  INT2: int(16),
  SHORT: int(16),
  INT4: int(32),
  SIGNED: int(32),
  INT8: int(64),
  LONG: int(64),
  FLOAT4: FLOAT,
  FLOAT8: DOUBLE,
  'DOUBLE PRECISION': DOUBLE,
  LOGICAL: Object.freeze({ kind: 'bool' }),
  CHAR: UTF8,
  CHARACTER: UTF8,
  BPCHAR: UTF8,
  'CHARACTER VARYING': UTF8,
  'CHAR VARYING': UTF8,
  BLOB: BINARY,
  BYTEA: BINARY,
  VARBINARY: BINARY,
  UUID: Object.freeze({ kind: 'uuid' }),
  DATE64,
  TIME: Object.freeze({ kind: 'time', unit: 'microsecond' }),
  'TIMESTAMP WITHOUT TIME ZONE': timestamp('microsecond'),
  'TIMESTAMP WITH TIME ZONE': timestamp('microsecond', 'UTC'),
  TIMESTAMPTZ: timestamp('microsecond', 'UTC'),
})

/** The type that a name in SQL stands for, such as `DECIMAL(10, 2)`. It is in upper case. Null: none, or a nested one. */
export function declaredType(written: string): DataType | null {
  const namedType = NAMES[written] ?? csvType(written)
  if (namedType !== null) return namedType
  const [, name = '', sizes = ''] = /^([^(]+)\(([0-9, ]+)\)$/.exec(written) ?? []
  const numbers = sizes.split(',').map(Number)
  const [first = 0, ...others] = numbers
  if (written === 'DECIMAL' || written === 'NUMERIC') return decimal(18, 3)
  if (name === 'DECIMAL' || name === 'NUMERIC')
    return others.length > 1 ? null : decimal(first, others[0] ?? 0)
  // DuckDB has times with a zone in microseconds alone.
  if (/^TIMESTAMP\(\d\) WITH TIME ZONE$/.test(written)) return timestamp('microsecond', 'UTC')
  if (numbers.length !== 1) return null
  if (name === 'TIMESTAMP') return first > 9 ? null : timestamp(UNITS[Math.ceil(first / 3)] ?? 'second')
  // The length of text has no effect, as in DuckDB.
  const plain = NAMES[name] ?? csvType(name)
  return plain?.kind === 'utf8' ? plain : null
}

/** The units of time, each with three digits more than the one before. */
const UNITS: readonly TimeUnit[] = ['second', 'millisecond', 'microsecond', 'nanosecond']

function decimal(precision: number, scale: number): DataType | null {
  const isKnown = precision >= 1 && precision <= DECIMAL_DIGITS[128] && scale <= precision
  return isKnown ? Object.freeze({ kind: 'decimal', bits: 128, precision, scale }) : null
}
