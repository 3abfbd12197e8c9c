import { type Field, type Schema, sameType } from './schema.ts'

/** Whether two schemas are equal, metadata included. It takes no memory, and ends at the first difference. */
export function sameSchema(a: Schema, b: Schema): boolean {
  return (
    a === b ||
    (a.fields.length === b.fields.length &&
      sameMetadata(a.metadata, b.metadata) &&
      a.fields.every((field, index) => sameField(field, b.fields[index])))
  )
}

/** Whether two fields are equal, metadata included. */
export function sameField(a: Field, b: Field | undefined): boolean {
  if (a === b) return true
  return (
    b !== undefined &&
    a.name === b.name &&
    a.nullable === b.nullable &&
    sameType(a.type, b.type) &&
    sameMetadata(a.metadata, b.metadata)
  )
}

type Metadata = Schema['metadata']

/** The order of the keys counts, because it is that of the schema in an answer. */
function sameMetadata(a: Metadata, b: Metadata): boolean {
  if (a === b) return true
  const [keys, others] = [Object.keys(a), Object.keys(b)]
  return (
    keys.length === others.length && keys.every((key, index) => key === others[index] && a[key] === b[key])
  )
}
