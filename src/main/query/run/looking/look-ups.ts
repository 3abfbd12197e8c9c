import { randomUUID } from 'node:crypto'
import { alternatives } from '../../../../plan/alternatives.ts'
import { ServiceError } from '../../../../plan/errors.ts'
import type { Formats } from '../../../../plan/format/create-formats.ts'
import type { FileFormat } from '../../../../plan/format/file-format.ts'
import type { FileRef } from '../../../../plan/source/file.ts'
import { printOmitted } from '../../../../plan/source/omitted.ts'
import type { FileStructure } from '../../../../plan/source/structure.ts'
import type { FunctionSignature, SqlFunctionsAnswer } from '../../../../plan/task/task.ts'
import type { Schema } from '../../../../plan/types/schema.ts'
import type { Caller } from '../../../auth/caller.ts'
import { createLookups } from '../../../catalog/lookups.ts'
import type { Ticket } from '../../../dispatch/ticket.ts'
import { mayRead, metricsJson } from '../../../history/query-metrics.ts'
import { NO_COLUMN_FILTER } from '../../source/column-filter.ts'
import { openTable } from '../../source/files-table.ts'
import { findColumns, type NewTable } from '../../source/named/external-columns.ts'
import { resolveSource } from '../../source/resolve-source.ts'
import { requireNoneRefused } from '../../source/schema/refused-columns.ts'
import { printRows } from '../../source/structure/print-structure.ts'
import { readStructures } from '../../source/structure/read-structures.ts'
import type { QueryServiceOptions } from '../options.ts'
import { resolutionOf } from '../resolution.ts'
import { toServiceError } from '../to-service-error.ts'

/** The metrics of a query as JSON text. Null: they are unknown, or the caller may not see them. */
export function findMetrics({ metrics }: QueryServiceOptions, id: string, caller: Caller): string | null {
  try {
    const record = metrics.find(id)
    return record && mayRead(record, caller) ? metricsJson(record) : null
  } catch (error) {
    throw toServiceError(error)
  }
}

/**
 * The merged schema of all files that the paths match. Its metadata say as `omitted` what of them no column is made of and, of files of
 * arrays, as `dimensions` those of the rows of the first file, and as `left_out` which of its variables are in no row.
 */
export async function findSchema(
  options: QueryServiceOptions,
  format: FileFormat,
  paths: readonly string[],
  caller: Caller,
  signal: AbortSignal,
): Promise<Schema> {
  return lookUp(options, signal, async (ticket) => {
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
    const metadata = {
      ...schema.metadata,
      ...(omitted.length > 0 && { omitted: printOmitted(omitted) }),
      ...(format.layout === 'grid' && (await ofFirstFile(format, opened.files, context))),
    }
    return { ...schema, metadata }
  })
}

/** What the rows of the first file of arrays are, and what is in none of them. */
async function ofFirstFile(
  format: FileFormat,
  files: readonly FileRef[],
  context: Parameters<typeof readStructures>[2],
): Promise<Readonly<Record<string, string>>> {
  for await (const [, structure] of readStructures(format, files.slice(0, 1), context))
    return printRows(structure)
  return {}
}

/** What one file of arrays holds. */
export async function findStructure(
  options: QueryServiceOptions,
  format: FileFormat,
  path: string,
  caller: Caller,
  signal: AbortSignal,
): Promise<{ readonly path: string; readonly structure: FileStructure }> {
  return lookUp(options, signal, async (ticket) => {
    const lookups = createLookups(options.catalog, caller)
    const resolution = resolutionOf(options, lookups, signal)
    const table = await resolveSource({ kind: 'files', format, paths: [path] }, resolution)
    const { files } = await table.files(NO_COLUMN_FILTER)
    requireArrays(path, format, options.formats)
    requireOne(path, format, files.length)
    const reading = { ticket, onAnswer() {}, onObjects() {}, structures: options.structures }
    for await (const [file, structure] of readStructures(format, files, reading))
      return { path: file.path, structure }
    throw new TypeError(`${path} has no structure`)
  })
}

function requireArrays(path: string, { kind, layout }: FileFormat, { rows, row }: Formats): void {
  if (layout === 'grid') return
  const having = rows.flatMap((each) => (each.layout === 'grid' ? [each.title] : []))
  throw new ServiceError(
    'not_supported',
    `${JSON.stringify(path)}: files of ${row(kind).title} hold nothing but their columns, which /api/dataset-schema tells; ${alternatives(having)} files have a structure.`,
  )
}

function requireOne(path: string, { kind }: FileFormat, files: number): void {
  if (files === 1) return
  throw new ServiceError(
    'not_supported',
    `${JSON.stringify(path)} names ${files} files, and a structure is that of one; read_${kind}_variables in SQL lists those of several.`,
  )
}

/** The columns of an external table that is created or refreshed. Null: they are not known yet. See `findColumns`. */
export async function findColumnsOf(
  options: QueryServiceOptions,
  table: NewTable,
  caller: Caller,
  signal: AbortSignal,
): Promise<Schema | null> {
  return lookUp(options, signal, (ticket) => {
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
  return lookUp(options, signal, async (ticket) => {
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
export async function lookUp<T>(
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
    throw toServiceError(error)
  } finally {
    signal.removeEventListener('abort', stop)
    ticket.release()
  }
}
