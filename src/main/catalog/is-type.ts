import { type DataType, type Field, SECOND_DIGITS } from '../../plan/types/schema.ts'

type Check = (value: unknown) => boolean

const isBoolean: Check = (value) => typeof value === 'boolean'
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0
const isWhole: Check = (value) => Number.isSafeInteger(value)
const isZone: Check = (value) => value === null || typeof value === 'string'
const isTimeUnit: Check = (value) => typeof value === 'string' && Object.hasOwn(SECOND_DIGITS, value)
const isFields: Check = (value) => Array.isArray(value) && value.every(isField)
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value)

/** The members of a type of each kind. */
const MEMBERS: Readonly<Record<DataType['kind'], Readonly<Record<string, Check>>>> = Object.freeze({
  null: {},
  bool: {},
  int: { bits: oneOf(8, 16, 32, 64), signed: isBoolean },
  float: { bits: oneOf(16, 32, 64) },
  decimal: { bits: oneOf(32, 64, 128, 256), precision: isCount, scale: isWhole },
  utf8: {},
  binary: {},
  fixed_binary: { width: isCount },
  uuid: {},
  date: { unit: oneOf('day', 'millisecond') },
  time: { unit: isTimeUnit },
  timestamp: { unit: isTimeUnit, zone: isZone },
  duration: { unit: isTimeUnit },
  interval: { unit: oneOf('year_month', 'day_time', 'month_day_nano') },
  list: { item: isField },
  large_list: { item: isField },
  fixed_list: { item: isField, size: isCount },
  struct: { fields: isFields },
  map: { entries: isField, sorted: isBoolean },
  dictionary: { index: isType, value: isType, ordered: isBoolean },
})

/** Whether a value that was read from JSON is a type. */
export function isType(value: unknown): value is DataType {
  return isObject(value) && isKind(value.kind) && hasMembers(value, MEMBERS[value.kind])
}

/** Whether a value that was read from JSON has texts alone, by name. */
export function isMetadata(value: unknown): value is Field['metadata'] {
  return isObject(value) && Object.values(value).every((text) => typeof text === 'string')
}

function isField(value: unknown): value is Field {
  return (
    isObject(value) &&
    typeof value.name === 'string' &&
    isType(value.type) &&
    isBoolean(value.nullable) &&
    isMetadata(value.metadata)
  )
}

function isKind(kind: unknown): kind is DataType['kind'] {
  return typeof kind === 'string' && Object.hasOwn(MEMBERS, kind)
}

function hasMembers(
  value: Readonly<Record<string, unknown>>,
  members: Readonly<Record<string, Check>>,
): boolean {
  return Object.entries(members).every(([name, check]) => check(value[name]))
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
