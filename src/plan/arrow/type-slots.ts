import type { DataType, Field, TimeUnit } from '../types/schema.ts'
import { UUID_BYTES } from '../types/uuid.ts'
import type { Slot } from './write-flatbuffer.ts'

/** The enums `TimeUnit` and `IntervalUnit` of Arrow's Schema.fbs. */
export const UNITS: readonly TimeUnit[] = ['second', 'millisecond', 'microsecond', 'nanosecond']
export const INTERVAL_UNITS = ['year_month', 'day_time', 'month_day_nano'] as const

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
    case 'uuid':
      return of(TypeId.fixedBinary, [int(UUID_BYTES)])
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
