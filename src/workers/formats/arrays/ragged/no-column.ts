import { ServiceError } from '../../../../plan/errors.ts'

/** The error for a count variable or an index variable, which is asked for as a column. */
export function noColumn(name: string, path: string): ServiceError {
  return new ServiceError(
    'unknown_column',
    `"${name}" says in "${path}" which instance each observation belongs to, and is no column: the rows have the values of their instances.`,
  )
}
