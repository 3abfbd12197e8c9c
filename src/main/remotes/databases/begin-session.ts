import type { CopyFoot } from '../../../plan/copy/copy-file.ts'
import type { Field } from '../../../plan/types/schema.ts'
import type { Lanes } from '../lanes.ts'
import type { RemoteTable } from '../remote-client.ts'
import { MOST_CONNECTIONS } from '../remote-lanes.ts'
import type { WrittenRemoteTable } from '../remote-table-name.ts'
import type { Connecting } from './connecting.ts'
import type { IdleConnections, ReusableConnection } from './idle-connections.ts'

/** What is asked in a transaction of one state. One call runs at a time. Its calls reject as those of `RemoteClient` do. */
export interface DatabaseQueries {
  /** Null: the answer is no list. */
  tables(): Promise<readonly RemoteTable[] | null>
  /** The columns of a table that the login may read. Null: the answer is no list. */
  columns(table: WrittenRemoteTable): Promise<readonly Field[] | null>
  /** The rows of a statement with these fields, and where their blocks are. Leaving it early closes the connection. */
  rows(statement: string, fields: readonly Field[]): AsyncGenerator<Uint8Array, CopyFoot>
}

/** A connection in such a transaction. */
export interface DatabaseSession extends DatabaseQueries {
  /** Ends the transaction. Later statements may use the connection then. Never rejects. */
  end(): Promise<void>
}

/** What sessions of one kind of databases are begun with. */
export interface Beginning<C extends ReusableConnection> extends Connecting {
  readonly lanes: Lanes
  readonly idle: IdleConnections<C>
  /** Logs in. */
  connect(connecting: Connecting, signal: AbortSignal): Promise<C>
  /** Begins a transaction. */
  begin(connection: C): Promise<DatabaseQueries>
}

/**
 * Begins a transaction on a connection that an earlier statement of the same login has left, or on a new one. The server may have closed the
 * former meanwhile, so that whatever fails on it is tried again on a new one: nothing has come of it yet. `logsIn`: on a new one in any case.
 */
export async function beginSession<C extends ReusableConnection>(
  beginning: Beginning<C>,
  signal: AbortSignal,
  logsIn: boolean,
): Promise<DatabaseSession> {
  const { target, errors, lanes, idle, hosts, connect, begin } = beginning
  const { closings } = idle
  const sessionOn = async (connection: C): Promise<DatabaseSession> => ({
    ...(await begin(connection)),
    end: () => idle.keep(beginning, connection, closings),
  })
  hosts.require(target.host, target.port)
  const earlier = logsIn ? null : idle.take(target)
  if (earlier !== null) {
    earlier.use({ errors, signal })
    try {
      return await sessionOn(earlier)
    } catch {
      earlier.end()
      signal.throwIfAborted()
    }
  }
  // Places are those of connections that statements use. Idle ones have no more than these leave.
  idle.limit(target, MOST_CONNECTIONS - lanes.taken)
  const connection = await connect(beginning, signal)
  try {
    return await sessionOn(connection)
  } catch (error) {
    connection.end()
    throw error
  }
}
