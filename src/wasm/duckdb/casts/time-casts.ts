import { ServiceError } from '../../../plan/errors.ts'
import { type Database, SUCCESS } from '../database.ts'
import { type LogicalType, withLogicalType } from '../logical-type.ts'
import { type Cast, type CastRows, copy, divide, registerCasts } from './cast.ts'
import { NANOSECOND_CASTS } from './nanosecond-casts.ts'

/**
 * Makes the type of times with a zone in nanoseconds, which DuckDB does not have: its `TIMESTAMP_NS` under another name, and casts between it
 * and the other times. Times of day in nanoseconds get casts too. To be called before other casts between these are registered. Throws `internal`.
 */
export function addZonedNanoseconds({ duck, connections: [connection = 0] }: Database): void {
  const state = withLogicalType(duck, { kind: 'timestamptz_ns' }, (type) =>
    duck.api.duckdb_register_logical_type(connection, type, 0),
  )
  if (state !== SUCCESS) throw new ServiceError('internal', 'DuckDB: a type of times failed')
  registerCasts(duck, connection, [...NANOSECOND_CASTS, ...TIME_CASTS])
}

const COLUMN: LogicalType = { kind: 'column_time_ns' }
const NS: LogicalType = { kind: 'time_ns' }
const TIME: LogicalType = { kind: 'time' }

/** Above the 110 of a parameter of any type, which takes nanoseconds; those of DuckDB's own type come before microseconds. */
const [NS_COST, TIME_COST] = [118, 120]

/** The casts of times of day in nanoseconds. Those to microseconds round down; DuckDB's own one rounds to the nearest. */
const TIME_CASTS: readonly Cast[] = [
  { from: COLUMN, to: NS, cost: NS_COST, convert: copy },
  { from: COLUMN, to: TIME, cost: TIME_COST, convert: divide(1000) },
  { from: NS, to: TIME, cost: null, convert: divide(1000) },
  { from: NS, to: COLUMN, cost: null, convert: copy },
  { from: TIME, to: COLUMN, cost: null, convert: toNanoseconds },
  { from: TIME, to: NS, cost: null, convert: toNanoseconds },
]

function toNanoseconds({ duck, from, to, count }: CastRows): void {
  const { i64 } = duck.memory.views()
  for (let row = 0; row < count; row++) i64[to / 8 + row] = (i64[from / 8 + row] ?? 0n) * 1_000n
}
