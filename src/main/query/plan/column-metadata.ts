import { hasGeometry, withGeometryMark } from '../../../plan/arrow/geometry.ts'
import { columnNameOf } from '../../../plan/expression.ts'
import type { ScanPlan } from '../../../plan/plan.ts'
import type { FileSummary } from '../../../plan/source/segments.ts'
import type { Steps } from '../../../plan/steps.ts'
import type { Aggregate, Grouping } from '../../../plan/task/finish.ts'
import { type Field, fieldIndexes, type Schema } from '../../../plan/types/schema.ts'
import type { FilesTable } from '../source/files-table.ts'

type Metadata = Field['metadata']

const NONE: Metadata = Object.freeze({})

/** Aggregates whose values are such as those of their argument, in its units. */
const KEEPING: ReadonlySet<Aggregate['kind']> = new Set([
  ...(['min', 'max', 'avg', 'first', 'quantile_cont', 'quantile_disc'] as const),
])

/**
 * The plan of a query in whose answer each column has the attributes of the array from which it comes, or is marked as the geometry that it
 * is: unchanged, or in an aggregate that is in its units. `summaries` are those of the files that are read.
 */
export function* withColumnMetadata(
  plan: ScanPlan,
  table: Pick<FilesTable, 'format' | 'schema' | 'unlisted'>,
  summaries: readonly Pick<FileSummary, 'schema' | 'constants'>[],
): Steps<ScanPlan> {
  if (!keepsMetadata(table)) return plan
  const { output } = plan
  const columns = output.fields.map((_, index) => columnOf(plan, index))
  const metadataByName = yield* metadataOfColumns(new Set(columns), table, summaries)
  const fields = output.fields.map((field, index) => {
    const metadata = metadataByName.get(columns[index] ?? null) ?? NONE
    if (!isOfArrays(table)) return withGeometryMark(field, metadata)
    return isEmpty(metadata) && isEmpty(field.metadata) ? field : Object.freeze({ ...field, metadata })
  })
  return Object.freeze({ ...plan, output: Object.freeze({ ...output, fields: Object.freeze(fields) }) })
}

/** Whether columns of an answer have metadata of the columns of a table from which they come. */
export function keepsMetadata(table: Pick<FilesTable, 'format' | 'schema'>): boolean {
  return isOfArrays(table) || hasGeometry(table.schema)
}

/** Whether all metadata of columns are kept. Of other formats they are kept for geometries alone. */
export function isOfArrays({ format }: Pick<FilesTable, 'format'>): boolean {
  return format.layout === 'grid'
}

/**
 * The attributes of columns by their names, of those that have any. Those of a table whose columns are stored are those that the files
 * which are read have too: some may be newer than the table's columns.
 */
export function* metadataOfColumns(
  columns: ReadonlySet<string | null>,
  { schema, unlisted }: Pick<FilesTable, 'schema' | 'unlisted'>,
  summaries: readonly Pick<FileSummary, 'schema' | 'constants'>[],
): Steps<ReadonlyMap<string | null, Metadata>> {
  const indexes = fieldIndexes(schema.fields)
  const metadataByName = new Map<string, Metadata>()
  for (const name of columns) {
    const metadata = name === null ? NONE : (schema.fields[indexes.get(name) ?? -1]?.metadata ?? NONE)
    if (name !== null && !isEmpty(metadata)) metadataByName.set(name, metadata)
  }
  if (unlisted === null || metadataByName.size === 0) return metadataByName
  const seen = new Set<Schema>()
  for (const { schema: fileSchema, constants = {} } of summaries) {
    yield
    if (seen.has(fileSchema)) continue
    seen.add(fileSchema)
    const places = fieldIndexes(fileSchema.fields)
    for (const [name, metadata] of metadataByName) {
      const other = Object.hasOwn(constants, name)
        ? NONE
        : fileSchema.fields[places.get(name) ?? -1]?.metadata
      if (other !== undefined) metadataByName.set(name, common(metadata, other))
    }
  }
  return metadataByName
}

function common(one: Metadata, other: Metadata): Metadata {
  const entries = Object.entries(one)
  const same = entries.filter(([key, value]) => Object.hasOwn(other, key) && other[key] === value)
  return same.length === entries.length ? one : Object.freeze(Object.fromEntries(same))
}

function isEmpty(metadata: Metadata): boolean {
  return Object.keys(metadata).length === 0
}

/** The name in the files of the column from which a column of the answer has its values. Null: these have another meaning. */
function columnOf({ scan, finish }: ScanPlan, index: number): string | null {
  const { grouping, output, isCounted, outer } = finish
  const at = output[index]
  if (isCounted || outer !== undefined || at === undefined) return null
  const projected = grouping === null ? at : projectedAt(grouping, at)
  const projection = projected === null ? undefined : scan.projection[projected]
  return projection === undefined ? null : columnNameOf(projection.expression)
}

/** The index in the projection of a key or the argument of an aggregate in its units. */
function projectedAt({ keys, aggregates }: Grouping, at: number): number | null {
  const aggregate = aggregates[at - keys.length]
  if (aggregate === undefined) return keys[at] ?? null
  return aggregate.kind !== 'count_rows' && KEEPING.has(aggregate.kind) ? aggregate.argument : null
}
