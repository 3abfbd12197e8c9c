import { type DataType, type TimeUnit, typeName } from '../types/schema.ts'
import type { FileFormat } from './file-format.ts'

const int = (bits: 8 | 16 | 32 | 64, signed: boolean): DataType => ({ kind: 'int', bits, signed })
const timestamp = (unit: TimeUnit): DataType => ({ kind: 'timestamp', unit, zone: null })

/** The types that a column of CSV can be given, each with its names in SQL. */
const TYPES: readonly (readonly [type: DataType, ...names: string[]])[] = [
  [{ kind: 'utf8' }, 'VARCHAR', 'TEXT', 'STRING'],
  [{ kind: 'float', bits: 64 }, 'DOUBLE'],
  [{ kind: 'float', bits: 32 }, 'FLOAT', 'REAL'],
  [int(64, true), 'BIGINT'],
  [int(32, true), 'INTEGER', 'INT'],
  [int(16, true), 'SMALLINT'],
  [int(8, true), 'TINYINT'],
  [int(64, false), 'UBIGINT'],
  [int(32, false), 'UINTEGER'],
  [int(16, false), 'USMALLINT'],
  [int(8, false), 'UTINYINT'],
  [{ kind: 'bool' }, 'BOOL'],
  [{ kind: 'date', unit: 'day' }, 'DATE'],
  [timestamp('second'), 'TIMESTAMP_S'],
  [timestamp('millisecond'), 'TIMESTAMP_MS'],
  [timestamp('microsecond'), 'TIMESTAMP', 'DATETIME'],
  [timestamp('nanosecond'), 'TIMESTAMP_NS'],
]

const BY_NAME: ReadonlyMap<string, DataType> = new Map(
  TYPES.flatMap(([type, ...names]) =>
    [typeName(type), ...names].map((name): [string, DataType] => [name.toLowerCase(), Object.freeze(type)]),
  ),
)

/** The names of the types as in messages, and then as in SQL. */
export const CSV_TYPE_NAMES: readonly string[] = Object.freeze([
  ...TYPES.map(([type]) => typeName(type)),
  ...TYPES.flatMap(([, ...names]) => names),
])

/** The type of this name, in any case. Null: there is none that is read from CSV. */
export function csvType(name: string): DataType | null {
  return BY_NAME.get(name.toLowerCase()) ?? null
}

/** The columns that the options of a format give types. */
export function typedColumns({ options: { types } }: FileFormat): readonly string[] {
  return typeof types === 'object' && !Array.isArray(types) ? Object.keys(types) : []
}
