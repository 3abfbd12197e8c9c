import type { DataType, TimeUnit } from '../../../plan/types/schema.ts'

/** DuckDB's names for the types of timestamps without a zone, by unit, from the coarsest to the finest. */
export const TIMESTAMP_TYPES: Readonly<Record<TimeUnit, string>> = Object.freeze({
  second: 'TIMESTAMP_S',
  millisecond: 'TIMESTAMP_MS',
  microsecond: 'TIMESTAMP',
  nanosecond: 'TIMESTAMP_NS',
})

export const ZONED_TIMESTAMP = 'TIMESTAMP WITH TIME ZONE'

/** Times with a zone in nanoseconds: a type that the engines give DuckDB. */
const ZONED_NANOSECONDS = 'TIMESTAMPTZ_NS'

/** DuckDB's name for the type of a column of timestamps. */
export function timestampType({ unit, zone }: Extract<DataType, { kind: 'timestamp' }>): string {
  if (zone === null) return TIMESTAMP_TYPES[unit]
  return unit === 'nanosecond' ? ZONED_NANOSECONDS : ZONED_TIMESTAMP
}
