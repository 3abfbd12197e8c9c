import { ServiceError } from '../../../../plan/errors.ts'
import {
  addScalarCode,
  hasValue,
  type ScalarVector,
  setNull,
} from '../../../../wasm/duckdb/catalog/scalar-code.ts'
import type { Duck } from '../../../../wasm/duckdb/instance.ts'

/** The places of the parameters, and whether the interval is added or taken away. */
interface Sum {
  readonly time: 0 | 1
  readonly interval: 0 | 1
  readonly sign: 1 | -1
}

/** Makes code that adds intervals to times in nanoseconds: months first, then days, then the rest. */
export function addToNanoseconds(duck: Duck, { time, interval, sign }: Sum): number {
  const { api, memory } = duck
  return addScalarCode(duck, 2, ({ rows, parameters, result }) => {
    const [times, intervals] = [parameters[time], parameters[interval]]
    if (times === undefined || intervals === undefined) return
    const to = api.duckdb_vector_get_data(result) / 8
    const constant = intervals.isConstant ? intervalAt(memory.views(), intervals, 0) : null
    for (let row = 0; row < rows; row++) {
      const views = memory.views()
      if (!hasValue(views.u32, times, row) || !hasValue(views.u32, intervals, row)) {
        setNull(duck, result, row)
        continue
      }
      const value = views.i64[times.data / 8 + (times.isConstant ? 0 : row)] ?? 0n
      views.i64[to + row] = add(value, constant ?? intervalAt(views, intervals, row), sign)
    }
  })
}

/** An interval: months, and nanoseconds. */
interface Interval {
  readonly months: number
  readonly nanoseconds: bigint
}

const DAY_NANOSECONDS = 86_400_000_000_000n

/** DuckDB's interval has months and days, 32 bits each, and microseconds, 64 bits. */
function intervalAt(
  { u32, i64 }: { readonly u32: Uint32Array; readonly i64: BigInt64Array },
  { data, isConstant }: ScalarVector,
  row: number,
): Interval {
  const at = data + (isConstant ? 0 : 16 * row)
  const days = (u32[at / 4 + 1] ?? 0) | 0
  const microseconds = i64[at / 8 + 1] ?? 0n
  return {
    months: (u32[at / 4] ?? 0) | 0,
    nanoseconds: BigInt(days) * DAY_NANOSECONDS + microseconds * 1_000n,
  }
}

/** The infinite times, which stay as they are. */
const INFINITY = 2n ** 63n - 1n

function add(time: bigint, { months, nanoseconds }: Interval, sign: 1 | -1): bigint {
  if (time === INFINITY || time === -INFINITY) return time
  const shifted = months === 0 ? time : addMonths(time, sign * months)
  const sum = sign === 1 ? shifted + nanoseconds : shifted - nanoseconds
  if (sum >= INFINITY || sum <= -INFINITY)
    throw new ServiceError(
      'invalid_sql',
      'A time and an interval make a time outside of the years 1677 to 2262, the only ones that nanoseconds reach: cast the time, as in time::TIMESTAMPTZ.',
    )
  return sum
}

/** The same day of another month, or the last one there is. */
function addMonths(time: bigint, months: number): bigint {
  const ofDay = ((time % DAY_NANOSECONDS) + DAY_NANOSECONDS) % DAY_NANOSECONDS
  const date = new Date(Number((time - ofDay) / 1_000_000n))
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const last = new Date(date)
  last.setUTCMonth(last.getUTCMonth() + 1, 0)
  date.setUTCDate(Math.min(day, last.getUTCDate()))
  const milliseconds = date.getTime()
  // Beyond what a Date reaches lies beyond what nanoseconds reach.
  return Number.isNaN(milliseconds) ? INFINITY : BigInt(milliseconds) * 1_000_000n + ofDay
}
