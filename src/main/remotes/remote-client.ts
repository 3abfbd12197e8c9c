/** Where another service, or a database, is. Text that a user has written has become it by `readRemoteUrl`. */
export type RemoteAddress = Readonly<{
  kind: 'service' | 'postgres' | 'mysql'
  /** A name or an IP address in lower case; one of IPv6 is without brackets. */
  host: string
  port: number
  tls: boolean
  /** Of a service ''. */
  database: string
  /** The prefix of all routes of a service: '' or `/a/b`. */
  basePath: string
}>

/** What is said at each connection. It is never printed. */
export type RemoteLogin = Readonly<{ user: string; password: string } | { token: string }> | 'anonymous'

/** A table or a view as a remote lists it. */
export type RemoteTable = Readonly<{ schema: string; name: string; isView: boolean }>

/**
 * Asks one remote. All methods reject with `remote_unavailable` and `remote_refused`, which name `host:port` and the reason to the
 * super-user, and with the reason of the signal as soon as it is aborted; the connection is closed then.
 */
export type RemoteClient = Readonly<{
  /** Asks once whether it can be read from, which takes 10 s at most. */
  check: (signal: AbortSignal) => Promise<void>
  /** The tables and views that the login may read, without the schemas of the system. */
  listTables: (signal: AbortSignal) => Promise<readonly RemoteTable[]>
  /** The columns of a table: the bytes of an Arrow IPC stream without rows. */
  columnsOf: (table: RemoteTable, signal: AbortSignal) => Promise<Uint8Array>
  /** The rows of a query: the bytes of an Arrow IPC stream as they come. Closing the generator ends the request. */
  rowsOf: (sql: string, signal: AbortSignal) => AsyncGenerator<Uint8Array, void>
}>

/** On whose behalf a remote is asked. */
export type RemoteCaller = Readonly<{
  /** How many services the request has come through so far. */
  hops: number
  /** Whether errors tell where the remote is, and what it has said. */
  isSuperUser: boolean
}>
