import { TIMESTAMPTZ } from '../../../../plan/kernels/calendar.ts'
import { type DataType, sameType } from '../../../../plan/types/schema.ts'
import type { TokenReader } from '../../../sql/text/token-reader.ts'
import { isSign, wordOf } from '../../../sql/text/tokens.ts'
import { decline } from '../../bind/declined.ts'
import type { CastType } from './ast.ts'

const int = (bits: 8 | 16 | 32 | 64, signed = true): DataType => Object.freeze({ kind: 'int', bits, signed })
const float = (bits: 32 | 64): DataType => Object.freeze({ kind: 'float', bits })

/** DuckDB's name of the type, which is several words. */
const WITH_ZONE = 'TIMESTAMP WITH TIME ZONE'

/** Types that the core casts to, by DuckDB's names: first the one that it prints. */
const TYPES: readonly (readonly [type: DataType, ...names: readonly [string, ...string[]]])[] = [
  [Object.freeze({ kind: 'bool' }), 'BOOLEAN', 'BOOL', 'LOGICAL'],
  [int(8), 'TINYINT', 'INT1'],
  [int(16), 'SMALLINT', 'INT2', 'SHORT', 'INT16'],
  [int(32), 'INTEGER', 'INT', 'INT4', 'SIGNED', 'INT32'],
  [int(64), 'BIGINT', 'INT8', 'LONG', 'INT64'],
  [int(8, false), 'UTINYINT', 'UINT8'],
  [int(16, false), 'USMALLINT', 'UINT16'],
  [int(32, false), 'UINTEGER', 'UINT32'],
  [int(64, false), 'UBIGINT', 'UINT64'],
  [float(32), 'FLOAT', 'FLOAT4', 'REAL'],
  [float(64), 'DOUBLE', 'FLOAT8'],
  [Object.freeze({ kind: 'utf8' }), 'VARCHAR', 'TEXT', 'STRING', 'CHAR', 'BPCHAR'],
  [Object.freeze({ kind: 'date', unit: 'day' }), 'DATE'],
  [
    Object.freeze({ kind: 'timestamp', unit: 'microsecond', zone: null }),
    'TIMESTAMP',
    'DATETIME',
    'TIMESTAMP_US',
  ],
  [Object.freeze({ kind: 'timestamp', unit: 'nanosecond', zone: null }), 'TIMESTAMP_NS'],
  [TIMESTAMPTZ, WITH_ZONE, 'TIMESTAMPTZ'],
  [Object.freeze({ kind: 'time', unit: 'microsecond' }), 'TIME'],
]

const BY_NAME: ReadonlyMap<string, CastType> = new Map(
  TYPES.flatMap(([type, name, ...others]) =>
    [name, ...others].map((each) => [each, Object.freeze({ type, name })] as const),
  ),
)

/** Parses the name of a type that the core casts to. */
export function parseType(reader: TokenReader): CastType {
  const at = reader.at()
  const word = reader.takeWords('TIMESTAMP', 'WITH', 'TIME', 'ZONE') ? WITH_ZONE : wordOf(reader.peek())
  const type = BY_NAME.get(word ?? '')
  // What follows may be part of the type: `DECIMAL(9, 2)`, `INTEGER[]`, `DOUBLE PRECISION`, `TIMESTAMP WITH TIME ZONE`.
  const follows = reader.peek(word === WITH_ZONE ? 0 : 1)
  const isWhole =
    !isSign(follows, '(') && !isSign(follows, '[') && !['WITH', 'WITHOUT'].includes(wordOf(follows) ?? '')
  if (type === undefined || !isWhole) return decline(`a cast to ${word ?? 'what is no type'}`, at)
  if (word !== WITH_ZONE) reader.next()
  return type
}

/** The name of a type that the core casts to. Null: it casts to no such type. */
export function printType(type: DataType): string | null {
  return TYPES.find(([each]) => sameType(each, type))?.[1] ?? null
}
