import { alternatives } from '../../../../plan/alternatives.ts'
import { ServiceError } from '../../../../plan/errors.ts'
import type { ArgumentVector } from '../../../../wasm/duckdb/functions/argument-vector.ts'
import { shorten } from '../../../../wasm/duckdb/functions/regex.ts'
import type { ResultVector } from '../../../../wasm/duckdb/functions/result-vector.ts'
import type {
  CallArgument,
  ScalarFunction,
  ScalarOverload,
} from '../../../../wasm/duckdb/functions/scalar-function.ts'
import { CALENDAR_NAMES, calendarOf } from '../../../formats/arrays/cf/calendar.ts'
import { cfDate } from '../../../formats/arrays/cf/cf-date.ts'
import { type TimeUnits, timeUnits } from '../../../formats/arrays/cf/time.ts'
import { BIGINT, DOUBLE, VARCHAR } from './types.ts'

type NumberAt = (values: ArgumentVector, row: number) => number | bigint

/**
 * `cf_date(value, units, calendar)`: the date of a count of units since a reference time in a calendar of CF. Without a calendar, or
 * if it is null, it is the standard one, as CF has it of a variable without the attribute.
 */
export const CF_DATE: ScalarFunction = Object.freeze({
  name: 'cf_date',
  overloads: [
    ...overloads({ kind: BIGINT, numberAt: (values, row) => values.bigint(row) }),
    ...overloads({ kind: DOUBLE, numberAt: (values, row) => values.double(row) }),
  ],
} satisfies ScalarFunction)

function overloads(of: { readonly kind: typeof BIGINT; readonly numberAt: NumberAt }): ScalarOverload[] {
  const unitsOf = lastUnits()
  const shared = {
    returns: VARCHAR,
    takesNulls: true,
    // A wrong constant text is an error when the statement is bound, even if there are no rows.
    check([, units, calendar]: readonly CallArgument[]) {
      const isStandard = calendar === undefined || calendar.constant === 'null'
      if (typeof units?.text === 'string' && (isStandard || calendar.text !== null))
        unitsOf(units.text, calendar?.text ?? null)
    },
    compute([values, units, calendar]: readonly ArgumentVector[], result: ResultVector, row: number) {
      if (values === undefined || units === undefined) return
      if (values.isNull(row) || units.isNull(row)) return result.setNull(row)
      const value = of.numberAt(values, row)
      if (typeof value === 'number' && !Number.isFinite(value)) return result.setNull(row)
      const isStandard = calendar === undefined || calendar.isNull(row)
      const date = cfDate(value, unitsOf(units.text(row), isStandard ? null : calendar.text(row)))
      if (date === null) throw fault(`${value} '${shorten(units.text(row))}' is beyond the year 999999`)
      result.setBytes(row, Buffer.from(date))
    },
  }
  return [
    { ...shared, parameters: [of.kind, VARCHAR, VARCHAR] },
    { ...shared, parameters: [of.kind, VARCHAR] },
  ]
}

/** Parses units and calendar, once for rows of the same ones that follow each other. Throws `invalid_sql`. */
function lastUnits(): (units: string, calendar: string | null) => TimeUnits {
  let last: { readonly units: string; readonly calendar: string | null; readonly parsed: TimeUnits } | null =
    null
  return (units, calendar) => {
    if (last !== null && last.units === units && last.calendar === calendar) return last.parsed
    if (calendarOf(calendar) === null)
      throw fault(
        `there is no calendar '${shorten(calendar ?? '')}'; calendars are ${alternatives(CALENDAR_NAMES)}`,
      )
    const parsed = timeUnits(units, calendar)
    if (parsed === null)
      throw fault(
        `'${shorten(units)}' are no units of time in this calendar; they are written as in 'days since 1850-01-01 00:00:00', with seconds, minutes, hours, days, weeks, months or years`,
      )
    last = { units, calendar, parsed }
    return parsed
  }
}

function fault(what: string): ServiceError {
  return new ServiceError('invalid_sql', `cf_date: ${what}.`)
}
