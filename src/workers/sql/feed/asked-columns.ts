import { ServiceError } from '../../../plan/errors.ts'
import type { OpenScan } from '../../../plan/statement/statement.ts'
import { isNested, valueType } from '../../../plan/types/schema.ts'
import type { Duck } from '../../../wasm/duckdb/instance.ts'
import { fillNulls } from '../../../wasm/duckdb/null-vector.ts'

/** The columns of a scan that a feed is asked for. */
export interface AskedColumns {
  /** As in `FeedOptions`. */
  readonly columns: readonly (number | null)[]
  /** Makes the vectors null of the columns that are left out. */
  fillOthers(chunk: number, rows: number): void
}

/**
 * The columns that are asked for, without those that the statement does not name. DuckDB asks for all columns of some scans, as of those
 * beside a common table that is materialized, and the rows of arrays are not those of all: nothing uses the others, so they are
 * null. Throws `not_supported` for one of a nested type.
 */
export function columnsToFill(
  duck: Duck,
  { scan, rowsOf }: Pick<OpenScan, 'scan' | 'rowsOf'>,
  columns: readonly (number | null)[],
): AskedColumns {
  if (rowsOf === null) return { columns, fillOthers: () => {} }
  const others: number[] = []
  const named = columns.map((index, vector) => {
    const field = index === null ? undefined : scan.projection[index]?.field
    if (field === undefined || rowsOf.includes(field.name)) return index
    if (isNested(valueType(field.type)))
      throw new ServiceError(
        'not_supported',
        `DuckDB reads the column "${field.name}" of arrays, which the statement does not name. Name it, or read the others in a sub-select of its own.`,
      )
    others.push(vector)
    return null
  })
  return {
    columns: named,
    fillOthers(chunk, rows) {
      for (const vector of others)
        fillNulls(duck, duck.api.duckdb_data_chunk_get_vector(chunk, BigInt(vector)), rows)
    },
  }
}
