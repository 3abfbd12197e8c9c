import { dateOf } from '../../../plan/kernels/calendar.ts'
import { firstDayOfMonth } from '../../../plan/kernels/intervals.ts'
import type { TimeUnit } from '../../../plan/types/schema.ts'
import type { Kind } from './kinds.ts'
import type { TellFailure } from './program.ts'

/** DuckDB's names of types in messages about overflows. */
function nameOf(kind: Kind): string {
  if (kind === 'f32') return 'FLOAT'
  if (kind === 'f64') return 'DOUBLE'
  return `${kind.startsWith('u') ? 'U' : ''}INT${kind.slice(1)}`
}

const OVERFLOWS = Object.freeze({
  '+': 'addition',
  '-': 'subtraction',
  '*': 'multiplication',
} as const)

const GREATER = 'A DOUBLE has a greater range: CAST(x AS DOUBLE).'
const SIGNED = 'A signed type has negative values: x::HUGEINT - y.'

/** DuckDB's message on a sum, difference or product that does not fit, and the service's advice. */
export function overflow(operator: keyof typeof OVERFLOWS, kind: Kind): TellFailure {
  const advice = operator === '-' && kind.startsWith('u') ? SIGNED : GREATER
  return (a, b) =>
    `Out of Range Error: Overflow in ${OVERFLOWS[operator]} of ${nameOf(kind)} (${a} ${operator} ${b})! ${advice}`
}

const DECIMAL_OVERFLOWS = Object.freeze({ '+': 'addition', '-': 'subtract', '*': 'multiplication' } as const)

/** DuckDB's message on unscaled decimals whose result has more than 18 digits. */
export function overflowOfDecimals(operator: keyof typeof DECIMAL_OVERFLOWS): TellFailure {
  return (a, b) =>
    `Out of Range Error: Overflow in ${DECIMAL_OVERFLOWS[operator]} of DECIMAL(18) (${a} ${operator} ${b}). You might want to add an explicit cast to a bigger decimal. ${GREATER}`
}

/** DuckDB's message on a decimal that is no integer of a type, after it was rounded. */
export function castOfDecimal(to: Kind): TellFailure {
  return (value) => `Conversion Error: Failed to cast decimal value ${value} to type ${nameOf(to)}`
}

export const overflowOfQuotient: TellFailure = (a, b) =>
  `Out of Range Error: Overflow in division of ${a} / ${b}. ${GREATER}`

export const overflowOfNegation: TellFailure = () =>
  `Out of Range Error: Overflow in negation of integer! ${GREATER}`

/** `b` is the number, of which 0 is subtracted. */
export const overflowOfAbsolute: TellFailure = (_, b) => `Out of Range Error: Overflow on abs(${b})`

export const rootOfNegative: TellFailure = () =>
  'Out of Range Error: cannot take square root of a negative number'

export const logarithmOf: TellFailure = (value) =>
  `Out of Range Error: cannot take logarithm of ${value === 0 ? 'zero' : 'a negative number'}`

export const angleOutOfRange: TellFailure = (value) =>
  `Out of Range Error: input value ${textOf(value, 'f64')} is out of range for numeric function`

/** Of the inverse of a sine or a cosine. */
export function outsideOfOne(name: string): TellFailure {
  return (a, b) =>
    Number.isFinite(Number(a))
      ? `Invalid Input Error: ${name.toUpperCase()} is undefined outside [-1,1]`
      : angleOutOfRange(a, b)
}

/** Of times in nanoseconds. Others have room. */
export const truncatedOutside: TellFailure = () =>
  'Invalid Input Error: date_trunc: the result is before the year 1678 or after 2261.'

export const dayOutOfRange: TellFailure = () => 'Out of Range Error: Date out of range'

/** A day as DuckDB prints it. */
function dayText(days: bigint | number): string {
  const { year, month, day } = dateOf(Number(days))
  const two = (value: number): string => String(value).padStart(2, '0')
  const shown = year > 0 ? year : 1 - year
  return `${String(shown).padStart(4, '0')}-${two(month)}-${two(day)}${year > 0 ? '' : ' (BC)'}`
}

/** Of a day whose beginning is no time in microseconds. */
export const castOfDay: TellFailure = (days) =>
  `Conversion Error: Type INT32 with value ${dayText(days)} can't be cast to the destination type INT64`

/** The same where a function casts the day. */
export const castOfArgument: TellFailure = (days) => castOfDay(days, 0).replace('Conversion', 'Invalid Input')

/** Of a time that another unit does not have. */
export function unitOutOfRange(from: TimeUnit, to: TimeUnit): TellFailure {
  return () => `Conversion Error: Could not convert Timestamp(${SYMBOLS[from]}) to Timestamp(${SYMBOLS[to]})`
}

const SYMBOLS = Object.freeze({ second: 'S', millisecond: 'MS', microsecond: 'US', nanosecond: 'NS' })

export const dayInNanoseconds: TellFailure = (days) =>
  `Conversion Error: Could not convert DATE (${dayText(days)}) to nanoseconds`

export const epochOutOfRange: TellFailure = () =>
  'Conversion Error: Epoch seconds out of range for TIMESTAMP WITH TIME ZONE'

/** Of a time that a zone moves beyond the range of a type. */
export function zoneOutOfRange(type: 'TIMESTAMP' | 'TIMESTAMP_NS'): TellFailure {
  return () => `Invalid Input Error: A time in its time zone is out of the range of ${type}.`
}

/** Why a text says no time, by the numbers of `src/evaluate/kernels/time_reading.rs`. */
const FAULTS = Object.freeze(['format', 'range', 'zone'] as const)

type Fault = (typeof FAULTS)[number]

/** DuckDB's message on a text that says no time, and the service's on the name of a zone (`src/workers/sql/reword-value.ts`). */
const READINGS: Readonly<
  Record<'DATE' | 'TIMESTAMP' | 'TIMESTAMP_NS' | 'TIME', (text: string, fault: Fault) => string>
> = Object.freeze({
  DATE: (text, fault) =>
    fault === 'range'
      ? `date field value out of range: "${text}"`
      : `invalid date field format: "${text}", expected format is (YYYY-MM-DD)`,
  TIMESTAMP(text, fault) {
    if (fault === 'range') return `timestamp field value out of range: "${text}"`
    if (fault === 'zone')
      return `"${text}" has the name of a zone; a time is written with its offset, as in '2024-02-29 12:00:00+01:00', or as in TIMESTAMP '2024-02-29 12:00:00' AT TIME ZONE 'Europe/Paris'`
    return `invalid timestamp field format: "${text}", expected format is (YYYY-MM-DD HH:MM:SS[.US][±HH[:MM[:SS]]| ZONE])`
  },
  TIMESTAMP_NS: (text) => `Could not convert string '${text}' to INT64`,
  TIME: (text) => `time field value out of range: "${text}", expected format is ([YYYY-MM-DD ]HH:MM:SS[.MS])`,
})

/** Of a text that says no time of a type. */
export function readingFailure(type: keyof typeof READINGS): TellFailure {
  return (fault, _, text = '') =>
    `Conversion Error: ${READINGS[type](text, FAULTS[Number(fault)] ?? 'format')}`
}

export const timeOutOfRange: TellFailure = () => 'Conversion Error: Date and time not in timestamp range'

/** Of so many months behind a day. */
export const monthOutOfRange: TellFailure = (days, months) => {
  const { year, month, day } = dateOf(Number(days))
  const from = (year - 1970) * 12 + month - 1 + Number(months)
  const first = firstDayOfMonth(from)
  const last = firstDayOfMonth(from + 1) - first
  const { year: moved, month: number } = dateOf(first)
  return `Conversion Error: Date out of range: ${moved}-${number}-${Math.min(day, last)}`
}

export function castFailure(from: Kind, to: Kind): TellFailure {
  return (value) =>
    `Conversion Error: Type ${nameOf(from)} with value ${textOf(value, from)} can't be cast because the value is out of range for the destination type ${nameOf(to)}`
}

/** A number as DuckDB prints it in messages. */
function textOf(value: bigint | number, kind: Kind): string {
  if (typeof value === 'bigint') return String(value)
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf'
  const shown = kind === 'f32' ? shortest(value) : value
  const [digits = '', exponent = '0'] = shown.toExponential().split('e')
  const power = Number(exponent)
  if (power >= -5 && power < 16) {
    const text = Number.isInteger(shown) ? `${BigInt(shown)}.0` : String(shown)
    return Object.is(shown, -0) ? '-0.0' : text
  }
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}

/** The number of the fewest digits that is the same float of 32 bits. Nine are always enough. */
function shortest(value: number): number {
  for (let digits = 1; digits <= 9; digits++) {
    const rounded = Number(value.toPrecision(digits))
    if (Math.fround(rounded) === value) return rounded
  }
  return value
}
