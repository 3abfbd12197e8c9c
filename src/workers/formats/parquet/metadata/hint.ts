import { writeSchemaMessage } from '../../../../plan/arrow/schema-message.ts'
import {
  type DataType,
  DECIMAL_DIGITS,
  type Field,
  type Schema,
  sameType,
  valueType,
} from '../../../../plan/types/schema.ts'
import { UUID_BYTES } from '../../../../plan/types/uuid.ts'
import { readSchemaMessage } from '../../arrow/read-schema.ts'
import { type FileMetaData, PhysicalType } from './metadata.ts'

/**
 * The key under which writers embed an Arrow schema, base64 of an IPC schema message, because Parquet has no durations, zones,
 * large lists and so on. Its types are hints: one counts only where the stored values can be read as that type, as in the
 * parquet crate of Rust (arrow/schema/primitive.rs).
 */
const KEY = 'ARROW:schema'

/** The fields of the embedded Arrow schema by their names. Empty: there is none. */
export function readHints(keyValues: FileMetaData['keyValues']): ReadonlyMap<string, Field> {
  const encoded = keyValues?.find((pair) => pair.key === KEY)?.value
  if (encoded === undefined) return new Map()
  const { fields } = readSchemaMessage(Buffer.from(encoded, 'base64'))
  // Parquet has no dictionary types: each chunk has a dictionary or not, as its writer saw fit.
  return new Map(fields.map((field) => [field.name, { ...field, type: valueType(field.type) }]))
}

/** The key-value pair that makes parquet-wasm read these fields in their Arrow types. */
export function writeHints(schema: Schema): { readonly key: string; readonly value: string } {
  return { key: KEY, value: Buffer.from(writeSchemaMessage(schema)).toString('base64') }
}

/** The type in which a leaf of type `stored` is read, given the type that the embedded Arrow schema names. */
export function hintedType(
  stored: DataType,
  physical: number | undefined,
  hint: DataType | undefined,
): DataType {
  // An INTERVAL has months, days and milliseconds. Only this type has all three; writers that embed another one left the rest zero.
  if (stored.kind === 'interval')
    return hint?.kind === 'interval' ? hint : { kind: 'interval', unit: 'month_day_nano' }
  if (hint === undefined) return stored
  switch (hint.kind) {
    case 'timestamp':
      // INT96 holds days and nanoseconds of the day, which is more than 64 bits of nanoseconds can hold.
      if (physical === PhysicalType.int96) return hint
      // Parquet has no seconds, so pyarrow stores them as milliseconds. The hint gives the zone alone.
      if (stored.kind === 'timestamp') return hint.zone === null ? stored : { ...stored, zone: hint.zone }
      return isPlainInt(stored, 64) ? hint : stored
    case 'duration':
      return isPlainInt(stored, 64) ? hint : stored
    case 'time':
      return isPlainInt(stored, hint.unit === 'second' || hint.unit === 'millisecond' ? 32 : 64)
        ? hint
        : stored
    case 'date':
      return hint.unit === 'millisecond' && (stored.kind === 'date' || isPlainInt(stored, 64)) ? hint : stored
    case 'utf8':
      return stored.kind === 'binary' ? hint : stored
    case 'uuid':
      return stored.kind === 'fixed_binary' && stored.width === UUID_BYTES ? hint : stored
    case 'decimal':
      return stored.kind === 'decimal' &&
        stored.bits === 128 &&
        stored.precision === hint.precision &&
        stored.scale === hint.scale &&
        hint.precision <= DECIMAL_DIGITS[hint.bits]
        ? hint
        : stored
    default:
      return stored
  }
}

/**
 * The type that a leaf has to be annotated with for parquet-wasm to read it as `type`. If it is not `type` itself, an Arrow
 * schema has to be embedded as well.
 */
export function annotatedType(stored: DataType, type: DataType): DataType {
  switch (type.kind) {
    case 'utf8':
    case 'fixed_binary':
    case 'uuid':
      return type
    case 'interval':
      return type.unit === 'month_day_nano' ? type : stored
    default:
      return stored
  }
}

function isPlainInt(type: DataType, bits: 32 | 64): boolean {
  return sameType(type, { kind: 'int', bits, signed: true })
}
