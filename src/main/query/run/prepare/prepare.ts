import { isServiceError } from '../../../../plan/errors.ts'
import { requestFilter } from '../../bind/filters/request-filter.ts'
import { prepareSelect } from '../../core/prepare-select.ts'
import type { ViewTrees } from '../../core/views/view-trees.ts'
import { mentionedInFilters } from '../../request/filters/mentioned.ts'
import { type FilesTable, openTable } from '../../source/files-table.ts'
import { readingView } from '../../source/named/refusals.ts'
import { onOtherGrid } from '../../source/other-grid.ts'
import type { QueryContext } from '../../source/query-context.ts'
import { findNamed, resolveSource, writtenName } from '../../source/resolve-source.ts'
import type { SupportedRequest } from '../supported-request.ts'
import { prepareJson } from './prepare-json.ts'
import { prepareOverSystem, systemNamed } from './prepare-system.ts'
import { prepareOverView } from './prepare-view.ts'
import type { PreparedQuery } from './prepared-query.ts'

/**
 * Prepares a query: resolves its sources, has workers read the schemas and statistics that are not known, binds the request,
 * and cuts its scans into units. `key` identifies the query in workers.
 */
export async function prepareQuery(
  request: SupportedRequest,
  key: string,
  views: ViewTrees,
  context: QueryContext,
): Promise<PreparedQuery> {
  if (request.kind !== 'json') return prepareSelect(request, key, views, context)
  const named = findNamed(request.from, context)
  if (named?.type === 'VIEW' && request.from.kind !== 'files')
    return readingView(writtenName(request.from, context), context.lookups.caller.rights, () =>
      prepareOverView(request, named, key, views, context),
    )
  const system = named === null ? systemNamed(request.from, context.catalogName) : null
  if (system !== null) return prepareOverSystem(request, system, key, context)
  const source = await resolveSource(request.from, context)
  const statistics = mentionedInFilters(request)
  const table = await openTable(source, statistics, context, requestFilter(request))
  const prepare = (opened: FilesTable): Promise<PreparedQuery> => prepareJson(request, opened, key, context)
  try {
    return await prepare(table)
  } catch (error) {
    if (!isServiceError(error) || error.code !== 'unknown_column') throw error
    if (!table.isNarrowed) return onOtherGrid(error, { source, table }, false, context, prepare)
    // The column may be in a file that the filter has left out.
    const whole = await openTable(source, statistics, context)
    return await prepare(whole).catch((cause: unknown) =>
      onOtherGrid(cause, { source, table: whole }, false, context, prepare),
    )
  }
}
