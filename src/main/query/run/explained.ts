import type { Schema } from '../../../plan/types/schema.ts'
import type { Caller } from '../../auth/caller.ts'
import { prepareOutput, STREAM } from '../../output/outputs.ts'
import { type Explained, explain, explainAnalyzed } from '../explain/explain.ts'
import { measure } from './measure.ts'
import { outputSettings, type PreparedQuery, planAsRun, type QueryServiceOptions } from './options.ts'
import { beginRun, type Run } from './run.ts'
import type { ReceivedQuery } from './service.ts'

type Explain<T> = (
  options: QueryServiceOptions,
  query: ReceivedQuery,
  caller: Caller,
  signal: AbortSignal,
) => Promise<T>

/** The plan of a query, which is prepared and not run. */
export const explainQuery: Explain<Explained> = (options, query, caller, signal) =>
  explainPlan({ ...options, areSubqueriesRun: false }, query, caller, signal)

const explainPlan: Explain<Explained> = explainedBy(async (options, run, { plan }, query) => {
  const requested = query.request.output ?? STREAM
  const { file } = prepareOutput(requested, plan.output, outputSettings(options))
  run.end('explained')
  return explain(plan, run.notices, run.namedSources(), file)
})

/** The plan of a query with what was measured when it ran. */
export const explainAnalyzedQuery: Explain<Explained> = (options, query, caller, signal) =>
  explainAnalyzedRun({ ...options, isProfiled: true }, query, caller, signal)

const explainAnalyzedRun: Explain<Explained> = explainedBy(async (options, run, prepared) => {
  await measure(options, run, prepared)
  run.end('done')
  return explainAnalyzed(planAsRun(run.prepared()), run.figures, run.namedSources())
})

/** The columns of the answer to a query, which is prepared and not run. */
export const findAnswerColumns: Explain<Schema> = (options, query, caller, signal) =>
  findColumns({ ...options, areRowsRead: false, areSubqueriesRun: false }, query, caller, signal)

const findColumns: Explain<Schema> = explainedBy(async (_, run, { plan }) => {
  run.end('explained')
  return plan.output
})

/** Admits and prepares a query, and has it explained. `explained` ends the run unless it fails. */
function explainedBy<T>(
  explained: (
    options: QueryServiceOptions,
    run: Run,
    prepared: PreparedQuery,
    query: ReceivedQuery,
  ) => Promise<T>,
): Explain<T> {
  return async (options, query, caller, signal) => {
    const run = beginRun(options, query, caller, signal)
    try {
      return await explained(options, run, await run.prepare(), query)
    } catch (error) {
      throw run.fail(error)
    }
  }
}
