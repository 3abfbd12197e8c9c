import { type DataType, typeName } from '../types/schema.ts'

const INTEGERS = [
  ['TINYINT', 8],
  ['SMALLINT', 16],
  ['INTEGER', 32],
  ['BIGINT', 64],
] as const

const TYPES: ReadonlyMap<string, DataType> = new Map<string, DataType>([
  ...INTEGERS.flatMap(([name, bits]): [string, DataType][] => [
    [name, { kind: 'int', bits, signed: true }],
    [`U${name}`, { kind: 'int', bits, signed: false }],
  ]),
  // Columns of answers have these types for them.
  ['HUGEINT', { kind: 'int', bits: 64, signed: true }],
  ['UHUGEINT', { kind: 'int', bits: 64, signed: false }],
  ['BIT', { kind: 'binary' }],
  ['BLOB', { kind: 'binary' }],
  ['BOOLEAN', { kind: 'bool' }],
  ['DATE', { kind: 'date', unit: 'day' }],
  ['DOUBLE', { kind: 'float', bits: 64 }],
  ['FLOAT', { kind: 'float', bits: 32 }],
  ['INTERVAL', { kind: 'interval', unit: 'month_day_nano' }],
  ['TIME', { kind: 'time', unit: 'microsecond' }],
  ['TIMESTAMP', { kind: 'timestamp', unit: 'microsecond', zone: null }],
  ['TIMESTAMP WITH TIME ZONE', { kind: 'timestamp', unit: 'microsecond', zone: 'UTC' }],
  ['TIMESTAMPTZ_NS', { kind: 'timestamp', unit: 'nanosecond', zone: 'UTC' }],
  ['TIMESTAMP_MS', { kind: 'timestamp', unit: 'millisecond', zone: null }],
  ['TIMESTAMP_NS', { kind: 'timestamp', unit: 'nanosecond', zone: null }],
  ['TIMESTAMP_S', { kind: 'timestamp', unit: 'second', zone: null }],
  ['UUID', { kind: 'uuid' }],
  ['VARCHAR', { kind: 'utf8' }],
])

/** The name in Arrow of a type that a function takes or returns. Types that stand for several, such as `ANY`, keep DuckDB's name. */
export function arrowTypeName(duckName: string): string {
  if (duckName.endsWith('[]')) return `List<${arrowTypeName(duckName.slice(0, -2))}>`
  const type = TYPES.get(duckName)
  return type === undefined ? duckName : typeName(type)
}
