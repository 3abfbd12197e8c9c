import type { FileFormat } from '../../../plan/format/file-format.ts'
import { printOmitted } from '../../../plan/source/omitted.ts'
import type { Schema } from '../../../plan/types/schema.ts'
import type { Caller } from '../../auth/caller.ts'
import { createLookups } from '../../catalog/lookups.ts'
import { mayRead, metricsJson } from '../../metrics/query-metrics.ts'
import { openTable } from '../source/files-table.ts'
import { resolveSource } from '../source/resolve-source.ts'
import { knownError } from './known-error.ts'
import type { QueryServiceOptions } from './options.ts'
import { resolutionOf } from './resolution.ts'

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
  const ticket = options.scheduler.admit()
  const stop = (): void => ticket.stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const lookups = createLookups(options.catalog, caller)
    const table = await resolveSource(
      { kind: 'files', format, paths },
      resolutionOf(options, lookups, signal),
    )
    const context = { ...options, ticket, onAnswer() {}, onObjects() {}, onNotice() {} }
    const { schema, summaries } = await openTable(table, [], context)
    const omitted = summaries.flatMap((summary) => summary.omitted ?? [])
    if (omitted.length === 0) return schema
    return { ...schema, metadata: { ...schema.metadata, omitted: printOmitted(omitted) } }
  } catch (error) {
    throw knownError(error)
  } finally {
    signal.removeEventListener('abort', stop)
    ticket.release()
  }
}
