import type { Lanes } from '../lanes.ts'
import { MOST_CONNECTIONS } from '../remote-lanes.ts'
import type { Connecting } from './connecting.ts'
import type { IdleConnections, ReusableConnection } from './idle-connections.ts'

/** What sessions of one kind of databases are begun with. */
interface Beginning<C extends ReusableConnection> extends Connecting {
  readonly lanes: Pick<Lanes, 'taken'>
  readonly idle: IdleConnections<C>
}

/**
 * Begins a transaction on a connection that an earlier statement of the same login has left, or on a new one. The server may have closed the
 * former meanwhile, so that whatever fails on it is tried again on a new one: nothing has come of it yet. `logsIn`: on a new one in any case.
 */
export async function beginSession<C extends ReusableConnection, S>(
  { target, errors, lanes, idle, hosts }: Beginning<C>,
  connect: (signal: AbortSignal) => Promise<C>,
  begin: (connection: C) => Promise<S>,
  signal: AbortSignal,
  logsIn: boolean,
): Promise<S> {
  hosts.require(target.host, target.port)
  const earlier = logsIn ? null : idle.take(target)
  if (earlier !== null) {
    earlier.use({ errors, signal })
    try {
      return await begin(earlier)
    } catch {
      earlier.end()
      signal.throwIfAborted()
    }
  }
  // Places are those of connections that statements use. Idle ones have no more than these leave.
  idle.limit(target, MOST_CONNECTIONS - lanes.taken)
  const connection = await connect(signal)
  try {
    return await begin(connection)
  } catch (error) {
    connection.end()
    throw error
  }
}
