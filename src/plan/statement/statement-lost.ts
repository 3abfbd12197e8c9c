import { ServiceError } from '../errors.ts'

/** The error of a statement whose engine does not have it any more. As long as no row has left, it can begin again in another. */
export function statementLost(): ServiceError {
  return new ServiceError('statement_lost', 'The engine that ran the statement has lost it; ask again.')
}
