import { answerQuery } from './answer.ts'
import { explainAnalyzedQuery, explainQuery } from './explained.ts'
import { findMetrics, findSchema } from './look-ups.ts'
import type { QueryServiceOptions } from './options.ts'
import type { QueryService } from './service.ts'

export function createQueryService(options: QueryServiceOptions): QueryService {
  return {
    run: (query, caller, signal) => answerQuery(options, query, caller, signal),
    explain: (query, caller, signal) => explainQuery(options, query, caller, signal),
    explainAnalyze: (query, caller, signal) => explainAnalyzedQuery(options, query, caller, signal),
    metrics: (id, caller) => findMetrics(options, id, caller),
    schema: (format, paths, caller, signal) => findSchema(options, format, paths, caller, signal),
  }
}
