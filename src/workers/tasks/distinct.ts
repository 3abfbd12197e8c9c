import { hash } from 'node:crypto'
import { memoize } from '../../plan/memoize.ts'
import { type ArrayLayout, sameLayout } from '../../plan/source/array-layout.ts'
import type { DigestedSchema } from '../../plan/task/inspect.ts'
import { type Field, type Schema, sameType } from '../../plan/types/schema.ts'

/** The distinct schemas of files, each once. */
export interface DistinctSchemas {
  /** The index of a schema among all. */
  indexOf(schema: Schema): number
  all(): readonly DigestedSchema[]
}

/**
 * The most schemas or layouts that a file's is compared with, the last ones first. Digesting a schema of 250 columns takes some 50 times as long
 * as comparing it with an equal one.
 */
const COMPARED = 16

/** The index of the last of these that is equal, among the last ones. Null: none is. */
function lastEqual<T>(all: readonly T[], isEqual: (one: T) => boolean): number | null {
  const first = Math.max(0, all.length - COMPARED)
  const index = all.slice(first).findLastIndex(isEqual)
  return index === -1 ? null : first + index
}

/**
 * The schema with the fields of another one where they are equal. A message has a field once that several of its schemas share, and so
 * has the thread that gets it.
 */
function shareDictionaries(schema: Schema, other: Schema | undefined): Schema {
  if (other === undefined) return schema
  const fields = schema.fields.map((field, index) => {
    const otherField = other.fields[index]
    return otherField !== undefined && sameField(otherField, field) ? otherField : field
  })
  return Object.freeze({ ...schema, fields: Object.freeze(fields) })
}

export function createDistinctSchemas(): DistinctSchemas {
  const all: DigestedSchema[] = []
  const indexes = new Map<string, number>()

  function add(schema: Schema): number {
    const digest = digestOf(schema)
    const index =
      indexes.get(digest) ?? all.push({ digest, schema: shareDictionaries(schema, all.at(-1)?.schema) }) - 1
    indexes.set(digest, index)
    return index
  }

  return {
    indexOf: memoize(
      (schema: Schema) => lastEqual(all, (each) => sameSchema(each.schema, schema)) ?? add(schema),
    ),
    all: () => all,
  }
}

/** Files share their schema, which takes a millisecond for hundreds of columns. */
const digestOf = memoize((schema: Schema) => hash('sha256', JSON.stringify(schema), 'base64url'))

/** The distinct layouts of files. One may be there twice, if others came in between. */
export interface DistinctLayouts {
  /** The index of a layout among all. */
  indexOf(layout: ArrayLayout): number
  all(): readonly ArrayLayout[]
}

export function createDistinctLayouts(): DistinctLayouts {
  const all: ArrayLayout[] = []
  return {
    indexOf: memoize(
      (layout: ArrayLayout) => lastEqual(all, (each) => sameLayout(each, layout)) ?? all.push(layout) - 1,
    ),
    all: () => all,
  }
}

/** Whether two schemas are equal, metadata included. It takes no memory, and ends at the first difference. */
function sameSchema(a: Schema, b: Schema): boolean {
  return (
    a === b ||
    (a.fields.length === b.fields.length &&
      sameMetadata(a.metadata, b.metadata) &&
      a.fields.every((field, index) => sameField(field, b.fields[index])))
  )
}

/** Whether two fields are equal, metadata included. */
function sameField(a: Field, b: Field | undefined): boolean {
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
