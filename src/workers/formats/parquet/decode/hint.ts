import { writeSchemaMessage } from '../../../../plan/arrow/schema-message.ts'
import {
  type DataType,
  DECIMAL_DIGITS,
  type Field,
  type Schema,
  sameType,
  valueType,
} from '../../../../plan/types/schema.ts'
import { readSchemaMessage } from '../../arrow/read-schema.ts'
import { type FileMetaData, PhysicalType } from '../metadata/metadata.ts'

/**
 * Writers of Arrow data keep their schema beside Parquet's own, under the key `ARROW:schema` (base64 of an IPC schema
 * message), because Parquet has no durations, zones, large lists and the like. It is advice: it counts where the
 * stored values can be read as the type it names, as in the parquet crate (arrow/schema/primitive.rs).
 */
const KEY = 'ARROW:schema'

/** What the file's writer says of its columns, by name; empty when it says nothing. */
export function readHints(metadata: FileMetaData): ReadonlyMap<string, Field> {
  const encoded = metadata.keyValues?.find((pair) => pair.key === KEY)?.value
  if (encoded === undefined) return new Map()
  const { fields } = readSchemaMessage(Buffer.from(encoded, 'base64'))
  // In Parquet a dictionary is no type: pages have one or not as it pays.
  return new Map(fields.map((field) => [field.name, { ...field, type: valueType(field.type) }]))
}

/** The key-value pair that makes the parquet crate read these fields in their own types. */
export function writeHints(schema: Schema): { readonly key: string; readonly value: string } {
  return { key: KEY, value: Buffer.from(writeSchemaMessage(schema)).toString('base64') }
}

/** The type in which a leaf of type `stored` is read. */
export function hintedType(
  stored: DataType,
  physical: number | undefined,
  hint: DataType | undefined,
): DataType {
  // Months, days and milliseconds: Arrow's interval of all three is not made by the crate, one of two would lose some.
  if (stored.kind === 'interval' && (hint?.kind !== 'interval' || hint.unit === 'month_day_nano'))
    return { kind: 'fixed_binary', width: 12 }
  if (hint === undefined) return stored
  switch (hint.kind) {
    case 'timestamp':
      // INT96 holds days and nanoseconds, more than 64 bits of nanoseconds can.
      if (physical === PhysicalType.int96) return hint
      // Parquet has no seconds: pyarrow stores them as milliseconds, and the zone is still the writer's.
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
    case 'interval':
      return stored.kind === 'interval' ? hint : stored
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

/** What a leaf's own annotation has to say for it to be read as `type`; an Arrow schema has to say the rest. */
export function annotatedType(stored: DataType, type: DataType): DataType {
  return type.kind === 'utf8' || type.kind === 'fixed_binary' ? type : stored
}

function isPlainInt(type: DataType, bits: 32 | 64): boolean {
  return sameType(type, { kind: 'int', bits, signed: true })
}
