import { ServiceError } from '../../../plan/errors.ts'
import { type Database, SUCCESS } from '../database.ts'
import { withLogicalType } from '../logical-type.ts'
import { registerCasts } from './cast.ts'
import { NANOSECOND_CASTS } from './nanosecond-casts.ts'
import { TIME_CASTS } from './time-casts.ts'

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
