import type { DataType, TimeUnit } from '../../plan/types/schema.ts'

/**
 * A type as two numbers (`types.rs`, `Type::from_code`): its kind, and the scale of a decimal or the offset of a time zone in
 * seconds. A dictionary has those of its values.
 */
export type TypeCode = readonly [code: number, parameter: number]

/** The code of lists, structs and maps. */
export const NESTED = 36

const NO_ZONE = -(2 ** 31)

/** The units of time with their codes (`types.rs`). */
export const UNITS: Readonly<Record<TimeUnit, number>> = Object.freeze({
  second: 0,
  millisecond: 1,
  microsecond: 2,
  nanosecond: 3,
})

const INTERVALS = Object.freeze({ year_month: 33, day_time: 34, month_day_nano: 35 })

export function typeCode(type: DataType): TypeCode {
  switch (type.kind) {
    case 'null':
      return [0, 0]
    case 'bool':
      return [1, 0]
    case 'int':
      return [(type.signed ? 2 : 6) + Math.log2(type.bits / 8), 0]
    case 'float':
      return [10 + Math.log2(type.bits / 16), 0]
    case 'decimal':
      return [13 + Math.log2(type.bits / 32), type.scale]
    case 'utf8':
      return [17, 0]
    case 'binary':
    case 'fixed_binary':
      return [18, 0]
    case 'uuid':
      return [37, 0]
    case 'date':
      return [type.unit === 'day' ? 19 : 20, 0]
    case 'time':
      return [21 + UNITS[type.unit], 0]
    case 'timestamp':
      return [25 + UNITS[type.unit], type.zone === null ? NO_ZONE : offsetSeconds(type.zone)]
    case 'duration':
      return [29 + UNITS[type.unit], 0]
    case 'interval':
      return [INTERVALS[type.unit], 0]
    case 'dictionary':
      return typeCode(type.value)
    default:
      return [NESTED, 0]
  }
}

/**
 * The offset in which times of a zone are printed, in seconds east of UTC: that of a fixed offset (`+02:00`, `+0200`, `+02`).
 * Times of named zones are printed in UTC, as the core has no zone database.
 */
function offsetSeconds(zone: string): number {
  const match = /^([+-])(\d\d):?(\d\d)?$/.exec(zone)
  if (!match) return 0
  const [, sign, hours, minutes] = match
  const seconds = Number(hours) * 3600 + Number(minutes ?? 0) * 60
  return sign === '-' ? -seconds : seconds
}
