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

function sameField(a: Field, b: Field | undefined): boolean {
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
  const [of, others] = [Object.entries(a), Object.entries(b)]
  return (
    of.length === others.length &&
    of.every(([key, value], index) => key === others[index]?.[0] && value === others[index]?.[1])
  )
}
