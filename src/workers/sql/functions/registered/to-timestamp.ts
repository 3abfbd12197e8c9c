import { ServiceError } from '../../../../plan/errors.ts'
import { parseInstant } from '../../../../plan/types/instant.ts'
import { shorten } from '../../../../wasm/duckdb/functions/regex.ts'
import type { ScalarFunction } from '../../../../wasm/duckdb/functions/scalar-function.ts'
import { BIGINT, TIME, TIMESTAMP, VARCHAR } from './types.ts'

/** The TIMESTAMPs that are no time, in the text that DuckDB has for them. */
const INFINITIES: ReadonlyMap<string, bigint> = new Map([
  ['infinity', 2n ** 63n - 1n],
  ['-infinity', -(2n ** 63n) + 1n],
])

/** A fraction of a second with digits below microseconds that are not 0. */
const FINER = /\.\d{6}0*[1-9]/

/** Functions that make TIMESTAMPs. Overloads of times are added to both (`times/to-timestamp.ts`). */
export const TIMES_OF_TEXTS = Object.freeze([
  /** `to_timestamp(text)`: the time in UTC of a text in ISO 8601, with or without an offset, in microseconds. */
  {
    name: 'to_timestamp',
    overloads: [
      {
        parameters: [VARCHAR],
        returns: TIMESTAMP,
        compute([argument], result, row) {
          const text = argument?.text(row) ?? ''
          if (FINER.test(text))
            throw new ServiceError(
              'invalid_sql',
              `to_timestamp: "${shorten(text)}" has digits below microseconds, which are lost; to_timestamp_nanos keeps those of a time.`,
            )
          result.setBigint(row, microsecondsOf(text))
        },
      },
    ],
  },
  /** `_time(value)`: the same, without digits below microseconds. A time of day is one of 1970-01-01. */
  {
    name: '_time',
    overloads: [
      {
        parameters: [VARCHAR],
        returns: TIMESTAMP,
        compute: ([argument], result, row) =>
          result.setBigint(row, microsecondsOf(argument?.text(row) ?? '')),
      },
      {
        parameters: [TIME],
        returns: TIMESTAMP,
        compute: ([argument], result, row) => result.setBigint(row, argument?.bigint(row) ?? 0n),
      },
      // A null without a type would be as near to all types of times. Of all types it is nearest to this one.
      {
        parameters: [BIGINT],
        returns: TIMESTAMP,
        compute() {
          throw new ServiceError(
            'invalid_sql',
            'A number is no time; to_timestamp(n) makes a time of a number of seconds.',
          )
        },
      },
    ],
  },
] satisfies readonly ScalarFunction[])

/** The microseconds since 1970 of a text in ISO 8601, rounded down. Throws `invalid_sql` for another text. */
function microsecondsOf(text: string): bigint {
  const infinity = INFINITIES.get(text)
  if (infinity !== undefined) return infinity
  const time = parseInstant(text, null)
  if (time === null)
    throw new ServiceError(
      'invalid_sql',
      `"${shorten(text)}" is no time, such as 2024-02-29T12:30:00Z; to_timestamp(text, '%d.%m.%Y') reads other formats.`,
    )
  return (time - (((time % 1000n) + 1000n) % 1000n)) / 1000n
}
