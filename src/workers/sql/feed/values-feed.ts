import { ServiceError } from '../../../plan/errors.ts'
import type { Values } from '../../../plan/statement/made-rows.ts'
import type { Field } from '../../../plan/types/schema.ts'
import type { Column } from '../../../wasm/core/column.ts'
import type { Core } from '../../../wasm/core/core.ts'
import { createChunkWriter } from '../../../wasm/duckdb/chunk-writer.ts'
import { duckForms } from '../../../wasm/duckdb/input-type.ts'
import type { Duck } from '../../../wasm/duckdb/instance.ts'
import type { LogicalType } from '../../../wasm/duckdb/logical-type.ts'
import { collect } from '../../formats/collect.ts'
import type { Feed } from './feed.ts'

/** The rows of a chunk: DuckDB's `STANDARD_VECTOR_SIZE`. */
const CHUNK_ROWS = 2048

/**
 * The rows of values. `columns[i]` is the index of the field that vector `i` is for. Null: the vector is not used. Throws
 * `invalid_sql` for a column whose values were not made.
 */
export function createValuesFeed(
  duck: Duck,
  core: Core,
  { fields, rows, columns: stored }: Values,
  columns: readonly (number | null)[],
  inputType: (field: Field) => LogicalType,
): Feed {
  const used = columns.flatMap((index, vector) => {
    const field = index === null ? undefined : fields[index]
    const values = index === null ? undefined : stored[index]
    if (values === null)
      throw new ServiceError(
        'invalid_sql',
        `The columns that a statement reads must not change from one moment to the next: ${field?.name}.`,
      )
    return field === undefined || values === undefined ? [] : [{ field, values, vector }]
  })
  const valueColumns = collect(core, (list: Column[]) => {
    for (const { field, values } of used) {
      const { layout, width, buffers } = values
      const plain = core.assemble({ layout, parameter: width, rows, buffers })
      list.push(core.duckColumn(plain, duckForms(field.type)))
    }
  })
  const chunkWriter = createChunkWriter(
    duck,
    core,
    used.map(({ field }) => inputType(field)),
  )
  chunkWriter.begin(valueColumns)
  let row = 0
  return {
    next(chunk) {
      const from = row
      row = Math.min(rows, from + CHUNK_ROWS)
      const vectors = used.map(({ vector }) => duck.api.duckdb_data_chunk_get_vector(chunk, BigInt(vector)))
      if (row > from) chunkWriter.fill(vectors, from, row - from)
      return row - from
    },
    end() {
      chunkWriter.end()
      for (const column of valueColumns) core.free(column)
    },
  }
}
