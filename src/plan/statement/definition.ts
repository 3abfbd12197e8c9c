import { ServiceError } from '../errors.ts'

/** What a name in a statement may mean, in the form in which an engine makes it: as a view of DuckDB. */
export interface NamedDefinition {
  readonly name: string
  /** Changes with all that the name means, all below a view included. */
  readonly digest: string
  /** The text of a view's query, which has passed the gate. Null: a table, whose rows are those of the source of its name. */
  readonly query: string | null
}

/** An error in a view. It has no place: the text of the view is not what the user has written. */
export function errorInView(view: string, error: ServiceError): ServiceError {
  return new ServiceError(error.code, `The view ${JSON.stringify(view)} cannot be read: ${error.message}`, {
    cause: error,
    column: error.column,
  })
}
