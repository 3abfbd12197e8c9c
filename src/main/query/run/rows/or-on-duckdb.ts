import { isServiceError } from '../../../../plan/errors.ts'
import type { Part } from '../../../../plan/task/part.ts'
import { sameType } from '../../../../plan/types/schema.ts'
import { isFailureOfValue } from '../../plan/fails-in-vain.ts'
import type { PreparedQuery } from '../options.ts'

/** Why DuckDB runs a statement after the core, as EXPLAIN ANALYZE prints it. */
const WHY = 'a value that does not fit, in a group that the answer may not have'

type Parts = AsyncGenerator<Part, void, undefined>

/**
 * The rows of a plan of the core that may fail for a value that the answer does not have. If it fails for one, before it has rows, DuckDB runs the
 * statement. If that fails too, or makes other columns, the error of the core counts, since it tells where the value is.
 */
export async function* orOnDuckDb(
  prepared: PreparedQuery,
  prepareOnDuckDb: (why: string) => Promise<PreparedQuery | null>,
  rowsOf: (prepared: PreparedQuery) => Parts,
): Parts {
  const { first, rows } = await begin(rowsOf(prepared)).catch(async (failure: unknown) => {
    if (!isServiceError(failure) || !isFailureOfValue(failure)) throw failure
    try {
      const onDuckDb = await prepareOnDuckDb(WHY)
      if (onDuckDb === null || !haveSameColumns(prepared, onDuckDb)) throw failure
      return await begin(rowsOf(onDuckDb))
    } catch (error) {
      throw isServiceError(error) && error.code === 'cancelled' ? error : failure
    }
  })
  if (first.done === true) return
  yield first.value
  yield* rows
}

async function begin(
  rows: Parts,
): Promise<{ readonly first: IteratorResult<Part, void>; readonly rows: Parts }> {
  return { first: await rows.next(), rows }
}

function haveSameColumns(a: PreparedQuery, b: PreparedQuery): boolean {
  const [fields, others] = [a.plan.output.fields, b.plan.output.fields]
  return (
    fields.length === others.length &&
    fields.every(({ name, type }, index) => {
      const other = others[index]
      return other !== undefined && other.name === name && sameType(other.type, type)
    })
  )
}
