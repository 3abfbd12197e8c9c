/**
 * The one table of errors. `status` is the HTTP status wherever the error reaches a client before the first byte;
 * the message is written where the error is thrown and says what was wrong, where, and what to do.
 */
export const ERRORS = Object.freeze({
  /** The body is not one of the two request forms, or a member has the wrong shape. */
  invalid_query: 400,
  /** Part of the language that this version does not run. */
  not_supported: 400,
  sql_disabled: 400,
  /** Not one statement that queries, or one that DuckDB does not accept. */
  invalid_sql: 400,
  unknown_table: 400,
  /** A path or table that the caller may not read. */
  permission_denied: 400,
  unknown_column: 400,
  /** A filter value cannot be compared with its column. */
  type_mismatch: 400,
  /** A path that leaves the dataset root, has a scheme, or names what is no regular file. */
  invalid_path: 400,
  no_files: 400,
  /** Not readable as its format: damaged, cut short, encrypted, or using what this version does not decode. */
  unreadable_file: 400,
  /** Replaced, rewritten or removed between plan and read. */
  file_changed: 400,
  schema_conflict: 400,
  /** The query, or one unit of it, does not fit into the memory that it may use. */
  memory_limit: 400,
  /** A statement kept a worker for as long as it may without giving a row. */
  time_limit: 400,
  /** The result could not be written to the temporary folder. */
  output_failed: 400,
  /** An answer that is written to a file has more bytes than such a file may have. */
  output_too_large: 400,
  unknown_query: 404,
  invalid_query_id: 400,
  table_not_found: 404,
  /** The five that are found before a handler runs (docs/reference/http.md): always plain text. */
  malformed_body: 400,
  wrong_shape: 422,
  body_too_large: 413,
  unsupported_media_type: 415,
  invalid_parameter: 400,
  /** More queries are waiting than the service admits. */
  overloaded: 503,
  /** A call for a path has not returned: its file system does not answer. */
  path_unavailable: 503,
  /** The files of all answers take what they may, or the disk that they are on is nearly full. */
  no_space: 503,
  /** The worker that ran the query died. */
  worker_lost: 500,
  /** Another query has cost the worker in which the statement was open. */
  statement_lost: 500,
  /** A statement, or a finished file, whose client did not read for too long; nobody reads this. */
  cursor_idle: 499,
  /** The client left; nobody reads this. */
  cancelled: 499,
  internal: 500,
} as const)

export type ErrorCode = keyof typeof ERRORS

/** An error as plain data, to cross a thread. */
export interface ErrorData {
  readonly code: ErrorCode
  readonly message: string
}

/** An error with a code of the table. Thrown inside a thread; crosses threads as `ErrorData`. */
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

/** The wire form of any thrown value; what has no code is `internal` and keeps its text for the log only. */
export function toErrorData(error: unknown): ErrorData {
  if (isServiceError(error)) return { code: error.code, message: error.message }
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) }
}

export function fromErrorData(data: ErrorData): ServiceError {
  return new ServiceError(data.code, data.message)
}
