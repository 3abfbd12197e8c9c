import { printEndpoint, type RemoteErrors } from '../remote-errors.ts'
import type { Connecting } from './connecting.ts'
import type { DatabaseTarget } from './database-target.ts'

/** For which statement a connection is used: its errors, and the signal that ends it. */
export interface Using {
  readonly errors: RemoteErrors
  readonly signal: AbortSignal
}

/** A connection that several statements use one after the other. */
export interface ReusableConnection {
  /** From now on it is used for another statement. */
  use(using: Using): void
  /** Gives up the transaction, and forgets what was set. Rejects where the connection cannot be used again. */
  reset(): Promise<void>
  /** Says goodbye, and closes it. */
  end(): void
  /** Whether it has been closed, by either side. */
  readonly isClosed: boolean
}

/** Connections of no statement, by the login that they were made with: another password has connections of its own. */
export interface IdleConnections<C extends ReusableConnection> {
  /** A connection of the same login. Null: there is none. */
  take(target: DatabaseTarget): C | null
  /** How often all were closed. */
  readonly closings: number
  /**
   * Keeps the connection of a statement that has ended, if it can be used again, and if none were closed since there were so many `closings`. Never
   * rejects.
   */
  keep(connecting: Connecting, connection: C, closings: number): Promise<void>
  /** Closes the oldest connections to the same host and port, whoever has logged in, until no more than so many are left. */
  limit(target: DatabaseTarget, most: number): void
  /** Closes all of them. Those that statements use are closed after these. */
  closeAll(): void
  /** Keeps none any more. */
  close(): void
}

interface Idle<C> {
  readonly connection: C
  readonly key: string
  readonly endpoint: string
  readonly timer: NodeJS.Timeout
}

/** @param idleMs A connection is closed when nobody has taken it for so long. */
export function createIdleConnections<C extends ReusableConnection>(idleMs: number): IdleConnections<C> {
  /** The oldest first. */
  const idle = new Set<Idle<C>>()
  /** Those whose transaction ends. */
  const ending = new Set<C>()
  let isClosed = false
  let closings = 0

  function remove(each: Idle<C>): C {
    idle.delete(each)
    clearTimeout(each.timer)
    return each.connection
  }

  function closeAll(): void {
    closings++
    for (const each of idle) remove(each).end()
  }

  return {
    closeAll,
    get closings() {
      return closings
    },
    take(target) {
      const key = keyOf(target)
      // The newest is the least likely to have been closed by the server.
      for (const each of [...idle].reverse()) {
        if (each.key !== key) continue
        const connection = remove(each)
        if (!connection.isClosed) return connection
      }
      return null
    },
    async keep({ target, times, errors }, connection, since) {
      if (connection.isClosed) return
      if (isClosed || idleMs === 0 || since < closings) {
        connection.end()
        return
      }
      connection.use({ errors, signal: AbortSignal.timeout(times.connectMs) })
      ending.add(connection)
      try {
        await connection.reset()
      } catch {
        connection.end()
      } finally {
        ending.delete(connection)
      }
      if (connection.isClosed) return
      if (since < closings) {
        connection.end()
        return
      }
      const each: Idle<C> = {
        connection,
        key: keyOf(target),
        endpoint: endpointOf(target),
        timer: setTimeout(() => remove(each).end(), idleMs).unref(),
      }
      idle.add(each)
    },
    limit(target, most) {
      const endpoint = endpointOf(target)
      const there = [...idle].filter((each) => each.endpoint === endpoint)
      for (const each of there.slice(0, Math.max(0, there.length - most))) remove(each).end()
    },
    close() {
      isClosed = true
      for (const connection of ending) connection.end()
      closeAll()
    },
  }
}

function keyOf({ host, port, database, user, password, sslMode }: DatabaseTarget): string {
  return JSON.stringify([host, port, database, user, password, sslMode])
}

function endpointOf({ host, port }: DatabaseTarget): string {
  return printEndpoint(host, port)
}
