import { isServiceError, ServiceError, toErrorData } from '../../../plan/errors.ts'
import { placeIn } from '../../../plan/place.ts'
import { positionInRequest, type Statement } from '../../sql/gate/gate.ts'
import { isSign, type Token, wordOf } from '../../sql/text/tokens.ts'

/** The error itself if it has a code, else an `internal` one with the error as its cause. */
export function toServiceError(error: unknown): ServiceError {
  if (isServiceError(error)) return error
  return new ServiceError('internal', toErrorData(error).message, { cause: error })
}

/**
 * `toServiceError`, with line and column if it is known where in the statement the error is. `sql` is the request from which the
 * statement was read. A JSON request has no such place, though DuckDB may run a statement for it.
 */
export function locatedError(error: unknown, sql: string, statement: Statement): ServiceError {
  const serviceError = toServiceError(error)
  const { code, message, at, about } = serviceError
  const position = at ?? (about === undefined ? undefined : positionOf(statement, about))
  if (position === undefined) return serviceError
  const place = placeIn(sql, positionInRequest(sql, statement, position))
  return new ServiceError(code, `sql, ${place}: ${message}`, { cause: serviceError })
}

/** The error without line and column, which are of no use where nobody has sent the statement. */
export function withoutPlace(error: unknown): unknown {
  if (!isServiceError(error)) return error
  return new ServiceError(error.code, error.message.replace(/^sql, line \d+, column \d+: /, ''), {
    cause: error,
  })
}

/** Where a statement names a table or a path. Undefined: it makes the name from parts. */
function positionOf({ tokens }: Statement, name: string): number | undefined {
  const path = `'${name.replaceAll("'", "''")}'`
  return tokens.find(({ kind, text }, index) => {
    if (kind === 'string') return text === path
    return ['FROM', 'JOIN'].includes(wordOf(tokens[index - 1]) ?? '') && pathAt(tokens, index) === name
  })?.start
}

/** The name at an index, with those that dots join to it. */
function pathAt(tokens: readonly Token[], index: number): string {
  let end = index + 1
  while (isSign(tokens[end], '.')) end += 2
  return tokens
    .slice(index, end)
    .map(({ text }) => text)
    .join('')
}
