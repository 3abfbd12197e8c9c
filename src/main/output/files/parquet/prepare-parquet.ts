import { ServiceError } from '../../../../plan/errors.ts'
import type { ParquetPlan } from '../../../../plan/output/parquet-plan.ts'
import type { Schema } from '../../../../plan/types/schema.ts'
import type { PreparedOutput } from '../../output-format.ts'
import { encodedFile, RUN_LIMITS } from '../encoded-file.ts'
import { findCoordinates } from './find-coordinates.ts'
import type { GeoparquetOptions } from './geoparquet-options.ts'
import { requireParquetColumns } from './parquet-types.ts'

/** The name of the column of points, as the file's metadata state it. */
const GEOMETRY = 'geometry'

/** What a file begins with. */
const MAGIC = Buffer.from('PAR1')

/** Prepares a Parquet file. Throws as `parquetPlan` does. */
export function prepareParquet(schema: Schema): PreparedOutput {
  return encodedFile(parquetPlan(schema), { head: MAGIC, run: RUN_LIMITS })
}

/** Prepares a GeoParquet file. Throws as `geoparquetPlan` does. */
export function prepareGeoparquet(schema: Schema, options: GeoparquetOptions): PreparedOutput {
  return encodedFile(geoparquetPlan(schema, options), { head: MAGIC, run: RUN_LIMITS })
}

/** The plan of a Parquet file. Throws `not_supported` for columns that it cannot have. */
function parquetPlan({ fields }: Schema): ParquetPlan {
  requireParquetColumns(fields)
  return Object.freeze({ kind: 'parquet', points: null })
}

/** The plan of a Parquet file with a column of points behind the others. Throws `not_supported`, `unknown_column` and `type_mismatch`. */
export function geoparquetPlan(schema: Schema, options: GeoparquetOptions): ParquetPlan {
  if (schema.fields.some(({ name }) => name.toLowerCase() === GEOMETRY))
    throw new ServiceError(
      'not_supported',
      `output.format: the file gets a column "${GEOMETRY}" of points, and the answer has one of that name; give it an alias`,
    )
  const plan = parquetPlan(schema)
  return Object.freeze({ ...plan, points: findCoordinates(schema.fields, options) })
}
