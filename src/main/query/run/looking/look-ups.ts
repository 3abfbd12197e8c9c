import { randomUUID } from 'node:crypto'
import type { FileFormat } from '../../../../plan/format/file-format.ts'
import { printOmitted } from '../../../../plan/source/omitted.ts'
import type { FunctionSignature, SqlFunctionsAnswer } from '../../../../plan/task/task.ts'
import type { Schema } from '../../../../plan/types/schema.ts'
import type { Caller } from '../../../auth/caller.ts'
import { createLookups } from '../../../catalog/lookups.ts'
import type { Ticket } from '../../../dispatch/ticket.ts'
import { mayRead, metricsJson } from '../../../metrics/query-metrics.ts'
import { openTable } from '../../source/files-table.ts'
import { findColumns, type NewTable } from '../../source/named/external-columns.ts'
import { resolveSource } from '../../source/resolve-source.ts'
import { requireNoneRefused } from '../../source/schema/refused-columns.ts'
import { knownError } from '../known-error.ts'
import type { QueryServiceOptions } from '../options.ts'
import { resolutionOf } from '../resolution.ts'

/** The metrics of a query as JSON text. Null: they are unknown, or the caller may not see them. */
export function findMetrics({ metrics }: QueryServiceOptions, id: string, caller: Caller): string | null {
  try {
    const record = metrics.find(id)
    return record && mayRead(record, caller) ? metricsJson(record) : null
  } catch (error) {
    throw knownError(error)
  }
}

/** The merged schema of all files that the paths match. Its metadata say as `omitted` what of them no column is made of. */
export async function findSchema(
  options: QueryServiceOptions,
  format: FileFormat,
  paths: readonly string[],
  caller: Caller,
  signal: AbortSignal,
): Promise<Schema> {
  return lookingUp(options, signal, async (ticket) => {
    const lookups = createLookups(options.catalog, caller)
    const table = await resolveSource(
      { kind: 'files', format, paths },
      resolutionOf(options, lookups, signal),
    )
    const context = { ...options, ticket, onAnswer() {}, onObjects() {}, onNotice() {} }
    const opened = await openTable(table, [], context)
    requireNoneRefused(opened)
    const { schema, summaries } = opened
    const omitted = summaries.flatMap((summary) => summary.omitted ?? [])
    if (omitted.length === 0) return schema
    return { ...schema, metadata: { ...schema.metadata, omitted: printOmitted(omitted) } }
  })
}

/** The columns of an external table that is created or refreshed. Null: nothing tells them yet. See `findColumns`. */
export async function findColumnsOf(
  options: QueryServiceOptions,
  table: NewTable,
  caller: Caller,
  signal: AbortSignal,
): Promise<Schema | null> {
  return lookingUp(options, signal, (ticket) => {
    const lookups = createLookups(options.catalog, caller)
    const resolution = resolutionOf(options, lookups, signal)
    return findColumns(table, {
      ...options,
      ...resolution,
      ticket,
      onAnswer() {},
      onObjects() {},
      onNotice() {},
    })
  })
}

/** The functions that DuckDB has. An engine lists them, which takes some 0.1 s. */
export async function findFunctions(
  options: QueryServiceOptions,
  signal: AbortSignal,
): Promise<readonly FunctionSignature[]> {
  return lookingUp(options, signal, async (ticket) => {
    const statement = { key: randomUUID(), sql: 'SHOW FUNCTIONS', ticket }
    const lease = await options.engines.lease(statement, signal)
    try {
      const { answer } = await lease.run<SqlFunctionsAnswer>({ kind: 'sql_functions' })
      return answer.signatures
    } finally {
      lease.release()
    }
  })
}

/** Does some work with a ticket of its own, which ends with the signal. */
export async function lookingUp<T>(
  { scheduler }: QueryServiceOptions,
  signal: AbortSignal,
  work: (ticket: Ticket) => Promise<T>,
): Promise<T> {
  const ticket = scheduler.admit()
  const stop = (): void => ticket.stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await work(ticket)
  } catch (error) {
    throw knownError(error)
  } finally {
    signal.removeEventListener('abort', stop)
    ticket.release()
  }
}
