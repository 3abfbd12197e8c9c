import { Agent as PlainAgent } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import { ServiceError } from '../../plan/errors.ts'
import { VERSION } from '../settings/version.ts'
import { createAllowedHosts } from './allowed-hosts.ts'
import { DATABASE_KINDS } from './databases/database-kinds.ts'
import { databaseTarget } from './databases/database-target.ts'
import { createLanes, type Lanes } from './lanes.ts'
import { createMysqlClient } from './mysql/mysql-client.ts'
import { createPostgresClient } from './postgres/postgres-client.ts'
import type { RemoteAddress, RemoteCaller, RemoteClient, RemoteLogin } from './remote-client.ts'
import { createRemoteErrors, printEndpoint } from './remote-errors.ts'
import type { RemoteTimes } from './send-request.ts'
import { createRemoteVersions } from './services/remote-versions.ts'
import { createServiceClient } from './services/service-client.ts'

/** The connections to all remotes. */
export interface Remotes {
  /** A client of a remote for one caller. Nothing is sent yet. */
  open(address: RemoteAddress, login: RemoteLogin, caller: RemoteCaller): RemoteClient
  close(): void
}

export interface RemotesOptions {
  /** The hosts that may be asked; see `createAllowedHosts`. */
  readonly remoteHosts: readonly string[]
  readonly times?: RemoteTimes
  /** The version that this service tells others. Absent: that of this build. */
  readonly version?: string
}

/** The most connections to one remote. */
const MOST_CONNECTIONS = 8

/** The most requests that wait for one of them, and how long they do. */
const MOST_WAITING = 256
const WAIT_MS = 60_000

/** How long an unused connection stays open. Milliseconds. */
const IDLE_MS = 60_000

const TIMES: RemoteTimes = Object.freeze({ connectMs: 5_000, silenceMs: 60_000 })

export function createRemotes({ remoteHosts, times = TIMES, version = VERSION }: RemotesOptions): Remotes {
  const hosts = createAllowedHosts(remoteHosts)
  const keeping = { keepAlive: true, maxSockets: MOST_CONNECTIONS, timeout: IDLE_MS }
  const agents = { plain: new PlainAgent(keeping), tls: new TlsAgent(keeping) }
  const lanesOf = new Map<string, Lanes>()
  const versions = createRemoteVersions(version)

  function lanesTo({ host, port }: Pick<RemoteAddress, 'host' | 'port'>): Lanes {
    const key = printEndpoint(host, port)
    const lanes = lanesOf.get(key) ?? createLanes(MOST_CONNECTIONS, MOST_WAITING, WAIT_MS, tooMany)
    // Those of remotes that nobody asks any more are not kept.
    for (const [other, { isIdle }] of lanesOf) if (isIdle && other !== key) lanesOf.delete(other)
    lanesOf.set(key, lanes)
    return lanes
  }

  return {
    open(address, login, caller) {
      if (address.kind !== 'service') {
        const target = databaseTarget(address, login, DATABASE_KINDS[address.kind])
        const errors = createRemoteErrors(target, { user: target.user, password: target.password }, caller)
        const createClient = address.kind === 'postgres' ? createPostgresClient : createMysqlClient
        return createClient({ target, hosts, times, errors, lanes: lanesTo(target) })
      }
      const errors = createRemoteErrors(address, login, caller)
      return createServiceClient({
        address,
        login,
        caller,
        errors,
        agents,
        hosts,
        times,
        lanes: lanesTo(address),
        versions,
      })
    },
    close() {
      agents.plain.destroy()
      agents.tls.destroy()
    },
  }
}

function tooMany(): ServiceError {
  return new ServiceError(
    'remote_unavailable',
    `Too many requests wait for one of the ${MOST_CONNECTIONS} connections to another service; try again in a moment.`,
  )
}
