import { columnExpression } from '../../../plan/expression.ts'
import type { FileFormat } from '../../../plan/format/file-format.ts'
import type { Predicate } from '../../../plan/predicate/predicate.ts'
import type { Projection, ScanSpec } from '../../../plan/scan.ts'
import type { Field, Schema } from '../../../plan/types/schema.ts'
import { scanSpec } from '../bind/columns.ts'

/**
 * A scan of the columns with these indexes in a schema, under their own names. Null: of all columns. Of arrays it has the rows of the
 * columns in `named`.
 */
export function scanOf(
  format: FileFormat,
  schema: Schema,
  indexes: readonly number[] | null,
  filter: Predicate | null,
  named: readonly number[] = [],
): ScanSpec {
  const fields = indexes === null ? schema.fields : indexes.flatMap((index) => schema.fields[index] ?? [])
  const rowsOf = named.flatMap((index) => schema.fields[index]?.name ?? [])
  return scanSpec(format, filter, fields.map(asItIs), schema.fields, rowsOf)
}

function asItIs(field: Field): Projection {
  return Object.freeze({ expression: columnExpression(field.name, field.type), field })
}
