import { isAnyTime, isZonedTime } from '../../../../plan/kernels/calendar.ts'
import { parseInstant } from '../../../../plan/types/instant.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import { type DataType, SECOND_DIGITS } from '../../../../plan/types/schema.ts'
import type { Literal } from './literal.ts'

const DATE = /^\d{4}-\d\d-\d\d$/
const TIMESTAMP = /^\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.(?<fraction>\d{1,9}))?Z?)?)?$/

/** Nanoseconds in a day, and in the unit with so many digits behind the seconds. */
const DAY = 86_400_000_000_000n

/** The value of a literal that DuckDB casts to a date or to a time, of which those with a zone are in UTC. Null: it is none, or it is not certain which. */
export function timeOfLiteral({ form, text }: Literal, type: DataType): Scalar | null {
  if (!isAnyTime(type)) return null
  const isDate = type.kind === 'date'
  const forms = [
    'date',
    'string',
    ...(isDate ? [] : ['timestamp']),
    ...(isZonedTime(type) ? ['instant'] : []),
  ]
  const match = (isDate || form === 'date' ? DATE : TIMESTAMP).exec(text)
  if (!forms.includes(form) || match === null) return null
  // A TIMESTAMP has microseconds.
  const digits = isDate ? 0 : form === 'timestamp' || form === 'instant' ? 6 : SECOND_DIGITS[type.unit]
  if ((match.groups?.['fraction'] ?? '').length > digits) return null
  const instant = parseInstant(text, null)
  const unit = isDate ? DAY : 10n ** BigInt(9 - SECOND_DIGITS[type.unit])
  if (instant === null || instant % unit !== 0n) return null
  const value = instant / unit
  return BigInt.asIntN(64, value) === value ? { kind: 'int', value } : null
}
