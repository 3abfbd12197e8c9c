import { END_OF_STREAM } from '../../../../plan/arrow/ipc.ts'
import { columnExpression } from '../../../../plan/expression.ts'
import type { ScanPlan } from '../../../../plan/plan.ts'
import { columnsRead } from '../../../../plan/scan.ts'
import { allRows } from '../../../../plan/task/finish.ts'
import { type Schema, sameType } from '../../../../plan/types/schema.ts'
import { schemaMessage } from '../../../output/arrow/arrow-schema.ts'
import type { RelayedBytes } from '../../../remotes/remote-client.ts'
import { type PreparedScan, prepareScan, type Relay, type RelayedBatch } from '../../plan/prepare-scan.ts'
import type { FilesTable } from '../../source/files-table.ts'
import type { QueryContext } from '../../source/query-context.ts'
import { arrowMessages } from '../../source/remote/arrow-messages.ts'
import { checkBatch } from '../../source/remote/check-batch.ts'
import { fileOfBytes } from '../../source/remote/fetch-bytes.ts'
import { columnsOfRemote } from '../../source/remote/list-remote.ts'
import { wholeStatement } from './whole-statement.ts'

/** Why a statement does not go whole, as EXPLAIN prints it. */
const OTHER = 'the service has another version'
const NOT_RELAYED =
  'the service has another version, refuses the statement, or sends as many answers as it may'

type Relaying = Pick<QueryContext, 'formats'> & Parameters<typeof prepareScan>[2]

/**
 * Prepares a plan as `prepareScan` does, or, if it is one over a table of another service of this version, by a statement by which that makes the whole
 * answer. What that refuses is prepared here, so that errors are those of this service.
 */
export async function prepareRelayed(
  plan: ScanPlan,
  table: FilesTable,
  context: Relaying,
): Promise<PreparedScan> {
  const { remote: rows } = table.unlisted ?? {}
  if (rows === undefined || rows.source.address.kind !== 'service') return prepareScan(plan, table, context)
  const prepareHere = async (why: string): Promise<PreparedScan> =>
    withRemote(await prepareScan(plan, table, context), { whyNotWhole: why })
  const whole = wholeStatement(plan, table, rows.source.table, context.formats)
  if ('reason' in whole) return prepareHere(whole.reason.what)
  if (!rows.mayRelay(context.ticket)) return prepareHere(OTHER)
  const statement = whole.done
  const planned = async (): Promise<PreparedScan> =>
    withRemote(await prepareScan(plan, table, { ...context, areRowsRead: false }), {
      statement,
      appliedHere: [],
      whyNoLimit: null,
      whyNoGroups: null,
      isWhole: true,
    })
  if (context.areRowsRead === false || context.areRemotesAsked === false) return planned()
  if (!(await hasColumns(plan, table, context))) return prepareHere('its columns have changed')
  const opened = await rows.relay(statement, context.ticket)
  if (opened === null) return prepareHere(NOT_RELAYED)
  try {
    const relay = await openRelay(plan, table, opened, context)
    if (relay !== null) return { ...(await planned()), relay }
  } catch (error) {
    opened.close()
    throw error
  }
  opened.close()
  return prepareHere('its answer has other columns')
}

function withRemote(prepared: PreparedScan, members: Partial<NonNullable<ScanPlan['remote']>>): PreparedScan {
  const { plan } = prepared
  if (plan.remote === undefined) return prepared
  const remote = Object.freeze({ ...plan.remote, ...members })
  return { ...prepared, plan: Object.freeze({ ...plan, remote }) }
}

/**
 * Whether the columns that the plan computes with have the types there that they have here. Those of an attached catalog were asked for just now, and
 * those of the answer are compared when it comes.
 */
async function hasColumns(plan: ScanPlan, table: FilesTable, context: Relaying): Promise<boolean> {
  const { unlisted } = table
  if (unlisted?.remote === undefined || unlisted.remote.source.attachment !== undefined) return true
  const { scan, finish } = plan
  const answered = new Set(
    finish.output.flatMap((index) => {
      const expression = scan.projection[index]?.expression
      return expression?.kind === 'column' ? [expression.column] : []
    }),
  )
  const computed = columnsRead(scan).filter((name) => !answered.has(name))
  if (computed.length === 0) return true
  const there = await columnsOfRemote(unlisted, unlisted.remote, context)
  const typeIn = ({ fields }: Schema, name: string) => fields.find((field) => field.name === name)?.type
  return computed.every((name) => {
    const [here, now] = [typeIn(table.schema, name), typeIn(there, name)]
    return here !== undefined && now !== undefined && sameType(here, now)
  })
}

/** The rows of an answer, up to whose first columns it was read. Null: these are not those of the plan. */
async function openRelay(
  { output, relation }: ScanPlan,
  table: FilesTable,
  { bytes }: RelayedBytes,
  context: Relaying,
): Promise<Relay | null> {
  const messages = arrowMessages(bytes, relation)
  const first = await messages.next()
  const schema = schemaMessage(output)
  if (first.done || !schema.equals(new Uint8Array(first.value.bytes))) return null
  const received = { rows: 0, bytes: schema.length + END_OF_STREAM.length }
  async function* batches(): AsyncGenerator<RelayedBatch, void> {
    for await (const message of messages) {
      const { rows, isCompressed } = checkBatch(message, output, relation)
      received.rows += rows
      received.bytes += message.bytes.byteLength
      yield { rows, isCompressed, bytes: message.bytes, metadataBytes: message.metadataBytes }
    }
  }
  return {
    schema: output,
    batches: batches(),
    received,
    prepareBatches(parts) {
      const chunks = [schema, ...parts.map((part) => new Uint8Array(part)), END_OF_STREAM]
      const rows = rowsOfAnswer(output, table, fileOfBytes(relation, chunks))
      return prepareScan(rows.plan, rows.table, context)
    },
  }
}

/** All rows of a file that is a part of the answer. */
function rowsOfAnswer(
  output: Schema,
  { relation, format }: FilesTable,
  file: ReturnType<typeof fileOfBytes>,
): { readonly plan: ScanPlan; readonly table: FilesTable } {
  const { fields } = output
  const files = Object.freeze([file])
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
