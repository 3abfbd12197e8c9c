import { ServiceError } from '../../../../plan/errors.ts'
import { findZone, unknownZone } from '../../../../plan/zones/zones.ts'
import type { ScalarFunction } from '../../../../wasm/duckdb/functions/scalar-function.ts'
import { VARCHAR } from './types.ts'

/** `_known_zone(zone)`: the zone. An unknown one is an error that names it. */
export const KNOWN_ZONE: ScalarFunction = {
  name: '_known_zone',
  overloads: [
    {
      parameters: [VARCHAR],
      returns: VARCHAR,
      compute([zone], result, row) {
        const name = zone?.text(row) ?? ''
        if (findZone(name) === null) throw new ServiceError('invalid_sql', unknownZone(name))
        result.setBytes(row, Buffer.from(name))
      },
    },
  ],
}
