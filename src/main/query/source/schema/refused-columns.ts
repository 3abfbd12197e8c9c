import { type ErrorCode, isServiceError, ServiceError } from '../../../../plan/errors.ts'
import { foldSqlName } from '../../../../plan/statement/statement.ts'

/**
 * A column that files have and a table does not: their types do not merge, or it is in the contract's grid and not in the one that is read.
 * Queries that name it are refused, and so is `*`. Others run.
 */
export interface RefusedColumn {
  readonly name: string
  readonly code: ErrorCode
  readonly message: string
}

/** What may have refused columns. Absent: it has none. */
interface Refusing {
  readonly refused?: readonly RefusedColumn[]
}

export function refusedError({ code, message }: RefusedColumn, cause?: unknown): ServiceError {
  return new ServiceError(code, message, { cause, at: isServiceError(cause) ? cause.at : undefined })
}

/** Throws the error of a refused column, if there is one. It is called where all columns are wanted. */
export function requireNoneRefused({ refused = [] }: Refusing): void {
  const [first] = refused
  if (first !== undefined) throw refusedError(first)
}

/**
 * The error for a name that is no column, if it is a refused one. `isFolded`: letters of the name may be in the other case. Null: it is
 * about something else.
 */
export function refusedNamed(
  error: unknown,
  tables: readonly Refusing[],
  isFolded: boolean,
): ServiceError | null {
  const name = isServiceError(error) ? error.column : undefined
  if (name === undefined) return null
  const all = tables.flatMap(({ refused = [] }) => refused)
  const refusedColumn =
    all.find((each) => each.name === name) ??
    (isFolded ? all.find((each) => foldSqlName(each.name) === foldSqlName(name)) : undefined)
  return refusedColumn === undefined ? null : refusedError(refusedColumn, error)
}
