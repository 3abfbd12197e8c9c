import type { Caller } from '../../auth/caller.ts'
import { explain, explainAnalyzed } from '../explain/explain.ts'
import { measure } from './measure.ts'
import type { QueryServiceOptions } from './options.ts'
import { beginRun } from './run.ts'
import type { ReceivedQuery } from './service.ts'

/** The plan of a query, which is prepared and not run. */
export async function explainQuery(
  options: QueryServiceOptions,
  query: ReceivedQuery,
  caller: Caller,
  signal: AbortSignal,
): Promise<unknown> {
  const run = beginRun(options, query, caller, signal)
  try {
    const { plan } = await run.prepare()
    run.end('explained')
    return explain(plan, run.notices)
  } catch (error) {
    throw run.fail(error)
  }
}

/** The plan of a query with what was measured when it ran. */
export async function explainAnalyzedQuery(
  options: QueryServiceOptions,
  query: ReceivedQuery,
  caller: Caller,
  signal: AbortSignal,
): Promise<unknown> {
  const run = beginRun(options, query, caller, signal)
  try {
    const prepared = await run.prepare()
    await measure(options, run, prepared)
    run.end('done')
    return explainAnalyzed(prepared.plan, run.figures)
  } catch (error) {
    throw run.fail(error)
  }
}
