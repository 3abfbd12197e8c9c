import type { ServiceError } from '../../../plan/errors.ts'
import type { SourceRequest } from '../../../plan/statement/statement.ts'
import type { ValuesRequest } from '../../../plan/statement/values.ts'

/** Why DuckDB does not have a table or a view of a statement: it cannot be made yet, or not at all. */
export interface Unmade {
  /** What it names and the task does not have, by key. */
  readonly missing: ReadonlyMap<string, SourceRequest>
  readonly missingValues: ReadonlyMap<string, ValuesRequest>
  /** Null: it can be made when what is missing is there. */
  readonly error: ServiceError | null
}
