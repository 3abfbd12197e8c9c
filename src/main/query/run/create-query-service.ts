import type { CatalogSnapshot } from '../../catalog/catalog.ts'
import { answerQuery } from './answer.ts'
import { explainAnalyzedQuery, explainQuery, findAnswerColumns } from './explained.ts'
import { createFunctionList } from './looking/function-list.ts'
import { findColumnsOf, findFunctions, findMetrics, findSchema, findStructure } from './looking/look-ups.ts'
import { readableOf } from './looking/readable-views.ts'
import type { QueryServiceOptions } from './options.ts'
import { planAnew } from './plan-anew.ts'
import type { QueryService } from './service.ts'

export function createQueryService(options: QueryServiceOptions): QueryService {
  return {
    run: (query, caller, signal, snapshot) =>
      planAnew(() => answerQuery(withSnapshot(options, snapshot), query, caller, signal), signal),
    explain: (query, caller, signal) => explainQuery(options, query, caller, signal),
    explainAnalyze: (query, caller, signal) => explainAnalyzedQuery(options, query, caller, signal),
    answerColumns: (query, caller, signal, snapshot) =>
      findAnswerColumns(withSnapshot(options, snapshot), query, caller, signal),
    functions: createFunctionList((signal) => findFunctions(options, signal)),
    metrics: (id, caller) => findMetrics(options, id, caller),
    schema: (format, paths, caller, signal) => findSchema(options, format, paths, caller, signal),
    structure: (format, path, caller, signal) => findStructure(options, format, path, caller, signal),
    readableOf: (tables, caller, signal) => readableOf(options, tables, caller, signal),
    columnsOf: (table, caller, signal) => findColumnsOf(options, table, caller, signal),
  }
}

/** The same, with names as they are in another snapshot of the catalog. */
function withSnapshot(
  options: QueryServiceOptions,
  snapshot: CatalogSnapshot | undefined,
): QueryServiceOptions {
  return snapshot === undefined
    ? options
    : { ...options, catalog: { ...options.catalog, snapshot: () => snapshot } }
}
