import { negation } from '../../../../plan/condition/combine.ts'
import type { Comparison } from '../../../../plan/condition/compare.ts'
import type { Condition } from '../../../../plan/condition/condition.ts'
import type { CallExpression, TypedExpression } from '../../../../plan/expression.ts'
import { firstDayOf, infinityOf, isTime, perDay, perSecond } from '../../../../plan/kernels/calendar.ts'
import { betweenIntegers } from './of-integers.ts'

/** The codes of formats, from years to seconds. All but years write two digits. */
const CODES = ['Y', 'm', 'd', 'H', 'M', 'S'] as const

/**
 * Whether a time has a text, as one of where it lies: of formats that write years, or years and months, and so on, `%Y-%m` for example, and no
 * other parts. Null: it is none.
 */
export function comparedFormat(
  { name, args }: CallExpression,
  comparison: Comparison,
  text: Uint8Array,
): Condition | null {
  const [time, format] = args
  if (name !== 'strftime' || (comparison !== 'eq' && comparison !== 'neq')) return null
  if (time === undefined || time.kind === 'constant' || !isTime(time.type)) return null
  if (format?.kind !== 'constant' || format.value?.kind !== 'bytes') return null
  const parts = partsOf(Buffer.from(format.value.value).toString('utf8'), Buffer.from(text).toString('utf8'))
  const seconds = parts && spanOf(parts)
  if (seconds === null || parts === null) return null
  const { type } = time
  // A day has no hours.
  if (type.kind === 'date' && parts.length > 3) return null
  const units = (second: number): bigint =>
    type.kind === 'date' ? BigInt(second / DAY) * perDay(type) : BigInt(second) * perSecond(type)
  const [from, to] = [units(seconds.from), units(seconds.to)]
  if (from <= -infinityOf(type) || to >= infinityOf(type)) return null
  const holds = betweenIntegers(time as TypedExpression, from, to - 1n)
  return comparison === 'eq' ? holds : negation(holds)
}

/** The numbers that a text has where a format writes the first of the codes. Null: it is no such format, or the text is not written by it. */
function partsOf(format: string, text: string): readonly number[] | null {
  const codes = [...format.matchAll(/%(.)/gs)].map(([, code]) => code ?? '')
  if (codes.length === 0 || codes.some((code, index) => code !== CODES[index])) return null
  const [first = '', ...others] = format.split(/%./s)
  if (!text.startsWith(first)) return null
  let at = first.length
  const parts: number[] = []
  for (const [index, behind] of others.entries()) {
    const end = at + (index === 0 ? 4 : 2)
    const digits = text.slice(at, end)
    // Years below 1000 have fewer digits, others more.
    if (!(index === 0 ? /^[1-9]\d{3}$/ : /^\d\d$/).test(digits) || !text.startsWith(behind, end)) return null
    parts.push(Number(digits))
    at = end + behind.length
  }
  return at === text.length ? parts : null
}

const DAY = 86_400

/** The seconds since 1970 in which a time has these parts, the last excluded. Null: there is no such time. */
function spanOf(parts: readonly number[]): { readonly from: number; readonly to: number } | null {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59) return null
  const firstOfMonth = firstDayOf(year, month)
  const nextMonth = month === 12 ? firstDayOf(year + 1, 1) : firstDayOf(year, month + 1)
  if (day < 1 || day > nextMonth - firstOfMonth) return null
  const days = firstOfMonth + day - 1
  const from = days * DAY + hour * 3600 + minute * 60 + second
  switch (parts.length) {
    case 1:
      return { from, to: firstDayOf(year + 1, 1) * DAY }
    case 2:
      return { from, to: nextMonth * DAY }
    default:
      return { from, to: from + ([DAY, 3600, 60, 1][parts.length - 3] ?? 1) }
  }
}
