import type { ScanPlan } from '../../../../plan/plan.ts'
import { type Schema, valueType } from '../../../../plan/types/schema.ts'
import { OUTPUTS, STREAM } from '../../../output/outputs.ts'
import type { Statement } from '../../../sql/gate/gate.ts'
import { bind } from '../../bind/bind.ts'
import { bindOrdered } from '../../bind/bind-ordered.ts'
import type { Declinable } from '../../bind/declined.ts'
import { columnsOfTable, type NamedColumns } from '../../bind/named-columns.ts'
import { prepareRelayed } from '../../core/relay/prepare-relayed.ts'
import { prepareRequest } from '../../duckdb/from-json/prepare-request.ts'
import { rowsOfFiles } from '../../duckdb/from-json/request-rows.ts'
import { withReason } from '../../duckdb/prepare-statement.ts'
import { limitedTo } from '../../plan/prepare-scan.ts'
import { hasPattern } from '../../request/filters/filter.ts'
import type { JsonRequest } from '../../request/request.ts'
import { isScan } from '../../request/scan-json.ts'
import type { FilesTable } from '../../source/files-table.ts'
import { withDimensions } from '../../source/left-out.ts'
import type { QueryContext } from '../../source/query-context.ts'
import { refusedNamed } from '../../source/schema/refused-columns.ts'
import type { PreparedQuery } from '../options.ts'

/** Prepares a JSON request over files: for the core, or for DuckDB if the core declines it. `columns` are those that it can name. */
export async function prepareJson(
  request: JsonRequest,
  table: FilesTable,
  key: string,
  context: QueryContext,
  columns: NamedColumns = columnsOfTable(table),
): Promise<PreparedQuery> {
  try {
    const bound = request.filters.some(hasPattern)
      ? { reason: { what: 'a pattern', at: null } }
      : bindScan(request, table, columns)
    if ('done' in bound) return await prepareRelayed(limitedTo(bound.done, context.mostRows), table, context)
    return withReason(
      await prepareRequest(request, rowsOfFiles(table, columns, context), key, context),
      bound.reason.what,
    )
  } catch (error) {
    throw refusedNamed(error, [table], false) ?? (await withDimensions(error, [table], false, context))
  }
}

function bindScan(request: JsonRequest, table: FilesTable, columns: NamedColumns): Declinable<ScanPlan> {
  const { relation, format, files, unlisted } = table
  const { schema } = columns
  const named = { relation: columns.relation, format, files }
  const inFiles = (plan: ScanPlan): ScanPlan =>
    Object.freeze({ ...plan, scan: columns.inFiles(plan.scan), relation })
  if (request.sortBy.length > 0 || request.distinct !== null || !isScan(request)) {
    const bound = bindOrdered(request, named, schema)
    return 'reason' in bound ? bound : { done: inFiles(bound.done) }
  }
  const isOneFile = unlisted === null && files.length <= 1
  const keepsDictionaries = isOneFile || !OUTPUTS[(request.output ?? STREAM).format].hasOneDictionary
  return { done: inFiles(bind(request, named, keepsDictionaries ? schema : withoutDictionaries(schema))) }
}

/**
 * The schema with the value types of dictionary columns. An Arrow file can have one dictionary for each column, while each of
 * several source files has its own.
 */
function withoutDictionaries({ fields, metadata }: Schema): Schema {
  return { fields: fields.map((field) => ({ ...field, type: valueType(field.type) })), metadata }
}

/** A request that this version can bind and run, whatever its output. */
export type ParsedRequest = Statement | JsonRequest
