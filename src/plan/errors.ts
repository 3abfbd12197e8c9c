/** What an error means for its request. */
export interface ErrorKind {
  /** The HTTP status, if the error comes before the first byte of the answer. */
  readonly status: number
  /** Found before the handler of a route runs. Answered as a JSON string on every route (docs/reference/http.md). */
  readonly isBeforeHandler?: true
  /** About one run of a query: another run of the same query may not have it. */
  readonly isOfRun?: true
  /** `Retry-After` in seconds. A query ends soon. Disk space is freed when a file has been sent, and a hung server takes longer. */
  readonly retrySecs?: number
}

/**
 * All error codes. The message is written where the error is thrown. It says what was wrong, where, and what to do.
 */
export const ERRORS = Object.freeze({
  /** The body is not one of the two request forms, or a member has the wrong shape. */
  invalid_query: { status: 400 },
  /** The request uses a part of the language that this version does not have. */
  not_supported: { status: 400 },
  sql_disabled: { status: 400 },
  /** The text is not a single query, or DuckDB does not accept it. */
  invalid_sql: { status: 400 },
  unknown_table: { status: 400 },
  /** A statement creates a table or view under a name that another one has. */
  table_exists: { status: 400 },
  /** A statement creates a user or a role under a name that another one has. */
  account_exists: { status: 400 },
  /** There is no user or no role of this name. */
  unknown_account: { status: 400 },
  /** There is no secret of this name. */
  unknown_secret: { status: 400 },
  /** The values of a secret cannot be decrypted. */
  unreadable_secret: { status: 400 },
  /** A secret is to be stored, and there is no key to encrypt it. */
  no_secrets_key: { status: 400 },
  /** There is no crawler of this name, or it was dropped or replaced while it ran. */
  unknown_crawler: { status: 400 },
  /** A table was replaced or dropped while a statement read its files. */
  table_changed: { status: 400, isOfRun: true },
  /** The caller may not read a path or a table, or may not run a statement. */
  permission_denied: { status: 400 },
  unknown_column: { status: 400 },
  /** A filter value cannot be compared with its column. */
  type_mismatch: { status: 400 },
  /** A path leads out of the dataset root, has a scheme, or names something that is no regular file. */
  invalid_path: { status: 400 },
  no_files: { status: 400 },
  /** A file cannot be read as its format: it is damaged, incomplete, encrypted, or has a feature that is not decoded. */
  unreadable_file: { status: 400 },
  /** A file was replaced, rewritten or removed after the query was planned. */
  file_changed: { status: 400 },
  schema_conflict: { status: 400 },
  /** The query, or one unit of it, needs more memory than it may use. */
  memory_limit: { status: 400 },
  /** A statement has worked for as long as it may, or could not be planned in time. */
  time_limit: { status: 400 },
  /** The answer could not be written to the temporary folder. */
  output_failed: { status: 400, isOfRun: true },
  /** The disk of the temporary files is full, or nearly: waiting does not help, asking for a stream does. */
  disk_full: { status: 400, isOfRun: true },
  /** An answer that is written to a file is larger than such a file may be. */
  output_too_large: { status: 400 },
  /** The SHA-256 of a body is not the one that its client has sent. */
  digest_mismatch: { status: 400 },
  /** The dataset root is read-only, or the service's user may not write to it. */
  not_writable: { status: 400 },
  /** A `Range` header asks for bytes that the answer does not have. */
  range_not_satisfiable: { status: 416 },
  unknown_query: { status: 404 },
  invalid_query_id: { status: 400 },
  table_not_found: { status: 404 },
  file_not_found: { status: 404 },
  /** No crawler has the name in the path. */
  crawler_not_found: { status: 404 },
  /** No upload in parts has the id, or it is over. */
  unknown_upload: { status: 404 },
  /** There is a file where one is to be brought in. */
  file_exists: { status: 409 },
  /** A table or a view names the file that is to be deleted. */
  file_in_use: { status: 409 },
  /** Another upload has the path, or the part is not the next one. */
  upload_conflict: { status: 409 },
  upload_too_large: { status: 413 },
  /** No route has the path. */
  unknown_route: { status: 404, isBeforeHandler: true },
  method_not_allowed: { status: 405, isBeforeHandler: true },
  /** A page of this origin may not send the request. */
  origin_refused: { status: 403, isBeforeHandler: true },
  /** The bytes are not an HTTP request, or its path cannot be decoded. */
  malformed_request: { status: 400, isBeforeHandler: true },
  malformed_body: { status: 400, isBeforeHandler: true },
  wrong_shape: { status: 422, isBeforeHandler: true },
  body_too_large: { status: 413, isBeforeHandler: true },
  unsupported_media_type: { status: 415, isBeforeHandler: true },
  invalid_parameter: { status: 400, isBeforeHandler: true },
  /** The request line and the headers are larger than Node.js reads. */
  headers_too_large: { status: 431, isBeforeHandler: true },
  /** The request did not arrive whole in time. */
  request_timeout: { status: 408, isBeforeHandler: true },
  /** As many queries are open, or as many passwords wait to be hashed, as the service admits. */
  overloaded: { status: 503, isOfRun: true, retrySecs: 1 },
  /** A call for a path has not returned: its file system does not answer. */
  path_unavailable: { status: 503, isOfRun: true, retrySecs: 10 },
  /** Another service, or a database, does not answer: it cannot be reached, it is silent, or it has broken off. */
  remote_unavailable: { status: 503, isOfRun: true, retrySecs: 10 },
  /** Another service, or a database, has refused what was asked of it, or has answered in a form that is none of its kind. */
  remote_refused: { status: 400, isOfRun: true },
  /** A request has gone from service to service too often: tables may name each other in a circle. */
  too_many_hops: { status: 400, isOfRun: true },
  /** The temporary files of all answers have reached their limit, which is over in a moment, or the disk of the catalog is full. */
  no_space: { status: 503, isOfRun: true, retrySecs: 10 },
  /** The disk of the dataset root is full, or nearly. */
  volume_full: { status: 507 },
  /** A system call has failed while a file was brought in. */
  upload_failed: { status: 500 },
  /** A statement could not be stored, so that nothing has changed. The message says why. */
  catalog_unwritable: { status: 500 },
  /** The worker that ran the query died. */
  worker_lost: { status: 500, isOfRun: true },
  /** The engine in which a statement was open has ended, or goes on with another one, and the statement cannot begin again. */
  statement_lost: { status: 500, isOfRun: true },
  /** The client of a statement or of a finished file did not read for too long. It does not get this. */
  cursor_idle: { status: 499, isOfRun: true },
  /** The client closed the connection, and does not get this. */
  cancelled: { status: 499, isOfRun: true },
  internal: { status: 500, isOfRun: true },
} as const satisfies Readonly<Record<string, ErrorKind>>)

export type ErrorCode = keyof typeof ERRORS

/** An array of a file that is no column, because the grid of the rows lacks one of its dimensions. */
export interface LeftOutArray {
  readonly name: string
  readonly dimensions: readonly string[]
}

/** An error as plain data, to be sent to another thread. */
export interface ErrorData {
  readonly code: ErrorCode
  readonly message: string
  /** Where it is in the text of the statement, in UTF-16 units. Absent: not known, or it is about something else. */
  readonly at?: number | undefined
  /** The name that is no column, as the request writes it. Absent: it is about something else. */
  readonly column?: string | undefined
  /** The array that a query names and the rows of a file leave out. Absent: it is about something else. */
  readonly leftOut?: LeftOutArray | undefined
  /** The names of functions, one of which does not take the types of its arguments. Absent: it is about something else. */
  readonly refused?: readonly string[] | undefined
}

export interface ServiceErrorOptions
  extends ErrorOptions,
    Pick<ErrorData, 'at' | 'column' | 'leftOut' | 'refused'> {
  /** The table or the path that it is about, as the request writes it: a place in the statement is found by it. */
  readonly about?: string | undefined
  /** Whether the message has no text of the request, so that it may be about one with a password. */
  readonly quotesNothing?: boolean
}

/** An error with a code of the table. It is sent to other threads as `ErrorData`. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  /** As in `ErrorData`. */
  readonly at: number | undefined
  /** As in `ErrorData`. */
  readonly column: string | undefined
  /** As in `ErrorData`. */
  readonly leftOut: LeftOutArray | undefined
  /** As in `ErrorData`. */
  readonly refused: readonly string[] | undefined
  /** As in `ServiceErrorOptions`. */
  readonly about: string | undefined
  /** As in `ServiceErrorOptions`. */
  readonly quotesNothing: boolean

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, options)
    this.code = code
    this.at = options.at
    this.column = options.column
    this.leftOut = options.leftOut
    this.refused = options.refused
    this.about = options.about
    this.quotesNothing = options.quotesNothing ?? false
  }

  get kind(): ErrorKind {
    return ERRORS[this.code]
  }

  get status(): number {
    return this.kind.status
  }
}

export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof ServiceError
}

/** Any thrown value as plain data. A value without a code is `internal`; its text is only for the log. */
export function toErrorData(error: unknown): ErrorData {
  if (isServiceError(error)) {
    const { code, message, at, column, leftOut, refused } = error
    return {
      code,
      message,
      ...(at !== undefined && { at }),
      ...(column !== undefined && { column }),
      ...(leftOut !== undefined && { leftOut }),
      ...(refused !== undefined && { refused }),
    }
  }
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) }
}

export function fromErrorData(data: ErrorData): ServiceError {
  return new ServiceError(data.code, data.message, data)
}
