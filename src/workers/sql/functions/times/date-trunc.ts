import { ServiceError } from '../../../../plan/errors.ts'
import { bindLike } from '../../../../wasm/duckdb/catalog/bind.ts'
import type { FunctionCatalog } from '../../../../wasm/duckdb/catalog/function-catalog.ts'
import type { Overload } from '../../../../wasm/duckdb/catalog/overload.ts'
import { addScalarCode, hasValue, readVector, setNull } from '../../../../wasm/duckdb/catalog/scalar-code.ts'
import type { Duck } from '../../../../wasm/duckdb/instance.ts'
import { withLogicalType } from '../../../../wasm/duckdb/logical-type.ts'

/*
 * DuckDB 1.4 truncates times of all units as microseconds, and some of them to dates. Here the result of `date_trunc` has the unit and the
 * zone of its argument.
 */

/** Units of times without a zone that are not microseconds. */
const UNITS = Object.freeze(['date', 'timestamp_s', 'timestamp_ms', 'timestamp_ns'] as const)

type Unit = (typeof UNITS)[number]

/** Gives `date_trunc` and `datetrunc` overloads whose result has the unit and the zone of the argument. Throws `internal`. */
export function addDateTrunc(duck: Duck, catalog: FunctionCatalog): void {
  for (const name of ['date_trunc', 'datetrunc']) {
    const overloads = catalog.overloads('scalar', name)
    const find = (type: string) => overloads.find(({ parameters }) => parameters.join() === `varchar,${type}`)
    const of = find('timestamp')
    const zoned = find('timestamp_tz')
    if (of === undefined || zoned === undefined) throw new ServiceError('internal', `DuckDB has no ${name}`)
    const bind = bindLike(duck, of, undefined)
    const bindUnit = bindLike(duck, of, of.parameters)
    catalog.register(name, [
      { of, bind },
      { of: zoned, like: of, bind },
      ...UNITS.map((unit) => ({
        of,
        parameters: ['varchar', unit] as const,
        returns: unit,
        bind: bindUnit,
        code: truncateIn(duck, of, unit),
      })),
    ])
  }
}

/** Code that truncates times without a zone, and makes values of a unit of the results. */
function truncateIn(duck: Duck, of: Overload, unit: Unit): number {
  const { api, memory } = duck
  return addScalarCode(duck, 0, ({ rows, result, chunk, state }) => {
    const truncated = withLogicalType(duck, { kind: 'timestamp' }, (type) =>
      api.duckdb_create_vector(type, BigInt(rows)),
    )
    try {
      duck.callPointer(of.code, chunk, state, truncated)
      api.vector_flatten(truncated, BigInt(rows))
      const from = readVector(duck, truncated)
      const to = api.duckdb_vector_get_data(result)
      const write = WRITERS[unit]
      let { u32 } = memory.views()
      for (let row = 0; row < rows; row++) {
        if (hasValue(u32, from, row)) write(u32, (from.data >>> 2) + 2 * row, to >>> 2, row)
        else {
          setNull(duck, result, row)
          u32 = memory.views().u32
        }
      }
    } finally {
      duck.destroy('duckdb_destroy_vector', truncated)
    }
  })
}

const WORD = 2 ** 32
/** The upper half of the infinite times, which no other has. */
const INFINITE = 2 ** 31 - 1

/** Writes the value of a unit that has an index in `to`, from the microseconds at `from`. Both are indexes of words. */
type Writer = (words: Uint32Array, from: number, to: number, index: number) => void

const WRITERS: Readonly<Record<Unit, Writer>> = Object.freeze({
  date: writeDate,
  timestamp_s: dividedBy(1_000_000),
  timestamp_ms: dividedBy(1_000),
  timestamp_ns: writeNanoseconds,
})

/** The higher of both words of a 64-bit number, with its sign. */
function higher(words: Uint32Array, at: number): number {
  return (words[at + 1] ?? 0) | 0
}

function isInfinite(high: number): boolean {
  return high === INFINITE || high === -INFINITE - 1
}

function writeDate(words: Uint32Array, from: number, to: number, index: number): void {
  const high = higher(words, from)
  const days = (high * WORD + (words[from] ?? 0)) / 86_400_000_000
  words[to + index] = !isInfinite(high) ? Math.round(days) : high < 0 ? -INFINITE : INFINITE
}

/** The microseconds are a multiple of the unit, so that rounding gives it although they may have more than 53 bits. */
function dividedBy(microseconds: number): Writer {
  return (words, from, to, index) => {
    const high = higher(words, from)
    const low = words[from] ?? 0
    const at = to + 2 * index
    const value = Math.round((high * WORD + low) / microseconds)
    words[at] = isInfinite(high) ? low : value
    words[at + 1] = isInfinite(high) ? high : Math.floor(value / WORD)
  }
}

function writeNanoseconds(words: Uint32Array, from: number, to: number, index: number): void {
  const high = higher(words, from)
  const low = words[from] ?? 0
  const at = to + 2 * index
  const scaled = low * 1_000
  const upper = high * 1_000 + Math.floor(scaled / WORD)
  if (!isInfinite(high) && Math.abs(upper) > INFINITE)
    throw new ServiceError('invalid_sql', 'date_trunc: the result is before the year 1678 or after 2261.')
  words[at] = isInfinite(high) ? low : scaled
  words[at + 1] = isInfinite(high) ? high : upper
}
