import { ServiceError } from '../../../plan/errors.ts'
import type { FileFormat } from '../../../plan/format/file-format.ts'
import type { FileRef } from '../../../plan/source/file.ts'
import type { FileSummary } from '../../../plan/source/segments.ts'
import { type DataType, type Field, type Schema, typeName } from '../../../plan/types/schema.ts'
import { widen } from './widen.ts'

export interface FileSchema {
  readonly path: string
  readonly schema: Schema
}

/** One column over the files seen so far. */
interface Column {
  type: DataType
  /** The first file that has it with a type other than Null, for messages. */
  witness: { readonly type: DataType; readonly path: string } | null
  files: number
  nullable: boolean
  readonly metadata: Metadata
}

/** Keys with their one value, or null where files disagree. */
type Metadata = Map<string, string | null>

/**
 * The schema that all files are read as (docs/reference/types.md): columns by exact name in order of first appearance, each of
 * the narrowest type that holds all of its types, nullable unless every file has it and says not null, metadata as
 * far as files agree. But for the order of columns it does not depend on the order of files. Throws
 * `schema_conflict` that names the column and two files.
 */
export function mergeSchemas(files: readonly FileSchema[]): Schema {
  const columns = new Map<string, Column>()
  const metadata: Metadata = new Map()
  for (const { path, schema } of files) {
    mergeMetadata(metadata, schema.metadata)
    for (const field of schema.fields) {
      const column = columns.get(field.name)
      if (column === undefined) columns.set(field.name, newColumn(field, path))
      else mergeField(column, field, path)
    }
  }
  const fields = [...columns].map(
    ([name, column]): Field =>
      Object.freeze({
        name,
        type: column.type,
        nullable: column.nullable || column.files < files.length,
        metadata: agreed(column.metadata),
      }),
  )
  return Object.freeze({ fields: Object.freeze(fields), metadata: agreed(metadata) })
}

function newColumn({ type, nullable, metadata }: Field, path: string): Column {
  const witness = type.kind === 'null' ? null : { type, path }
  return { type, witness, files: 1, nullable, metadata: new Map(Object.entries(metadata)) }
}

function mergeField(column: Column, field: Field, path: string): void {
  const type = widen(column.type, field.type)
  if (type === null) {
    const first = column.witness
    throw new ServiceError(
      'schema_conflict',
      `Failed to infer schema: Incompatible types for field '${field.name}': ` +
        `${typeName(first?.type ?? column.type)} in '${first?.path}' vs ${typeName(field.type)} in '${path}'`,
    )
  }
  column.type = type
  if (column.witness === null && field.type.kind !== 'null') column.witness = { type: field.type, path }
  column.files++
  column.nullable ||= field.nullable
  mergeMetadata(column.metadata, field.metadata)
}

function mergeMetadata(into: Metadata, from: Readonly<Record<string, string>>): void {
  for (const [key, value] of Object.entries(from)) {
    into.set(key, !into.has(key) || into.get(key) === value ? value : null)
  }
}

function agreed(metadata: Metadata): Readonly<Record<string, string>> {
  return Object.freeze(
    Object.fromEntries([...metadata].filter((entry): entry is [string, string] => entry[1] !== null)),
  )
}

/** Schemas of files, and what they were merged to, by the list of the files: queries share it. */
const merges = new WeakMap<
  readonly FileRef[],
  { readonly schemas: readonly Schema[]; readonly merged: Schema }
>()

/** The schema of files as one table. Of a column of text files that is empty in every sample nothing is known, so it is text. */
export function mergedSchema(
  format: FileFormat,
  files: readonly FileRef[],
  known: readonly FileSummary[],
): Schema {
  const earlier = merges.get(files)
  if (earlier !== undefined && known.every(({ schema }, index) => schema === earlier.schemas[index]))
    return earlier.merged
  const merged = mergedAnew(format, files, known)
  merges.set(files, { schemas: known.map(({ schema }) => schema), merged })
  return merged
}

function mergedAnew(format: FileFormat, files: readonly FileRef[], known: readonly FileSummary[]): Schema {
  const merged = mergeSchemas(known.map(({ schema }, index) => ({ path: files[index]?.path ?? '', schema })))
  if (format.layout !== 'text') return merged
  const fields = merged.fields.map((each) =>
    each.type.kind === 'null' ? Object.freeze({ ...each, type: { kind: 'utf8' } as const }) : each,
  )
  return Object.freeze({ ...merged, fields: Object.freeze(fields) })
}
