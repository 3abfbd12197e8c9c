import { columnExpression } from '../../../plan/expression.ts'
import type { FileFormat } from '../../../plan/format/file-format.ts'
import { columnsOf, type Predicate } from '../../../plan/predicate/predicate.ts'
import type { Projection, ScanSpec } from '../../../plan/scan.ts'
import type { Field, Schema } from '../../../plan/types/schema.ts'
import { scanSpec } from '../../query/bind/columns.ts'

/**
 * A scan of the columns with these indexes in a schema, under their own names. Null: of all columns. Of arrays it has the rows of
 * these columns.
 */
export function scanOf(
  format: FileFormat,
  schema: Schema,
  indexes: readonly number[] | null,
  filter: Predicate | null,
): ScanSpec {
  const fields = indexes === null ? schema.fields : indexes.flatMap((index) => schema.fields[index] ?? [])
  const named = [...(filter === null ? [] : columnsOf(filter)), ...fields.map(({ name }) => name)]
  return scanSpec(format, filter, fields.map(asItIs), schema.fields, [...new Set(named)])
}

function asItIs(field: Field): Projection {
  return Object.freeze({ expression: columnExpression(field.name, field.type), field })
}
