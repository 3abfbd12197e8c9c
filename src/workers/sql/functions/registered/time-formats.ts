import { ServiceError } from '../../../../plan/errors.ts'
import { findZone, unknownZone } from '../../../../plan/zones/zones.ts'
import type { ScalarFunction } from '../../../../wasm/duckdb/functions/scalar-function.ts'
import { filledText, strftimeFormat, strptimeFormats } from './chrono-formats.ts'
import { VARCHAR } from './types.ts'

/**
 * What macros write and read times by in formats of chrono: `_strftime(format, digits)`, `_filled(text)` and `_strptime(format,
 * digits)`. The digits are those of a fraction of a second, 6 or 9, as texts. Formats are constant, so DuckDB calls the first
 * and the last of them when it binds a statement.
 */
export const TIME_FORMATS: readonly ScalarFunction[] = [
  textFunction('_strftime', 2, (format, digits) => strftimeFormat(format, digits === '9')),
  textFunction('_filled', 1, filledText),
  textFunction('_strptime', 2, (format, digits) => strptimeFormats(format, digits === '9' ? '%n' : '%f')),
]

function textFunction(
  name: string,
  parameters: number,
  of: (first: string, second: string) => string,
): ScalarFunction {
  return {
    name,
    overloads: [
      {
        parameters: Array.from({ length: parameters }, () => VARCHAR),
        returns: VARCHAR,
        compute([first, second], result, row) {
          result.setBytes(row, Buffer.from(of(first?.text(row) ?? '', second?.text(row) ?? '')))
        },
      },
    ],
  }
}

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
