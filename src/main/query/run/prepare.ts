import { isServiceError } from '../../../plan/errors.ts'
import type { ScanPlan } from '../../../plan/plan.ts'
import { type Schema, valueType } from '../../../plan/types/schema.ts'
import { prepareSelect } from '../../sql/core/prepare-select.ts'
import { type PreparedStatement, withReason } from '../../sql/duckdb/prepare-statement.ts'
import { prepareRequest } from '../../sql/duckdb/request/prepare-request.ts'
import { bind } from '../bind/bind.ts'
import { bindOrdered } from '../bind/bind-ordered.ts'
import type { Declinable } from '../bind/declined.ts'
import { requestFilter } from '../bind/filters/request-filter.ts'
import { type PreparedScan, prepareScan } from '../plan/prepare-scan.ts'
import { mentionedInFilters } from '../request/filters/mentioned.ts'
import {
  callsFunctions,
  isScan,
  requireSupportedOutput,
  type ScanJson,
  type SupportedJson,
} from '../request/supported.ts'
import { type FilesTable, openTable } from '../source/files-table.ts'
import { withDimensions } from '../source/left-out.ts'
import type { QueryContext } from '../source/query-context.ts'
import { resolveSource } from '../source/resolve-source.ts'
import type { SupportedRequest } from './supported-request.ts'

/** A plan, and the units of its sources that have to be read. */
export type PreparedQuery = PreparedScan | PreparedStatement

/**
 * Prepares a query: resolves its sources, has workers read the schemas and statistics that are not known, binds the request,
 * and cuts its scans into units. `key` identifies the query in workers.
 */
export async function prepareQuery(
  request: SupportedRequest,
  key: string,
  context: QueryContext,
): Promise<PreparedQuery> {
  if (request.kind !== 'json') return prepareSelect(request, key, context)
  const source = await resolveSource(request.from, context)
  const statistics = mentionedInFilters(request)
  const table = await openTable(source, statistics, context, requestFilter(request))
  try {
    return await prepareJson(request, table, key, context)
  } catch (error) {
    // The column may be in a file that the filter has left out.
    if (!table.isNarrowed || !isServiceError(error) || error.code !== 'unknown_column') throw error
    return prepareJson(request, await openTable(source, statistics, context), key, context)
  }
}

async function prepareJson(
  request: SupportedJson,
  table: FilesTable,
  key: string,
  context: QueryContext,
): Promise<PreparedQuery> {
  try {
    const bound = isScan(request)
      ? bindScan(request, table)
      : { reason: { what: otherThanScan(request), at: null } }
    if ('done' in bound) return await prepareScan(bound.done, table, context)
    return withReason(await prepareRequest(request, table, key, context), bound.reason.what)
  } catch (error) {
    throw await withDimensions(error, [table], false, context)
  }
}

/** What keeps a request from being a scan. */
function otherThanScan(request: SupportedJson): string {
  return callsFunctions(request) ? 'a function' : 'a pattern'
}

function bindScan(request: ScanJson, table: FilesTable): Declinable<ScanPlan> {
  const { files, schema, unlisted } = table
  if (request.sortBy.length > 0 || request.distinct !== null) return bindOrdered(request, table, schema)
  const isOneFile = unlisted === null && files.length <= 1
  const keepsDictionaries = isOneFile || !requireSupportedOutput(request.output).hasOneDictionary
  return { done: bind(request, table, keepsDictionaries ? schema : withoutDictionaries(schema)) }
}

/**
 * The schema with the value types of dictionary columns. An Arrow file can have one dictionary for each column, while each of
 * several source files has its own.
 */
function withoutDictionaries({ fields, metadata }: Schema): Schema {
  return { fields: fields.map((field) => ({ ...field, type: valueType(field.type) })), metadata }
}
