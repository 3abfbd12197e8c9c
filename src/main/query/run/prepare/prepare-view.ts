import { isServiceError } from '../../../../plan/errors.ts'
import type { CatalogTable } from '../../../catalog/catalog.ts'
import { type Declinable, orDeclinedLater, type Reason } from '../../bind/declined.ts'
import { bindRelation } from '../../core/bind/bind-select.ts'
import { joinedTable } from '../../core/bind/joined-table.ts'
import type { Relation } from '../../core/bind/relation.ts'
import type { Select } from '../../core/parse/ast.ts'
import { openReading } from '../../core/views/open-reading.ts'
import { readingOf } from '../../core/views/source-reading.ts'
import { schemaOf, throughRelation } from '../../core/views/through-relation.ts'
import { viewFilter } from '../../core/views/view-filter.ts'
import type { ViewTrees } from '../../core/views/view-trees.ts'
import { prepareRequest } from '../../duckdb/from-json/prepare-request.ts'
import { rowsOfView } from '../../duckdb/from-json/request-rows.ts'
import { withReason } from '../../duckdb/prepare-statement.ts'
import { mentionedInFilters } from '../../request/filters/mentioned.ts'
import type { JsonRequest } from '../../request/request.ts'
import { type ColumnFilter, NO_COLUMN_FILTER } from '../../source/column-filter.ts'
import type { FilesTable } from '../../source/files-table.ts'
import type { QueryContext } from '../../source/query-context.ts'
import type { PreparedQuery } from '../options.ts'
import { prepareJson } from './prepare-json.ts'

/**
 * Prepares a JSON request over a view. If rows of the view are those of files, the request is bound to the view's columns, and its
 * scan then reads the files with the view's condition. Otherwise it becomes a statement over the view.
 */
export async function prepareOverView(
  request: JsonRequest,
  view: CatalogTable,
  key: string,
  views: ViewTrees,
  context: QueryContext,
): Promise<PreparedQuery> {
  const tree = views.of(view, context.lookups)
  if ('reason' in tree) return overStatement(request, view, key, tree.reason, context)
  const select = tree.done
  const filter = viewFilter(readingOf(select), request)
  const opened = await openView(view, select, filter, request, context)
  if ('reason' in opened) return overStatement(request, view, key, opened.reason, context)
  try {
    return await prepareThrough(request, view, opened.done, key, context)
  } catch (error) {
    // The column may be in a file that the filter has left out.
    if (!opened.done.table.isNarrowed || !isServiceError(error) || error.code !== 'unknown_column')
      throw error
    const whole = await openView(view, select, NO_COLUMN_FILTER, request, context)
    if ('reason' in whole) return overStatement(request, view, key, whole.reason, context)
    return prepareThrough(request, view, whole.done, key, context)
  }
}

/** A view whose rows are those of files. */
interface OpenedView {
  readonly relation: Relation
  readonly table: FilesTable
}

async function openView(
  view: CatalogTable,
  select: Select,
  filter: ColumnFilter,
  request: JsonRequest,
  context: QueryContext,
): Promise<Declinable<OpenedView>> {
  const reading = readingOf(select)
  const { columnOf } = reading
  if (columnOf === null) return { reason: { what: 'rows that are not those of files', at: null } }
  const mentioned = mentionedInFilters(request).flatMap((name) => columnOf({ table: null, name }) ?? [])
  const opened = await openReading(reading, filter, mentioned, context)
  const table = joinedTable(opened.map((source) => source.table))
  if ('reason' in table) return table
  const relation = bindRelation(select, view.name, table.done)
  return 'reason' in relation ? relation : { done: { relation: relation.done, table: table.done } }
}

async function prepareThrough(
  request: JsonRequest,
  view: CatalogTable,
  { relation, table }: OpenedView,
  key: string,
  context: QueryContext,
): Promise<PreparedQuery> {
  const prepared = await orDeclinedLater(() =>
    prepareJson(request, table, key, context, {
      relation: view.name,
      schema: schemaOf(relation),
      inFiles: (scan) => throughRelation(scan, relation),
    }),
  )
  return 'reason' in prepared ? overStatement(request, view, key, prepared.reason, context) : prepared.done
}

/** Prepares a JSON request as a statement over a view that the core does not run. */
async function overStatement(
  request: JsonRequest,
  view: CatalogTable,
  key: string,
  reason: Reason,
  context: QueryContext,
): Promise<PreparedQuery> {
  const prepared = await prepareRequest(request, await rowsOfView(view, key, context), key, context)
  return withReason(prepared, `${reason.what} in the view ${view.name}`)
}
