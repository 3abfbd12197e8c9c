import { type DataType, type Field, isNested, type Schema } from '../../../plan/types/schema.ts'
import {
  readBool,
  readByte,
  readShort,
  readString,
  readTable,
  readTables,
  rootTable,
  type Slot,
  type Table,
  writeFlatbuffer,
} from './flatbuffer.ts'
import { CONTINUATION, Header, PREFIX_BYTES, readPrefix } from './message.ts'
import { damaged, readType, TypeId, typeSlots } from './schema-type.ts'

/**
 * Reads and writes the schema message of Arrow IPC (Message.fbs and Schema.fbs of apache/arrow). The apache-arrow package is
 * not used for this because input is untrusted: that package believes the length of every vector, and does not know list views.
 */

const METADATA_V5 = 4

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
  const type = readType(readByte(table, 2), readTable(table, 3), children, path)
  return {
    name,
    type: depth === 0 ? encodedType(type, readTable(table, 4), path) : type,
    nullable: readBool(table, 1),
    metadata: readMetadata(table, 6),
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

/** The encapsulated schema message, padded to 8 bytes. The id of a column's dictionary is the index of the column. */
export function writeSchemaMessage(schema: Schema): Uint8Array {
  const metadata = writeFlatbuffer([
    { size: 2, value: METADATA_V5 },
    { size: 1, value: Header.schema },
    {
      table: [
        undefined,
        { tables: schema.fields.map((field, id) => fieldSlots(field, id)) },
        metadataSlot(schema.metadata),
      ],
    },
  ])
  const message = new Uint8Array(PREFIX_BYTES + metadata.length)
  const view = new DataView(message.buffer)
  view.setUint32(0, CONTINUATION, true)
  view.setUint32(4, metadata.length, true)
  message.set(metadata, PREFIX_BYTES)
  return message
}

/** The slots of a `Field`. `dictionary` is the id of its dictionary, if its type is a dictionary type. */
function fieldSlots(field: Field, dictionary = 0): readonly (Slot | undefined)[] {
  const { id, slots, children } = typeSlots(field.type)
  return [
    { text: field.name },
    { size: 1, value: Number(field.nullable) },
    { size: 1, value: id },
    { table: slots },
    encodingSlot(field.type, dictionary),
    { tables: children.map((child) => fieldSlots(child)) },
    metadataSlot(field.metadata),
  ]
}

function encodingSlot(type: DataType, id: number): Slot | undefined {
  if (type.kind !== 'dictionary') return undefined
  return {
    table: [
      { size: 8, value: id },
      { table: typeSlots(type.index).slots },
      { size: 1, value: Number(type.ordered) },
    ],
  }
}

function metadataSlot(metadata: Readonly<Record<string, string>>): Slot | undefined {
  const pairs = Object.entries(metadata)
  return pairs.length === 0
    ? undefined
    : { tables: pairs.map(([key, value]) => [{ text: key }, { text: value }]) }
}
