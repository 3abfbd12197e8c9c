/**
 * All error codes with their HTTP statuses. A client gets the status if the error comes before the first byte of the answer. The
 * message is written where the error is thrown. It says what was wrong, where, and what to do.
 */
export const ERRORS = Object.freeze({
  /** The body is not one of the two request forms, or a member has the wrong shape. */
  invalid_query: 400,
  /** The request uses a part of the language that this version does not have. */
  not_supported: 400,
  sql_disabled: 400,
  /** The text is not a single query, or DuckDB does not accept it. */
  invalid_sql: 400,
  unknown_table: 400,
  /** The caller may not read a path or table. */
  permission_denied: 400,
  unknown_column: 400,
  /** A filter value cannot be compared with its column. */
  type_mismatch: 400,
  /** A path leads out of the dataset root, has a scheme, or names something that is no regular file. */
  invalid_path: 400,
  no_files: 400,
  /** A file cannot be read as its format: it is damaged, incomplete, encrypted, or has a feature that is not decoded. */
  unreadable_file: 400,
  /** A file was replaced, rewritten or removed after the query was planned. */
  file_changed: 400,
  schema_conflict: 400,
  /** The query, or one unit of it, needs more memory than it may use. */
  memory_limit: 400,
  /** A statement gave no row within the time limit. */
  time_limit: 400,
  /** The answer could not be written to the temporary folder. */
  output_failed: 400,
  /** An answer that is written to a file is larger than such a file may be. */
  output_too_large: 400,
  unknown_query: 404,
  invalid_query_id: 400,
  table_not_found: 404,
  /** The next five are found before a handler runs, and always answered as plain text (docs/reference/http.md). */
  malformed_body: 400,
  wrong_shape: 422,
  body_too_large: 413,
  unsupported_media_type: 415,
  invalid_parameter: 400,
  /** As many queries are open as the service admits. */
  overloaded: 503,
  /** A call for a path has not returned: its file system does not answer. */
  path_unavailable: 503,
  /** The temporary files of all answers have reached their limit, or their disk is nearly full. */
  no_space: 503,
  /** The worker that ran the query died. */
  worker_lost: 500,
  /** The worker in which the statement was open died because of another query. */
  statement_lost: 500,
  /** The client of a statement or of a finished file did not read for too long. It does not get this. */
  cursor_idle: 499,
  /** The client closed the connection, and does not get this. */
  cancelled: 499,
  internal: 500,
} as const)

export type ErrorCode = keyof typeof ERRORS

/** An error as plain data, to be sent to another thread. */
export interface ErrorData {
  readonly code: ErrorCode
  readonly message: string
}

/** An error with a code of the table. It is sent to other threads as `ErrorData`. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }

  get status(): number {
    return ERRORS[this.code]
  }
}

export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof ServiceError
}

/** Any thrown value as plain data. A value without a code is `internal`; its text is only for the log. */
export function toErrorData(error: unknown): ErrorData {
  if (isServiceError(error)) return { code: error.code, message: error.message }
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) }
}

export function fromErrorData(data: ErrorData): ServiceError {
  return new ServiceError(data.code, data.message)
}
