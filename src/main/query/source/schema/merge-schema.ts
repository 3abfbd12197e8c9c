import type { FileFormat } from '../../../../plan/format/file-format.ts'
import { memoize } from '../../../../plan/memoize.ts'
import type { FileRef } from '../../../../plan/source/file.ts'
import type { FileSummary } from '../../../../plan/source/segments.ts'
import { runInSlices, runToEnd, STEP_ITEMS, type Steps } from '../../../../plan/steps.ts'
import { type DataType, type Field, type Schema, typeName } from '../../../../plan/types/schema.ts'
import { identityOf } from '../../../datasets/fingerprint/file-rows.ts'
import { type RefusedColumn, refusedError } from './refused-columns.ts'
import { widen } from './widen.ts'

export interface FileSchema {
  readonly path: string
  readonly schema: Schema
}

/** A column, merged over the files that have been gone through so far. */
interface Column {
  type: DataType
  /** The first file in which it has a type other than Null. An error about the column names it. */
  typedIn: { readonly type: DataType; readonly path: string } | null
  /** The number of files that have the column. */
  files: number
  nullable: boolean
  readonly metadata: Metadata
  /** What its types say that do not merge. Null: they merge. */
  conflict: string | null
}

/** The columns that files have together. */
export interface MergedSchema {
  /** Without the columns in `conflicts`. */
  readonly schema: Schema
  /** The columns whose types in the files do not merge, in the order of the schema. */
  readonly conflicts: readonly RefusedColumn[]
}

/** Metadata, merged: the value of each key, or null if files have different ones. */
type Metadata = Map<string, string | null>

/**
 * Which metadata of a column are kept: those in which files do not differ (`equal`), or of these the ones that each file has which has
 * the column (`common`).
 */
type KeptMetadata = 'equal' | 'common'

/**
 * Merges the schemas of files to the one that all of them are read with (docs/reference/types.md). Columns are matched by
 * their exact names and come in the order in which they first appear. A column has the narrowest type that holds its types
 * in all files, and is nullable unless every file has it and declares it not null. Metadata is kept where files do not differ.
 * Only the order of the columns depends on the order of the files. Throws `schema_conflict`, which names the column and two
 * files.
 */
export function mergeSchemas(files: readonly FileSchema[]): Schema {
  const { schema, conflicts } = runToEnd(mergeSchemasInSteps(files))
  for (const conflict of conflicts) throw refusedError(conflict)
  return schema
}

/** As `mergeSchemas`, in steps. The result lists columns whose types do not merge. They are an error only where a query names them. */
export function* mergeSchemasInSteps(
  files: readonly FileSchema[],
  metadataRule: KeptMetadata = 'equal',
): Steps<MergedSchema> {
  const columns = new Map<string, Column>()
  const metadata: Metadata = new Map()
  /** How many files had each schema after the first that had it: nothing else follows from these. */
  const again = new Map<Schema, number>()
  for (const { path, schema } of files) {
    const times = again.get(schema)
    again.set(schema, times === undefined ? 0 : times + 1)
    yield
    if (times !== undefined) continue
    mergeMetadata(metadata, schema.metadata)
    for (const field of schema.fields) {
      const column = columns.get(field.name)
      if (column === undefined) columns.set(field.name, newColumn(field, path))
      else mergeField(column, field, path, metadataRule)
    }
  }
  for (const [schema, times] of again)
    for (const { name } of schema.fields) {
      const column = columns.get(name)
      if (column !== undefined) column.files += times
    }
  const conflicts = [...columns].flatMap(([name, { conflict }]): RefusedColumn[] =>
    conflict === null ? [] : [Object.freeze({ name, code: 'schema_conflict', message: conflict })],
  )
  const fields = [...columns].flatMap(([name, column]): Field[] => {
    if (column.conflict !== null) return []
    return [
      Object.freeze({
        name,
        type: column.type,
        nullable: column.nullable || column.files < files.length,
        metadata: commonMetadata(column.metadata),
      }),
    ]
  })
  const schema = Object.freeze({ fields: Object.freeze(fields), metadata: commonMetadata(metadata) })
  return Object.freeze({ schema, conflicts: Object.freeze(conflicts) })
}

function newColumn({ type, nullable, metadata }: Field, path: string): Column {
  const typedIn = type.kind === 'null' ? null : { type, path }
  return { type, typedIn, files: 1, nullable, metadata: new Map(Object.entries(metadata)), conflict: null }
}

function mergeField(column: Column, field: Field, path: string, metadataRule: KeptMetadata): void {
  if (column.conflict !== null) return
  const type = widen(column.type, field.type)
  if (type === null) {
    const first = column.typedIn
    column.conflict =
      `Failed to infer schema: Incompatible types for field '${field.name}': ` +
      `${typeName(first?.type ?? column.type)} in '${first?.path}' vs ${typeName(field.type)} in '${path}'`
    return
  }
  column.type = type
  if (column.typedIn === null && field.type.kind !== 'null') column.typedIn = { type: field.type, path }
  column.files++
  column.nullable ||= field.nullable
  if (metadataRule === 'equal') mergeMetadata(column.metadata, field.metadata)
  else keepCommon(column.metadata, field.metadata)
}

function mergeMetadata(into: Metadata, from: Readonly<Record<string, string>>): void {
  for (const [key, value] of Object.entries(from)) {
    into.set(key, !into.has(key) || into.get(key) === value ? value : null)
  }
}

function keepCommon(into: Metadata, from: Readonly<Record<string, string>>): void {
  for (const [key, value] of into) if (!Object.hasOwn(from, key) || from[key] !== value) into.delete(key)
}

function commonMetadata(metadata: Metadata): Readonly<Record<string, string>> {
  return Object.freeze(
    Object.fromEntries([...metadata].filter((entry): entry is [string, string] => entry[1] !== null)),
  )
}

/**
 * The schema that was merged for a list of files, and the schemas of the files that it was merged from; one, if all have it. Queries over the
 * same files get the same list (`datasets/fingerprint/searches.ts`), so the schemas are merged once for all of them.
 */
const merges = new WeakMap<object, { readonly schemas: readonly Schema[]; readonly merged: MergedSchema }>()

/**
 * The merged schema of a table's files, of which these are the summaries. A column of text files that has no values in the samples
 * of all files is text, since nothing else is known of it.
 */
export function mergedSchema(
  format: FileFormat,
  files: readonly FileRef[],
  summaries: readonly Pick<FileSummary, 'schema'>[],
): MergedSchema | Promise<MergedSchema> {
  return runInSlices(mergeInSteps(format, files, summaries))
}

function* mergeInSteps(
  format: FileFormat,
  files: readonly FileRef[],
  summaries: readonly Pick<FileSummary, 'schema'>[],
): Steps<MergedSchema> {
  const identity = identityOf(files)
  const earlier = merges.get(identity)
  if (earlier !== undefined && (yield* areSchemas(summaries, earlier.schemas))) return earlier.merged
  const one = summaries.slice(0, 1).map(({ schema }) => schema)
  const schemas = (yield* areSchemas(summaries, one)) ? one : summaries.map(({ schema }) => schema)
  const merged = yield* mergedAnew(format, files, schemas)
  merges.set(identity, { schemas, merged })
  return merged
}

/** Whether these are the schemas of all files. One: all have it. */
function* areSchemas(
  summaries: readonly Pick<FileSummary, 'schema'>[],
  schemas: readonly Schema[],
): Steps<boolean> {
  for (let index = 0; index < summaries.length; index++) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield
    if (summaries[index]?.schema !== schemas[schemas.length === 1 ? 0 : index]) return false
  }
  return true
}

/** `schemas`: those of the files. One: all have it. */
function* mergedAnew(
  format: FileFormat,
  files: readonly FileRef[],
  schemas: readonly Schema[],
): Steps<MergedSchema> {
  const [first] = schemas
  if (first !== undefined && schemas.length === 1 && hasDistinctNames(first))
    return format.layout === 'text' ? ofOneText(first) : ofOne(first)
  const ofFiles = files.flatMap(({ path }, index) => {
    const schema = schemas.length === 1 ? first : schemas[index]
    return schema === undefined ? [] : [{ path, schema }]
  })
  const merged = yield* mergeSchemasInSteps(ofFiles, format.layout === 'grid' ? 'common' : 'equal')
  return format.layout === 'text' ? asText(merged) : merged
}

/** Whether no two columns have the same name. Those that have are merged. */
const hasDistinctNames = memoize(
  ({ fields }: Schema) => new Set(fields.map(({ name }) => name)).size === fields.length,
)

/**
 * What files of one schema merge to. Files share their schemas (`shared-schemas.ts`), and what is made of a merged schema is kept by it: as an
 * object for each list of files it would be made and held for each.
 */
const ofOne = memoize(
  (schema: Schema): MergedSchema => Object.freeze({ schema, conflicts: Object.freeze([]) }),
)
const ofOneText = memoize((schema: Schema): MergedSchema => asText(ofOne(schema)))

/** The same with text in place of columns without values. */
function asText(merged: MergedSchema): MergedSchema {
  const fields = merged.schema.fields.map((each) =>
    each.type.kind === 'null' ? Object.freeze({ ...each, type: { kind: 'utf8' } as const }) : each,
  )
  const schema = Object.freeze({ ...merged.schema, fields: Object.freeze(fields) })
  return Object.freeze({ ...merged, schema })
}
