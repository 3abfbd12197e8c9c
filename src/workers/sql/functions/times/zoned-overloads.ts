import { bindAs } from '../../../../wasm/duckdb/catalog/bind.ts'
import type { OverloadCopy } from '../../../../wasm/duckdb/catalog/copy-overloads.ts'
import type { FunctionCatalog } from '../../../../wasm/duckdb/catalog/function-catalog.ts'
import type { Overload, TypeName } from '../../../../wasm/duckdb/catalog/overload.ts'
import type { Duck } from '../../../../wasm/duckdb/instance.ts'

/*
 * DuckDB has functions of times with a zone in its extension icu, which reads parts of a time in the zone of the session. Here that
 * is UTC always, in which a time with a zone has the value of the time without one. So each function of times without a zone
 * gets an overload that does the same for those with one.
 */

/** Functions whose overloads for times with a zone are in the extension icu. */
const WITHOUT_CODE: readonly string[] = [
  ...['age', 'century', 'date_diff', 'date_part', 'date_sub', 'datediff', 'datepart', 'datesub', 'day'],
  ...['dayname', 'dayofmonth', 'dayofweek', 'dayofyear', 'decade', 'epoch', 'era', 'generate_series'],
  ...[
    'hour',
    'isodow',
    'isoyear',
    'julian',
    'last_day',
    'microsecond',
    'millennium',
    'millisecond',
    'minute',
  ],
  ...['month', 'monthname', 'nanosecond', 'quarter', 'range', 'second', 'time_bucket', 'timezone'],
  ...['timezone_hour', 'timezone_minute', 'week', 'weekday', 'weekofyear', 'year', 'yearweek'],
]

/** Functions that the extension gives further overloads. */
const WITHOUT_OVERLOAD: readonly string[] = ['+', '-', 'strftime']

/** Gives functions of times without a zone overloads for times with one. Throws `internal`. */
export function addZonedOverloads(duck: Duck, catalog: FunctionCatalog): void {
  for (const name of WITHOUT_CODE) {
    const overloads = catalog.overloads('scalar', name)
    const copies = overloads.flatMap((of) => {
      const like = of.code === 0 ? overloads.find((each) => isLike(each, of)) : undefined
      if (like === undefined) return []
      // What binds a call tests the types of its arguments.
      return [{ of, like, ...(like.bind !== 0 && { bind: bindAs(duck, of, like) }) }]
    })
    registerAll(catalog, name, copies)
  }
  for (const name of WITHOUT_OVERLOAD)
    registerAll(catalog, name, catalog.overloads('scalar', name).filter(isOfTimes).map(zoneOverload))
}

function registerAll(catalog: FunctionCatalog, name: string, copies: readonly OverloadCopy[]): void {
  const [first, ...others] = copies
  if (first !== undefined) catalog.register(name, [first, ...others])
}

/** Whether an overload has code and takes times without a zone where another one takes those with one. */
function isLike({ code, parameters }: Overload, zoneOverload: Overload): boolean {
  return (
    code !== 0 &&
    isOfTimes({ parameters }) &&
    parameters.map(withZone).join() === zoneOverload.parameters.join()
  )
}

function isOfTimes({ parameters }: Pick<Overload, 'parameters'>): boolean {
  return parameters.includes('timestamp')
}

/** An overload with times with a zone in place of those without one. */
function zoneOverload(of: Overload): OverloadCopy {
  return { of, parameters: of.parameters.map(withZone), returns: withZone(of.returns) }
}

function withZone(type: TypeName): TypeName {
  return type === 'timestamp' ? 'timestamp_tz' : type
}

/** Gives times with a zone the casts that times without one have. */
export function addZonedCasts(catalog: FunctionCatalog): void {
  for (const to of ['date', 'time', 'timestamp_s', 'timestamp_ms', 'timestamp_ns'] as const)
    catalog.cast('timestamp_tz', to, { from: 'timestamp', to })
  for (const from of ['date', 'timestamp_s', 'timestamp_ms', 'timestamp_ns'] as const)
    catalog.cast(from, 'timestamp_tz', { from, to: 'timestamp' })
}
