import { ServiceError } from '../../../plan/errors.ts'
import { type DataType, type Field, isNested, type Schema, type TimeUnit } from '../../../plan/schema.ts'
import {
  readBool,
  readByte,
  readInt,
  readShort,
  readString,
  readTable,
  readTables,
  rootTable,
  type Slot,
  type Table,
  writeFlatbuffer,
} from './flatbuffer.ts'

/**
 * The schema message of Arrow IPC (Message.fbs and Schema.fbs of apache/arrow), from and to our own types. Own code
 * and not the apache-arrow package, because what comes in is untrusted: that package believes every vector's length,
 * and knows no list views.
 */

const SCHEMA_HEADER = 1
const METADATA_V5 = 4
const CONTINUATION = 0xffff_ffff

/** A table may be referred to many times, so nesting could multiply without end. */
const MAX_FIELDS = 100_000
const MAX_DEPTH = 64

const UNITS: readonly TimeUnit[] = ['second', 'millisecond', 'microsecond', 'nanosecond']
const INTERVAL_UNITS = ['year_month', 'day_time', 'month_day_nano'] as const

/** `Type` of Schema.fbs. */
export const TypeId = Object.freeze({
  null: 1,
  int: 2,
  float: 3,
  binary: 4,
  utf8: 5,
  bool: 6,
  decimal: 7,
  date: 8,
  time: 9,
  timestamp: 10,
  interval: 11,
  list: 12,
  struct: 13,
  union: 14,
  fixedBinary: 15,
  fixedList: 16,
  map: 17,
  duration: 18,
  largeBinary: 19,
  largeUtf8: 20,
  largeList: 21,
  runEndEncoded: 22,
  binaryView: 23,
  utf8View: 24,
  listView: 25,
  largeListView: 26,
})

/**
 * An encapsulated schema message, with or without the continuation marker. Large and view text and binary come out as
 * what they hold: `utf8` or `binary`, and so do dictionaries that are nested or of nested values.
 * Errors: `unreadable_file` for a damaged message and for union, run-end-encoded and list-view columns.
 */
export function readSchemaMessage(message: Uint8Array): Schema {
  if (message.length < 8) throw damaged('it is too short')
  const view = new DataView(message.buffer, message.byteOffset, message.length)
  const prefix = view.getUint32(0, true) === CONTINUATION ? 8 : 4
  const length = view.getUint32(prefix - 4, true)
  if (length > message.length - prefix) throw damaged('it is cut short')
  const root = rootTable(message.subarray(prefix, prefix + length))
  const schema = readByte(root, 1) === SCHEMA_HEADER ? readTable(root, 2) : null
  if (schema === null) throw damaged('it is no schema')
  return readSchema(schema)
}

/** A schema by itself, as the footer of a file has it. */
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

/** The type of a column, by its `DictionaryEncoding` if it has one. */
function encodedType(value: DataType, encoding: Table | null, path: string): DataType {
  if (encoding === null || value.kind === 'null' || isNested(value)) return value
  const indexTable = readTable(encoding, 1)
  const index = indexTable === null ? INT32 : readType(TypeId.int, indexTable, [], path)
  if (index.kind !== 'int') return value
  return { kind: 'dictionary', index, value, ordered: readBool(encoding, 2) }
}

/** What an absent index type stands for (Schema.fbs). */
const INT32: DataType = Object.freeze({ kind: 'int', bits: 32, signed: true })

function readType(id: number, table: Table | null, children: readonly Field[], path: string): DataType {
  const child = (): Field => {
    const [only] = children
    if (only === undefined || children.length !== 1) throw damaged(`column "${path}" must have one child`)
    return only
  }
  const unit = (absent: number): TimeUnit => {
    const found = UNITS[table === null ? absent : readShort(table, 0, absent)]
    if (found === undefined) throw damaged(`column "${path}" has an unknown unit`)
    return found
  }
  const int = (slot: number, absent: number): number =>
    table === null ? absent : readInt(table, slot, absent)
  const refuse = (what: string): ServiceError =>
    new ServiceError('unreadable_file', `column "${path}" has the type ${what}, which is not supported`)

  switch (id) {
    case TypeId.null:
      return { kind: 'null' }
    case TypeId.int: {
      const bits = int(0, 0)
      if (bits !== 8 && bits !== 16 && bits !== 32 && bits !== 64) throw refuse(`Int${bits}`)
      return { kind: 'int', bits, signed: table !== null && readBool(table, 1) }
    }
    case TypeId.float: {
      const bits = ([16, 32, 64] as const)[table === null ? 0 : readShort(table, 0, 0)]
      if (bits === undefined) throw damaged(`column "${path}" has an unknown precision`)
      return { kind: 'float', bits }
    }
    case TypeId.binary:
    case TypeId.largeBinary:
    case TypeId.binaryView:
      return { kind: 'binary' }
    case TypeId.utf8:
    case TypeId.largeUtf8:
    case TypeId.utf8View:
      return { kind: 'utf8' }
    case TypeId.bool:
      return { kind: 'bool' }
    case TypeId.decimal: {
      const bits = int(2, 128)
      if (bits !== 32 && bits !== 64 && bits !== 128 && bits !== 256) throw refuse(`Decimal${bits}`)
      return { kind: 'decimal', bits, precision: int(0, 0), scale: int(1, 0) }
    }
    case TypeId.date:
      return {
        kind: 'date',
        unit: (table === null ? 1 : readShort(table, 0, 1)) === 0 ? 'day' : 'millisecond',
      }
    case TypeId.time:
      return { kind: 'time', unit: unit(1) }
    case TypeId.timestamp:
      return { kind: 'timestamp', unit: unit(0), zone: (table && readString(table, 1)) || null }
    case TypeId.duration:
      return { kind: 'duration', unit: unit(1) }
    case TypeId.interval: {
      const found = INTERVAL_UNITS[table === null ? 0 : readShort(table, 0, 0)]
      if (found === undefined) throw damaged(`column "${path}" has an unknown unit`)
      return { kind: 'interval', unit: found }
    }
    case TypeId.list:
      return { kind: 'list', item: child() }
    case TypeId.largeList:
      return { kind: 'large_list', item: child() }
    case TypeId.fixedList:
      return { kind: 'fixed_list', item: child(), size: Math.max(0, int(0, 0)) }
    case TypeId.fixedBinary:
      return { kind: 'fixed_binary', width: Math.max(0, int(0, 0)) }
    case TypeId.struct:
      return { kind: 'struct', fields: children }
    case TypeId.map: {
      const entries = child()
      if (entries.type.kind !== 'struct' || entries.type.fields.length !== 2)
        throw damaged(`column "${path}" must have keys and values`)
      return { kind: 'map', entries, sorted: table !== null && readBool(table, 0) }
    }
    case TypeId.union:
      throw refuse('Union')
    case TypeId.runEndEncoded:
      throw refuse('RunEndEncoded')
    case TypeId.listView:
      throw refuse('ListView')
    case TypeId.largeListView:
      throw refuse('LargeListView')
    default:
      throw refuse(`number ${id} of a newer Arrow`)
  }
}

export function readMetadata(table: Table, slot: number): Record<string, string> {
  return Object.fromEntries(
    readTables(table, slot).map((pair) => [readString(pair, 0) ?? '', readString(pair, 1) ?? '']),
  )
}

function damaged(what: string): ServiceError {
  return new ServiceError('unreadable_file', `damaged Arrow schema: ${what}`)
}

/** The encapsulated message, padded to 8 bytes. */
export function writeSchemaMessage(schema: Schema): Uint8Array {
  const metadata = writeFlatbuffer([
    { size: 2, value: METADATA_V5 },
    { size: 1, value: SCHEMA_HEADER },
    {
      table: [
        undefined,
        { tables: schema.fields.map((field, id) => fieldSlots(field, id)) },
        metadataSlot(schema.metadata),
      ],
    },
  ])
  const message = new Uint8Array(8 + metadata.length)
  const view = new DataView(message.buffer)
  view.setUint32(0, CONTINUATION, true)
  view.setUint32(4, metadata.length, true)
  message.set(metadata, 8)
  return message
}

/** `dictionary`: the id of its dictionary, if it is one. */
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

function typeSlots(type: DataType): {
  readonly id: number
  readonly slots: readonly (Slot | undefined)[]
  readonly children: readonly Field[]
} {
  const of = (id: number, slots: readonly (Slot | undefined)[] = [], children: readonly Field[] = []) => ({
    id,
    slots,
    children,
  })
  const short = (value: number): Slot => ({ size: 2, value })
  const int = (value: number): Slot => ({ size: 4, value })
  const bool = (value: boolean): Slot => ({ size: 1, value: Number(value) })
  const unit = (value: TimeUnit): Slot => short(UNITS.indexOf(value))

  switch (type.kind) {
    case 'null':
      return of(TypeId.null)
    case 'bool':
      return of(TypeId.bool)
    case 'int':
      return of(TypeId.int, [int(type.bits), bool(type.signed)])
    case 'float':
      return of(TypeId.float, [short([16, 32, 64].indexOf(type.bits))])
    case 'decimal':
      return of(TypeId.decimal, [int(type.precision), int(type.scale), int(type.bits)])
    case 'utf8':
      return of(TypeId.utf8)
    case 'binary':
      return of(TypeId.binary)
    case 'fixed_binary':
      return of(TypeId.fixedBinary, [int(type.width)])
    case 'date':
      return of(TypeId.date, [short(type.unit === 'day' ? 0 : 1)])
    case 'time':
      return of(TypeId.time, [
        unit(type.unit),
        int(type.unit === 'second' || type.unit === 'millisecond' ? 32 : 64),
      ])
    case 'timestamp':
      return of(TypeId.timestamp, [unit(type.unit), type.zone === null ? undefined : { text: type.zone }])
    case 'duration':
      return of(TypeId.duration, [unit(type.unit)])
    case 'interval':
      return of(TypeId.interval, [short(INTERVAL_UNITS.indexOf(type.unit))])
    case 'list':
      return of(TypeId.list, [], [type.item])
    case 'large_list':
      return of(TypeId.largeList, [], [type.item])
    case 'fixed_list':
      return of(TypeId.fixedList, [int(type.size)], [type.item])
    case 'struct':
      return of(TypeId.struct, [], type.fields)
    case 'map':
      return of(TypeId.map, [bool(type.sorted)], [type.entries])
    case 'dictionary':
      return typeSlots(type.value)
  }
}
