import { withoutMark } from '../../../plan/arrow/extension.ts'
import { Header } from '../../../plan/arrow/ipc.ts'
import {
  readBool,
  readByte,
  readShort,
  readString,
  readTable,
  readTables,
  rootTable,
  type Table,
} from '../../../plan/arrow/read-flatbuffer.ts'
import { TypeId } from '../../../plan/arrow/type-slots.ts'
import { type DataType, type Field, isNested, type Schema } from '../../../plan/types/schema.ts'
import { readPrefix } from './message.ts'
import { damaged, readType } from './schema-type.ts'

/**
 * Reads the schema message of Arrow IPC (Message.fbs and Schema.fbs of apache/arrow). The apache-arrow package is not used for
 * this because input is untrusted: that package believes the length of every vector, and does not know list views.
 */

/** The most fields of a schema, at all depths. A small file can refer to one table many times, and so claim any number. */
const MAX_FIELDS = 100_000
const MAX_DEPTH = 64

/**
 * Reads an encapsulated schema message, with or without the continuation marker. Large and view text and binary become `utf8`
 * and `binary`; a dictionary that is nested, or has nested values, becomes the type of its values.
 * Throws `unreadable_file` for a damaged message and for union, run-end-encoded and list-view columns.
 */
export function readSchemaMessage(message: Uint8Array): Schema {
  const prefix = readPrefix(message)
  if (prefix === null || prefix.metadataBytes > message.length - prefix.bytes)
    throw damaged('it is cut short')
  const root = rootTable(message.subarray(prefix.bytes, prefix.bytes + prefix.metadataBytes))
  const schema = readByte(root, 1) === Header.schema ? readTable(root, 2) : null
  if (schema === null) throw damaged('it is no schema')
  return readSchema(schema)
}

/** Reads a schema without the message around it, as it stands in the footer of a file. Otherwise as `readSchemaMessage`. */
export function readSchema(schema: Table): Schema {
  if (readShort(schema, 0, 0) !== 0) throw damaged('big-endian data are not read')
  const budget = { fields: MAX_FIELDS }
  return {
    fields: readTables(schema, 1).map((table) => readField(table, '', 0, budget)),
    metadata: readMetadata(schema, 2),
  }
}

function readField(table: Table, parent: string, depth: number, budget: { fields: number }): Field {
  if (--budget.fields < 0 || depth > MAX_DEPTH) throw damaged('it has too many fields')
  const name = readString(table, 0) ?? ''
  const path = parent === '' ? name : `${parent}.${name}`
  const children = readTables(table, 5).map((child) => readField(child, path, depth + 1, budget))
  const stored = readType(readByte(table, 2), readTable(table, 3), children, path)
  const { type, metadata } = withoutMark(stored, readMetadata(table, 6))
  return {
    name,
    type: depth === 0 ? encodedType(type, readTable(table, 4), path) : type,
    nullable: readBool(table, 1),
    metadata,
  }
}

/** The type of a column: a dictionary type if it has a `DictionaryEncoding` and flat values. */
function encodedType(value: DataType, encoding: Table | null, path: string): DataType {
  if (encoding === null || value.kind === 'null' || isNested(value)) return value
  const indexTable = readTable(encoding, 1)
  const index = indexTable === null ? INT32 : readType(TypeId.int, indexTable, [], path)
  if (index.kind !== 'int') return value
  return { kind: 'dictionary', index, value, ordered: readBool(encoding, 2) }
}

/** The index type of a dictionary if it is absent (Arrow's Schema.fbs). */
const INT32: DataType = Object.freeze({ kind: 'int', bits: 32, signed: true })

function readMetadata(table: Table, slot: number): Record<string, string> {
  return Object.fromEntries(
    readTables(table, slot).map((pair) => [readString(pair, 0) ?? '', readString(pair, 1) ?? '']),
  )
}
