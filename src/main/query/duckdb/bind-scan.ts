import type { Condition } from '../../../plan/condition/condition.ts'
import { ServiceError } from '../../../plan/errors.ts'
import { columnExpression, columnsOf } from '../../../plan/expression.ts'
import { areRowsOfColumns, type FileFormat } from '../../../plan/format/file-format.ts'
import { columnsNamed, type Projection, type ScanSpec, type SourceScan } from '../../../plan/scan.ts'
import type { FileSummary } from '../../../plan/source/segments.ts'
import { NO_UNITS } from '../../../plan/source/unit-space.ts'
import type { OpenScan, ScanRequest } from '../../../plan/statement/statement.ts'
import type { SystemRelation } from '../../../plan/statement/system-relations.ts'
import { runInSlices } from '../../../plan/steps.ts'
import type { Field, Schema } from '../../../plan/types/schema.ts'
import { scanSpec } from '../bind/columns.ts'
import { impliedByFilters } from '../explained/filter-text.ts'
import { cutInSteps } from '../plan/units.ts'
import { type FilesTable, list } from '../source/files-table.ts'
import type { QueryContext } from '../source/query-context.ts'
import { makeSystemValues } from './make-system-values.ts'
import type { ResolvedSource } from './sources.ts'

/** A scan as EXPLAIN prints it, as the worker opens it, and the number of units that are not read. */
export interface BoundScan {
  readonly scan: SourceScan
  readonly open: OpenScan
  /** Those of the files that it reads. */
  readonly summaries: readonly FileSummary[]
  readonly pruned: number
  readonly chunksSkipped: number
}

/** Binds what DuckDB scans of a source, and cuts it into units. Throws `not_supported` for arrays of which no columns are named. */
export async function bindScan(
  { source, columns, named, filters }: ScanRequest,
  sources: readonly ResolvedSource[],
  context: QueryContext,
): Promise<BoundScan> {
  const resolved = sources[source]
  if (resolved === undefined) throw new RangeError(`a scan of source ${source}, of ${sources.length}`)
  const { presetScan, table } = resolved
  const system = table.unlisted?.system
  if (system !== undefined) return systemScan(system, table, columns, filters, context)
  if (presetScan !== null) return open(presetScan.scan, presetScan.scan, presetScan.summaries, null)
  const { relation, format, schema } = table
  const isGrid = areRowsOfColumns(format)
  if (isGrid && named === null) throw unknownColumns(relation)
  const filter = impliedByFilters(filters, schema)
  const scan = scanOf(format, schema, isGrid ? (columns ?? named) : columns, filter, named ?? [])
  const wanted = {
    statistics: filter === null ? [] : columnsOf(filter),
    columns: columnsNamed(scan),
  }
  const { files, summaries, foldersLeftOut, filesPruned, filesConsidered, remote } = await list(
    table,
    filter,
    wanted,
    context,
  )
  return open(
    {
      scan,
      relation,
      files,
      ...(foldersLeftOut !== undefined && { foldersLeftOut }),
      ...(filesPruned !== undefined && { filesPruned }),
      ...(filesConsidered !== undefined && { filesConsidered }),
      ...(remote !== undefined && { remote }),
    },
    { scan: scanOf(format, schema, null, filter), relation, files },
    summaries,
    isGrid ? wanted.columns : null,
  )
}

/** A scan of a table of the service itself, with its rows. */
async function systemScan(
  system: SystemRelation,
  { relation, format, schema }: FilesTable,
  columns: ScanRequest['columns'],
  filters: ScanRequest['filters'],
  context: QueryContext,
): Promise<BoundScan> {
  const filter = impliedByFilters(filters, schema)
  const values = await makeSystemValues({ relation: system, columns, filter }, context)
  const whole = scanOf(format, schema, null, filter)
  return {
    scan: { scan: scanOf(format, schema, columns, filter), relation, files: [] },
    open: { scan: whole, files: [], units: NO_UNITS, rowsOf: null, values },
    summaries: [],
    pruned: 0,
    chunksSkipped: 0,
  }
}

/** The error for a file of arrays whose rows are not known, because they follow the columns that its SELECT names. */
function unknownColumns(relation: string): ServiceError {
  return new ServiceError(
    'not_supported',
    `${relation}: the rows of arrays follow the columns that a SELECT names of them, and DuckDB does not tell these here. ` +
      'Name the columns in a sub-select of its own, SELECT … FROM (SELECT lat, lon FROM …), with no names in brackets behind an alias.',
  )
}

/** `planned` has the columns that DuckDB's plan reads. The worker gets `whole`, and drops what DuckDB does not ask for. */
async function open(
  planned: SourceScan,
  whole: SourceScan,
  summaries: readonly FileSummary[],
  rowsOf: OpenScan['rowsOf'],
): Promise<BoundScan> {
  const all = { scan: planned.scan, files: planned.files, offset: 0, limit: Number.POSITIVE_INFINITY }
  const { units, pruned, grids, chunksSkipped } = await runInSlices(cutInSteps(all, summaries))
  const scan = grids.length === 0 ? planned : { ...planned, grids }
  return {
    scan,
    summaries: summaries,
    chunksSkipped,
    open: { scan: whole.scan, files: whole.files, units, rowsOf },
    pruned,
  }
}

/**
 * A scan of the columns with these indexes in a schema, under their own names. Null: of all columns. Of arrays it has the rows of the
 * columns in `named`.
 */
function scanOf(
  format: FileFormat,
  schema: Schema,
  indexes: readonly number[] | null,
  filter: Condition | null,
  named: readonly number[] = [],
): ScanSpec {
  const fields = indexes === null ? schema.fields : indexes.flatMap((index) => schema.fields[index] ?? [])
  const rowsOf = named.flatMap((index) => schema.fields[index]?.name ?? [])
  return scanSpec(format, filter, fields.map(asItIs), schema.fields, rowsOf)
}

function asItIs(field: Field): Projection {
  return Object.freeze({ expression: columnExpression(field.name, field.type), field })
}
