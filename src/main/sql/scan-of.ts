import type { FileFormat, Projection, ScanSpec, SourceColumn } from '../../plan/plan.ts'
import { columnsOf, type Predicate } from '../../plan/predicate.ts'
import type { Field, Schema } from '../../plan/schema.ts'

/** A scan of the columns at these places of a schema, under their own names; null: of all of them. */
export function scanOf(
  format: FileFormat,
  schema: Schema,
  places: readonly number[] | null,
  filter: Predicate | null,
): ScanSpec {
  const fields = places === null ? schema.fields : places.flatMap((place) => schema.fields[place] ?? [])
  const byName = new Map(schema.fields.map((field) => [field.name, field]))
  const filtered = filter === null ? [] : columnsOf(filter).flatMap((name) => byName.get(name) ?? [])
  return Object.freeze({
    format,
    columns: Object.freeze([...new Set([...filtered, ...fields])].map(sourceColumn)),
    filter,
    projection: Object.freeze(fields.map(asItIs)),
  })
}

function sourceColumn({ name, type }: Field): SourceColumn {
  return Object.freeze({ name, type })
}

function asItIs(field: Field): Projection {
  return Object.freeze({ kind: 'column', column: field.name, field })
}
