import { isServiceError, ServiceError } from '../../../../plan/errors.ts'
import { didYouMean } from '../../../../plan/nearest-name.ts'
import { foldSqlName } from '../../../../plan/statement/statement.ts'
import { type SystemRelation, systemRelation } from '../../../../plan/statement/system-relations.ts'
import { presetsOf } from '../../../catalog/extensions/extension.ts'
import { readName } from '../../../catalog/written-name.ts'
import { requestFilter } from '../../bind/filters/request-filter.ts'
import { prepareSelect } from '../../core/prepare-select.ts'
import type { SubqueryRunner } from '../../core/subqueries/run-subqueries.ts'
import type { ViewTrees } from '../../core/views/view-trees.ts'
import { prepareRequest } from '../../duckdb/from-json/prepare-request.ts'
import { rowsOfSystem } from '../../duckdb/from-json/request-rows.ts'
import { withReason } from '../../duckdb/prepare-statement.ts'
import { mentionedInFilters } from '../../request/filters/mentioned.ts'
import { presetFilters } from '../../request/preset.ts'
import type { JsonRequest } from '../../request/request.ts'
import { type FilesTable, openTable } from '../../source/files-table.ts'
import { readingView } from '../../source/named/refusals.ts'
import { onOtherGrid } from '../../source/other-grid.ts'
import type { QueryContext } from '../../source/query-context.ts'
import { findNamed, resolveSource, type SourceName, writtenName } from '../../source/resolve-source.ts'
import type { PreparedQuery } from '../options.ts'
import { type ParsedRequest, prepareJson } from './prepare-json.ts'
import { prepareOverView } from './prepare-view.ts'

/**
 * Prepares a query: resolves its sources, has workers read the schemas and statistics that are not known, binds the request,
 * and cuts its scans into units. `key` identifies the query in workers. `runner`: as in `prepareSelect`.
 */
export async function prepareQuery(
  request: ParsedRequest,
  key: string,
  views: ViewTrees,
  context: QueryContext,
  runner: SubqueryRunner | null = null,
): Promise<PreparedQuery> {
  if (request.kind !== 'json') return prepareSelect(request, key, views, context, runner)
  const { preset, ...withoutPreset } = request
  if (preset !== undefined) return prepareWithPreset(withoutPreset, preset, key, views, context)
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

/** Prepares a request with the filters of a preset of its table besides its own. */
async function prepareWithPreset(
  request: JsonRequest,
  name: string,
  key: string,
  views: ViewTrees,
  context: QueryContext,
): Promise<PreparedQuery> {
  const presets = presetsOf(findNamed(request.from, context)?.definition?.extensions ?? {})
  const preset = presets.find((each) => each.name === name)
  if (preset !== undefined) {
    const filters = Object.freeze([...presetFilters(preset), ...request.filters])
    return prepareQuery({ ...request, filters }, key, views, context)
  }
  // What is wrong with the table comes first: of one that the caller may not read nothing is told.
  const prepared = await prepareQuery(request, key, views, context)
  if ('lease' in prepared) prepared.lease.release()
  const names = presets.map((each) => each.name)
  const hint =
    names.length === 0 ? '; it has none' : didYouMean(name, names) || `; it has ${names.join(', ')}`
  throw new ServiceError('invalid_query', `preset: the table has no preset ${JSON.stringify(name)}${hint}`)
}

/** The table of the service itself that a JSON request names. Null: it names something else. */
function systemNamed(source: SourceName, catalogName: string): SystemRelation | null {
  const written = source.kind === 'name' ? readName(source.text) : null
  if (written === null || written.schema === null) return null
  const isHere = written.catalog === null || foldSqlName(written.catalog) === foldSqlName(catalogName)
  return isHere ? systemRelation(foldSqlName(written.schema), foldSqlName(written.name)) : null
}

/**
 * Prepares a JSON request over a table of the service itself, as a statement. The right of the caller is checked when it is bound, as
 * for every statement.
 */
async function prepareOverSystem(
  request: JsonRequest,
  relation: SystemRelation,
  key: string,
  context: QueryContext,
): Promise<PreparedQuery> {
  const prepared = await prepareRequest(request, rowsOfSystem(relation, context), key, context)
  return withReason(prepared, 'a table of the service itself')
}
