import type { Caller } from '../../auth/caller.ts'
import { type Explained, explain, explainAnalyzed } from '../explain/explain.ts'
import { measure } from './measure.ts'
import type { QueryServiceOptions } from './options.ts'
import type { PreparedQuery } from './prepare.ts'
import { beginRun, type Run } from './run.ts'
import type { ReceivedQuery } from './service.ts'

type Explain = (
  options: QueryServiceOptions,
  query: ReceivedQuery,
  caller: Caller,
  signal: AbortSignal,
) => Promise<Explained>

/** The plan of a query, which is prepared and not run. */
export const explainQuery: Explain = explainedBy(async (_, run, { plan }) => {
  run.end('explained')
  return explain(plan, run.notices)
})

/** The plan of a query with what was measured when it ran. */
export const explainAnalyzedQuery: Explain = explainedBy(async (options, run, prepared) => {
  await measure(options, run, prepared)
  run.end('done')
  return explainAnalyzed(prepared.plan, run.figures)
})

/** Admits and prepares a query, and has it explained. `explained` ends the run unless it fails. */
function explainedBy(
  explained: (options: QueryServiceOptions, run: Run, prepared: PreparedQuery) => Promise<Explained>,
): Explain {
  return async (options, query, caller, signal) => {
    const run = beginRun(options, query, caller, signal)
    try {
      return await explained(options, run, await run.prepare())
    } catch (error) {
      throw run.fail(error)
    }
  }
}
