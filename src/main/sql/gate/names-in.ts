import { isServiceError } from '../../../plan/errors.ts'
import type { KnownNames, TableName } from './check-names.ts'
import { readStatement } from './gate.ts'

/** Finds the names that stand where a table may stand in a query. A text that does not pass the gate has none. */
export function createNamesIn(names: KnownNames): (query: string) => readonly TableName[] {
  return (query) => {
    try {
      return readStatement(query, names).tables
    } catch (error) {
      if (isServiceError(error)) return []
      throw error
    }
  }
}
