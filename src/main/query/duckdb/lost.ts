import { isServiceError } from '../../../plan/errors.ts'

/** Whether an error says that a statement has lost its engine, so that it can begin again if no row of it has left. */
export function isLost(error: unknown): boolean {
  return isServiceError(error) && error.code === 'statement_lost'
}
