import { END_OF_STREAM } from '../../../../plan/arrow/ipc.ts'
import { columnExpression } from '../../../../plan/expression.ts'
import type { ScanPlan } from '../../../../plan/plan.ts'
import { columnsRead } from '../../../../plan/scan.ts'
import type { FileRef } from '../../../../plan/source/file.ts'
import type { RemoteScan } from '../../../../plan/source/remote-scan.ts'
import { allRows } from '../../../../plan/task/finish.ts'
import { type Schema, sameType } from '../../../../plan/types/schema.ts'
import { schemaMessage } from '../../../output/arrow/arrow-schema.ts'
import type { RelayedBatch, RelayedRows } from '../../../remotes/remote-client.ts'
import type { WrittenRemoteTable } from '../../../remotes/remote-table-name.ts'
import { type Declinable, decline } from '../../bind/declined.ts'
import { limitedTo, type PreparedScan, prepareScan, type Relay } from '../../plan/prepare-scan.ts'
import type { FilesTable } from '../../source/files-table.ts'
import type { QueryContext } from '../../source/query-context.ts'
import { fileOfBytes } from '../../source/remote/fetch-bytes.ts'
import { columnsOfRemote } from '../../source/remote/list-remote.ts'
import { isOfOneService, type RemoteRows } from '../../source/remote/remote-rows.ts'
import type { BoundQuery } from '../subqueries/bind-query.ts'
import type { OpenedQuery } from '../subqueries/open-query.ts'
import { wholeStatement } from './whole-statement.ts'
import { writtenStatement } from './written-statement.ts'

/** Why a statement does not go whole, as EXPLAIN prints it. */
const OTHER = 'the service has another version'
const NOT_RELAYED =
  'the service has another version, refuses the statement, or sends as many answers as it may'

type Relaying = Pick<QueryContext, 'formats' | 'mostRows'> & Parameters<typeof prepareScan>[2]

/**
 * Prepares a plan as `prepareScan` does, or, if it is one over a table of another service of this version, by a statement by which that makes the whole
 * answer. What that refuses is prepared here, so that errors are those of this service.
 */
export async function prepareRelayed(
  plan: ScanPlan,
  table: FilesTable,
  context: Relaying,
): Promise<PreparedScan> {
  const remote = serviceOf(table)
  if (remote === null) return prepareScan(plan, table, context)
  const statement = wholeStatement(plan, table, remote.source.table, context.formats)
  const whole = await relayOf({ plan, table }, [{ plan, table }], remote, statement, context)
  return 'done' in whole ? whole.done : withWhyNot(await prepareScan(plan, table, context), whole.reason.what)
}

/**
 * Prepares a query by a statement by which another service of this version makes the whole answer, if all tables that it and its subqueries read are of
 * that. Else says why not. `bound` is the query, whose subqueries have not been run. Null: it reads no table of another service.
 */
export async function prepareWhole(
  query: OpenedQuery,
  bound: BoundQuery,
  context: Relaying,
): Promise<Declinable<PreparedScan> | null> {
  const { table } = bound
  const plan = limitedTo(bound.plan, context.mostRows)
  const readings = readingsOf(query, plan)
  const remotes = readings.map((each) => serviceOf(each.table))
  const [first = null, ...others] = remotes.filter((remote) => remote !== null)
  if (first === null) return null
  const isOfOne = remotes.length === 1 + others.length && isOfOneService([first, ...others])
  if (!isOfOne) return { reason: { what: 'it reads other tables than those of one service', at: null } }
  const statement = statementOf(query, plan, table, first, context)
  return relayOf({ plan, table }, readings, first, statement, context)
}

/** The statement that is sent, with the limit of what the client wants. */
function statementOf(
  query: OpenedQuery,
  limited: ScanPlan,
  table: FilesTable,
  { source }: RemoteRows,
  { formats, mostRows }: Relaying,
): Declinable<string> {
  const rows = wholeStatement(limited, table, source.table, formats)
  return 'done' in rows ? rows : writtenStatement(query, limited, tableIn, formats, mostRows)
}

/** The plan of a scan of another service, with why the whole statement is not sent. */
export function withWhyNot(prepared: PreparedScan, why: string): PreparedScan {
  return withRemote(prepared, { whyNotWhole: why })
}

/** The table of another service that a query reads, in that. */
function tableIn({ opened: [source] }: OpenedQuery): WrittenRemoteTable {
  const remote = source === undefined ? null : serviceOf(source.table)
  return remote?.source.table ?? decline('it reads other tables than those of one service')
}

/** How rows of a table are fetched that another service of this kind has. Null: none has it. */
export function serviceOf({ unlisted }: FilesTable): RemoteRows | null {
  return unlisted?.remote?.source.address.kind === 'service' ? unlisted.remote : null
}

/** What a query and its subqueries read. */
function readingsOf(query: OpenedQuery, plan: ScanPlan): readonly BoundQuery[] {
  const inner = query.subqueries.flatMap((subquery, place) => {
    const planned = plan.subqueries?.[place]
    return planned === undefined ? [] : readingsOf(subquery, planned.plan)
  })
  return [...query.opened.map(({ table }) => ({ plan, table })), ...inner]
}

/** Has another service make an answer by a statement, or says why not. `readings` are what the statement reads there, the answer first. */
async function relayOf(
  { plan: { subqueries: _, ...plan }, table }: BoundQuery,
  readings: readonly BoundQuery[],
  rows: RemoteRows,
  statement: Declinable<string>,
  context: Relaying,
): Promise<Declinable<PreparedScan>> {
  if ('reason' in statement) return statement
  const planned = async (): Promise<PreparedScan> =>
    withRemote(
      await prepareScan(plan, table, { ...context, areRowsRead: false }),
      wholeRemote(statement.done),
    )
  const hasAllColumns = async (): Promise<boolean> => {
    for (const [place, reading] of readings.entries())
      if (!(await hasColumns(reading, place === 0, context))) return false
    return true
  }
  return relayPlanned({ plan, table, planned, hasColumns: hasAllColumns }, rows, statement.done, context)
}

/** An answer of which only the columns are known. */
export interface RelayedAnswer {
  /** One of the tables that the statement reads. */
  readonly table: FilesTable
  readonly output: Schema
  readonly statement: string
  /** Whether the columns that the statement reads are there in the types that they have here. */
  hasColumns(): Promise<boolean>
}

/** Has another service make an answer by a statement that was bound by DuckDB, or says why not. */
export async function relayAnswer(
  { table, output, statement, hasColumns }: RelayedAnswer,
  rows: RemoteRows,
  context: Relaying,
): Promise<Declinable<PreparedScan>> {
  const { plan, table: answered } = rowsOfAnswer(output, table, [])
  const planned = (): Promise<PreparedScan> =>
    prepareScan({ ...plan, remote: Object.freeze({ ...wholeRemote(statement), received: null }) }, answered, {
      ...context,
      areRowsRead: false,
    })
  return relayPlanned({ plan, table, planned, hasColumns }, rows, statement, context)
}

/** What a plan says of a statement that makes the whole answer. */
function wholeRemote(statement: string): Omit<RemoteScan, 'received'> {
  return { statement, appliedHere: [], whyNoLimit: null, whyNoGroups: null, isWhole: true }
}

interface PlannedRelay extends BoundQuery, Pick<RelayedAnswer, 'hasColumns'> {
  planned(): Promise<PreparedScan>
}

async function relayPlanned(
  { plan, table, planned, hasColumns }: PlannedRelay,
  rows: RemoteRows,
  statement: string,
  context: Relaying,
): Promise<Declinable<PreparedScan>> {
  const declined = (what: string) => ({ reason: { what, at: null } })
  if (!rows.mayRelay(context.ticket)) return declined(OTHER)
  if (context.areRowsRead === false || context.areRemotesAsked === false) return { done: await planned() }
  if (!(await hasColumns())) return declined('its columns have changed')
  const { relation, output } = plan
  const opened = await rows.relay(statement, { relation, output }, context.ticket)
  if (opened === null) return declined(NOT_RELAYED)
  try {
    const relay = openRelay(plan, table, opened, context)
    if (relay !== null) return { done: { ...(await planned()), relay } }
  } catch (error) {
    opened.close()
    throw error
  }
  opened.close()
  return declined('its answer has other columns')
}

function withRemote(prepared: PreparedScan, members: Partial<NonNullable<ScanPlan['remote']>>): PreparedScan {
  const { plan } = prepared
  if (plan.remote === undefined) return prepared
  const remote = Object.freeze({ ...plan.remote, ...members })
  return { ...prepared, plan: Object.freeze({ ...plan, remote }) }
}

/**
 * Whether the columns that a plan computes with have the types there that they have here. Those of the answer are compared when it comes.
 */
async function hasColumns(
  { plan, table }: BoundQuery,
  isAnswer: boolean,
  context: Relaying,
): Promise<boolean> {
  const answered = isAnswer ? columnsAnswered(plan) : NO_COLUMNS
  return areColumnsThere(
    table,
    columnsRead(plan.scan).filter((name) => !answered.has(name)),
    context,
  )
}

/** Whether columns of a table have the types there that they have here. Those of an attached catalog were asked for just now. */
export async function areColumnsThere(
  { unlisted, schema }: FilesTable,
  names: readonly string[],
  context: Relaying,
): Promise<boolean> {
  if (unlisted?.remote === undefined || unlisted.remote.source.attachment !== undefined) return true
  if (names.length === 0) return true
  const there = await columnsOfRemote(unlisted, unlisted.remote, context)
  const typeIn = ({ fields }: Schema, name: string) => fields.find((field) => field.name === name)?.type
  return names.every((name) => {
    const [here, now] = [typeIn(schema, name), typeIn(there, name)]
    return here !== undefined && now !== undefined && sameType(here, now)
  })
}

const NO_COLUMNS: ReadonlySet<string> = new Set()

/** The columns of the table that columns of the answer are. */
function columnsAnswered({ scan, finish }: ScanPlan): ReadonlySet<string> {
  if (finish.grouping !== null || finish.firsts !== undefined) return NO_COLUMNS
  const expressions = finish.output.map((index) => scan.projection[index]?.expression)
  return new Set(expressions.flatMap((each) => (each?.kind === 'column' ? [each.column] : [])))
}

/** The rows of an answer. Null: its columns are not those of the plan. */
function openRelay(
  { output, relation }: ScanPlan,
  table: FilesTable,
  opened: RelayedRows,
  context: Relaying,
): Relay | null {
  const schema = schemaMessage(output)
  if (!schema.equals(new Uint8Array(opened.schema))) return null
  const received = { rows: 0, bytes: schema.length + END_OF_STREAM.length }
  async function* batches(): AsyncGenerator<RelayedBatch, void> {
    for await (const batch of opened.batches) {
      received.rows += batch.rows
      received.bytes += batch.bytes.byteLength
      yield batch
    }
  }
  return {
    schema: output,
    batches: batches(),
    received,
    prepareBatches(parts) {
      const chunks = [schema, ...parts.map((part) => new Uint8Array(part)), END_OF_STREAM]
      const rows = rowsOfAnswer(output, table, [fileOfBytes(relation, chunks)])
      return prepareScan(rows.plan, rows.table, context)
    },
  }
}

/** All rows of files that are parts of the answer. */
function rowsOfAnswer(
  output: Schema,
  { relation, format }: FilesTable,
  parts: readonly FileRef[],
): { readonly plan: ScanPlan; readonly table: FilesTable } {
  const { fields } = output
  const files = Object.freeze(parts)
  const plan: ScanPlan = Object.freeze({
    engine: 'core',
    scan: Object.freeze({
      format,
      columns: Object.freeze(fields.map(({ name, type }) => ({ name, type }))),
      filter: null,
      projection: Object.freeze(
        fields.map((field) => ({ expression: columnExpression(field.name, field.type), field })),
      ),
    }),
    relation,
    files,
    finish: allRows(fields.length),
    output,
    offset: 0,
    limit: Number.POSITIVE_INFINITY,
  })
  return {
    plan,
    table: { relation, format, files, summaries: [], schema: output, unlisted: null, isNarrowed: false },
  }
}
