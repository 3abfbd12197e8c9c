import type { Condition } from '../../../../plan/condition/condition.ts'
import { isServiceError, ServiceError } from '../../../../plan/errors.ts'
import type { RemoteScan } from '../../../../plan/source/remote-scan.ts'
import { type FileSummary, rowsOf } from '../../../../plan/source/segments.ts'
import { rowWidth } from '../../../../plan/types/row-width.ts'
import { type Field, type Schema, valueType } from '../../../../plan/types/schema.ts'
import { printSelect, type RemoteSortKey } from '../../../remotes/print-select.ts'
import { dialectOf } from '../../../remotes/sql/dialect.ts'
import { printExpression } from '../../explain/print-expression.ts'
import type { QueryContext } from '../query-context.ts'
import { requireFitting } from '../schema/require-fitting.ts'
import type { Table } from '../table.ts'
import type { Fetched } from './fetch-bytes.ts'
import type { RemoteRows } from './remote-rows.ts'

/** What a query reads of a table of another service. */
export interface WantedOfRemote {
  /** Those of the filter are among them. */
  readonly columns: readonly string[]
  readonly filter: Condition | null
  /** Infinity: all rows. */
  readonly limit: number
  /** Of which rows the limit leaves the first ones. None: of any. */
  readonly order: readonly RemoteSortKey[]
  /** The groups that the other service makes of its rows. A text: why it makes none. Null: none are wanted. */
  readonly groups: WantedGroups | string | null
}

/** A statement that gives groups. */
export interface WantedGroups {
  readonly statement: string
  /** The columns of its answer, which are those of the table then. */
  readonly fields: readonly Field[]
  /** The columns of the table in the other service that it reads. */
  readonly read: readonly Field[]
}

type Listing = Pick<QueryContext, 'summaries' | 'ticket' | 'onAnswer'>

/** A table of another service with the rows that a query reads, as those of a file. */
interface ListedRemote {
  readonly files: readonly Fetched['file'][]
  readonly summaries: readonly FileSummary[]
  readonly remote: RemoteScan
}

/** The columns of a table of another service. Dictionaries are those of one answer, so columns have the types of their values. */
export async function columnsOfRemote(
  { relation, format }: Table,
  rows: RemoteRows,
  context: Listing,
): Promise<Schema> {
  const fetched = await rows.columns(context.ticket)
  const { fields, metadata } = (await summaryOf(fetched, { relation, format }, context)).schema
  return Object.freeze({
    fields: Object.freeze(fields.map((field) => Object.freeze({ ...field, type: valueType(field.type) }))),
    metadata,
  })
}

/**
 * Fetches what a query reads of a table: its columns, and no rows that cannot pass the filter, as far as the other service understands
 * it. `isRead`: whether rows are wanted. Rejects with `table_changed` if the columns are other ones by now.
 */
export async function listRemote(
  table: Table,
  rows: RemoteRows,
  schema: Schema,
  { columns, filter, limit, order, groups }: WantedOfRemote,
  isRead: boolean,
  context: Listing,
): Promise<ListedRemote> {
  const { remote, shape } =
    groups !== null && typeof groups !== 'string'
      ? askedGroups(groups, schema)
      : askedRows(rows, schema, { columns, filter, limit, order, groups })
  if (!isRead) return { files: [], summaries: [], remote: Object.freeze({ ...remote, received: null }) }
  const { fields, read = fields } = shape
  const fetched = await rows
    .fetch(remote.statement, shape, context.ticket)
    .catch((error: unknown) => requireUnchanged(error, table, rows, read, context))
  const summary = await summaryOf(fetched, table, context)
  requireColumns(table.relation, rows, fields, fetched, summary)
  return {
    files: [fetched.file],
    summaries: [summary],
    remote: Object.freeze({
      ...remote,
      received: Object.freeze({ rows: rowsOf(summary.segments) ?? 0, bytes: fetched.bytes }),
    }),
  }
}

/** A statement as the plan tells it, and the columns of its answer. */
interface AskedOfRemote {
  readonly remote: Omit<RemoteScan, 'received'>
  readonly shape: Parameters<RemoteRows['fetch']>[1]
}

/** Groups, of which each is a row. `schema` has the columns of the answer. */
function askedGroups({ statement, read }: WantedGroups, { fields }: Schema): AskedOfRemote {
  return {
    remote: { statement, appliedHere: [], whyNoLimit: null, whyNoGroups: null },
    shape: { fields, read },
  }
}

function askedRows(
  { source: { address, table } }: RemoteRows,
  schema: Schema,
  {
    columns,
    filter,
    limit,
    order,
    groups,
  }: Omit<WantedOfRemote, 'groups'> & { readonly groups: string | null },
): AskedOfRemote {
  const asked = columns.length > 0 ? columns : [narrowest(schema)]
  const select = { table, columns: asked, filter, limit, order }
  const { statement, appliedHere, whyNoLimit } = printSelect(select, dialectOf(address, schema))
  return {
    remote: {
      statement,
      appliedHere: appliedHere.map((each) => printExpression(each)),
      whyNoLimit,
      whyNoGroups: groups,
    },
    shape: { fields: fieldsNamed(asked, schema) },
  }
}

async function summaryOf(
  { file }: Fetched,
  { relation, format }: Pick<Table, 'relation' | 'format'>,
  { summaries, ticket, onAnswer }: Listing,
): Promise<FileSummary> {
  try {
    const planned = await summaries.of(format, [file], { statistics: [], columns: [] }, ticket, onAnswer)
    const [summary] = planned.summaries
    if (summary === undefined) throw new RangeError('no summary')
    return summary
  } catch (error) {
    if (!isServiceError(error) || error.code !== 'unreadable_file') throw error
    throw new ServiceError(
      'remote_refused',
      `The rows of ${JSON.stringify(relation)}, which another service has sent, cannot be read: ${error.message}`,
      { cause: error },
    )
  }
}

/** Throws `table_changed` if rows were refused because the columns are others by now, and else the error of the refusal. */
async function requireUnchanged(
  error: unknown,
  table: Table,
  rows: RemoteRows,
  fields: readonly Field[],
  context: Listing,
): Promise<never> {
  if (!isServiceError(error)) throw error
  if (error.code === 'table_changed') throw changed(table.relation, rows, error.message, error)
  if (error.code !== 'remote_refused') throw error
  let fetched: Fetched
  let summary: FileSummary
  try {
    fetched = await rows.columnsNow(context.ticket)
    summary = await summaryOf(fetched, table, context)
  } catch (cause) {
    throw isServiceError(cause) ? error : cause
  }
  requireColumns(table.relation, rows, fields, fetched, summary)
  throw error
}

/** Throws `table_changed` unless the answer has the columns that were asked for, in types that fit. */
function requireColumns(
  relation: string,
  rows: RemoteRows,
  fields: readonly Field[],
  { file }: Fetched,
  summary: FileSummary,
): void {
  const names = new Set(summary.schema.fields.map(({ name }) => name))
  const missing = fields.find(({ name }) => !names.has(name))
  if (missing !== undefined)
    throw changed(relation, rows, `it has no column ${JSON.stringify(missing.name)} there.`)
  const asked = fields.map(({ name }) => name)
  try {
    requireFitting(relation, { fields, metadata: {} }, [file], [summary], asked)
  } catch (error) {
    if (!isServiceError(error)) throw error
    throw changed(relation, rows, 'a column has another type there.', error)
  }
}

function changed(relation: string, { source }: RemoteRows, what: string, cause?: unknown): ServiceError {
  const remedy = source.attachment === undefined ? 'REFRESH finds them again.' : 'Ask again.'
  return new ServiceError(
    'table_changed',
    `The columns of ${JSON.stringify(relation)} have changed in the service that has it: ${what} ${remedy}`,
    { cause, about: relation },
  )
}

function fieldsNamed(names: readonly string[], { fields }: Schema): readonly Field[] {
  const byName = new Map(fields.map((field) => [field.name, field]))
  return names.flatMap((name) => byName.get(name) ?? [])
}

/** The column whose rows take the fewest bytes, where rows are wanted and none of their values. */
function narrowest({ fields }: Schema): string {
  const [first, ...others] = fields
  if (first === undefined) throw new ServiceError('not_supported', 'The table has no columns.')
  return others.reduce((best, field) => (rowWidth(field.type) < rowWidth(best.type) ? field : best), first)
    .name
}
