import { Agent as PlainAgent } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import { VERSION } from '../settings/version.ts'
import { createAllowedHosts } from './allowed-hosts.ts'
import { DATABASE_KINDS } from './databases/database-kinds.ts'
import { databaseTarget } from './databases/database-target.ts'
import type { RemoteAddress, RemoteCaller, RemoteClient, RemoteLogin } from './remote-client.ts'
import { createRemoteErrors } from './remote-errors.ts'
import { createRemoteLanes, MOST_CONNECTIONS } from './remote-lanes.ts'
import type { RemoteTimes } from './send-request.ts'
import { createRemoteVersions } from './services/remote-versions.ts'
import { createServiceClient } from './services/service-client.ts'
import { createWire, type WireOptions } from './wire/wire.ts'

/** The connections to all remotes. */
export interface Remotes {
  /** A client of a remote for one caller. Nothing is sent yet. */
  open(address: RemoteAddress, login: RemoteLogin, caller: RemoteCaller): RemoteClient
  /** Closes the connections that no query uses, wherever they lead. Those to databases that queries use are closed after these. */
  closeUnused(): void
  close(): Promise<void>
}

export interface RemotesOptions {
  /** The hosts that may be asked; see `createAllowedHosts`. */
  readonly remoteHosts: readonly string[]
  readonly times?: RemoteTimes
  /** As in `WireOptions`. Default: a minute. */
  readonly idleMs?: number
  /** As in `WireData`. Default: five seconds. */
  readonly reuseMs?: number
  readonly log?: WireOptions['log']
  /** The version that this service tells others. Absent: that of this build. */
  readonly version?: string
}

/** How long an unused connection to a service stays open, and the thread that asks databases. Milliseconds. */
const IDLE_MS = 60_000

/** How long a connection to a database waits for another statement of the same login. Servers have few of them. Milliseconds. */
const REUSE_MS = 5_000

const TIMES: RemoteTimes = Object.freeze({ connectMs: 5_000, silenceMs: 60_000 })

export function createRemotes({
  remoteHosts,
  times = TIMES,
  idleMs = IDLE_MS,
  reuseMs = REUSE_MS,
  log = { warn: () => {} },
  version = VERSION,
}: RemotesOptions): Remotes {
  const hosts = createAllowedHosts(remoteHosts)
  const keeping = { keepAlive: true, maxSockets: MOST_CONNECTIONS, timeout: IDLE_MS }
  const agents = { plain: new PlainAgent(keeping), tls: new TlsAgent(keeping) }
  const lanesTo = createRemoteLanes()
  const wire = createWire({ remoteHosts, times, reuseMs, idleMs, log })
  const versions = createRemoteVersions(version)

  return {
    open(address, login, caller) {
      if (address.kind !== 'service') {
        const target = databaseTarget(address, login, DATABASE_KINDS[address.kind])
        return wire.open(address.kind, target, caller)
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
    closeUnused() {
      for (const { freeSockets } of [agents.plain, agents.tls])
        for (const socket of Object.values(freeSockets).flat()) socket?.destroy()
      wire.closeUnused()
    },
    close() {
      agents.plain.destroy()
      agents.tls.destroy()
      return wire.close()
    },
  }
}
