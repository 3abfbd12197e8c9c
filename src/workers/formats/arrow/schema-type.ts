import { ServiceError } from '../../../plan/errors.ts'
import type { DataType, Field, TimeUnit } from '../../../plan/types/schema.ts'
import { readBool, readInt, readShort, readString, type Slot, type Table } from './flatbuffer.ts'

const UNITS: readonly TimeUnit[] = ['second', 'millisecond', 'microsecond', 'nanosecond']
const INTERVAL_UNITS = ['year_month', 'day_time', 'month_day_nano'] as const

/** The union `Type` of Arrow's Schema.fbs. */
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
 * The type of a `Field`, from the number and the table of its `Type`; `path` names the column in errors. Large and view text
 * and binary become `utf8` and `binary`. Throws `unreadable_file` for a damaged type and for one that is not supported.
 */
export function readType(
  id: number,
  table: Table | null,
  children: readonly Field[],
  path: string,
): DataType {
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

/** The number of a type, the slots of its table, and the fields of its children. For a dictionary type, those of its values. */
export function typeSlots(type: DataType): {
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

/** An error about a schema. Callers add the file's name. */
export function damaged(what: string): ServiceError {
  return new ServiceError('unreadable_file', `damaged Arrow schema: ${what}`)
}
