import type { Field, Schema } from '../../plan/types/schema.ts'
import type { WrittenRemoteTable } from './remote-table-name.ts'

/** How a connection to a database is encrypted, as libpq has it. Those that fall back silently are none of them. */
export type SslMode = 'disable' | 'require' | 'verify-ca' | 'verify-full'

/** Where another service, or a database, is. What the address of a database leaves out, its secret has. */
export type RemoteAddress = Readonly<{
  kind: 'service' | 'postgres' | 'mysql'
  /** A name or an IP address in lower case; one of IPv6 is without brackets. '': the secret has it. */
  host: string
  /** 0: the secret has it, or it is that of its kind. */
  port: number
  tls: boolean
  /** Of a service ''. '': the secret has it, or it has the name of the user. */
  database: string
  /** The prefix of all routes of a service: '' or `/a/b`. */
  basePath: string
  /** Who asks a database. Absent: the secret has it. */
  user?: string
  /** Absent: the secret has it, or it follows from the host. */
  sslMode?: SslMode
}>

/** What is said at each connection. It is never printed. */
export type RemoteLogin =
  | Readonly<{ user: string; password: string } | { token: string }>
  | DatabaseLogin
  | 'anonymous'

/** What a secret has of a database. */
export type DatabaseLogin = Readonly<{
  user?: string
  password?: string
  host?: string
  port?: number
  database?: string
  sslMode?: SslMode
}>

/** A table or a view as a remote lists it. */
export type RemoteTable = Readonly<{ schema: string; name: string; isView: boolean }>

/** The rows of a statement: columns of one table, or groups of its rows. */
export type RemoteShape = Readonly<{
  table: WrittenRemoteTable
  fields: readonly Field[]
  /** The columns of the table that the statement reads. Absent: the fields are these. */
  read?: readonly Field[]
}>

/** An answer that is passed on as it comes. */
export type RelayedAnswer = Readonly<{
  /** Where the rows are from, for messages. */
  relation: string
  /** The columns that it has. */
  output: Schema
}>

/** A record batch that was checked, as a message of an Arrow stream. */
export type RelayedBatch = Readonly<{
  rows: number
  /** Whether its body is compressed. */
  isCompressed: boolean
  bytes: ArrayBuffer
  /** The bytes of the message's metadata, with prefix and padding. */
  metadataBytes: number
}>

/** The messages of an answer as they come. Whoever takes them waits for the remote, and the remote for the reader. */
export type RelayedRows = Readonly<{
  /** The message of its columns, which may be others than those that were asked for. */
  schema: ArrayBuffer
  /** Rejects with `remote_refused` for what is no batch of the columns that were asked for. */
  batches: AsyncGenerator<RelayedBatch, void>
  /** Closes the connection, unless the answer has ended. To be called once nothing more is read; it may be called more than once. */
  close: () => void
}>

/**
 * Asks one remote. All methods reject with `remote_unavailable` and `remote_refused`, which name `host:port` and the reason to the
 * super-user, and with the reason of the signal as soon as it is aborted; the connection is closed then.
 */
export type RemoteClient = Readonly<{
  /** Asks once whether it can be read from, which takes 10 s at most. */
  check: (signal: AbortSignal) => Promise<void>
  /** The tables and views that the login may read, without the schemas of the system. */
  listTables: (signal: AbortSignal) => Promise<readonly RemoteTable[]>
  /** The columns of a table: bytes without rows, in the format of its answers. */
  columnsOf: (table: RemoteTable, signal: AbortSignal) => Promise<Uint8Array>
  /**
   * The rows of a query, in the format of its answers, as they come: bytes stay what they are until the next ones are asked for. Closing the generator ends the request. A database has to be told the
   * shape of the rows: `table_changed` if its columns are others.
   */
  rowsOf: (sql: string, signal: AbortSignal, shape?: RemoteShape) => AsyncGenerator<Uint8Array, void>
  /**
   * The rows of a statement that a service of this version makes as they would be made here. Null: it is of another one, has refused the statement,
   * or already relays as much as it may. Absent: of a database.
   */
  relay?: (sql: string, answer: RelayedAnswer, signal: AbortSignal) => Promise<RelayedRows | null>
  /** Whether it may relay: it has not answered yet, or has this version. Absent: of a database. */
  mayRelay?: () => boolean
  /** Nothing more is asked. A database has told the same state until now. */
  close: () => void
}>

/** On whose behalf a remote is asked. */
export type RemoteCaller = Readonly<{
  /** How many services the request has come through so far. */
  hops: number
  /** Whether errors tell where the remote is, and what it has said. */
  isSuperUser: boolean
}>
