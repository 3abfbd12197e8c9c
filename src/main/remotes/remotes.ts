import { VERSION } from '../settings/version.ts'
import { DATABASE_KINDS } from './databases/database-kinds.ts'
import { databaseTarget } from './databases/database-target.ts'
import type { RemoteAddress, RemoteCaller, RemoteClient, RemoteLogin } from './remote-client.ts'
import type { RemoteTimes } from './send-request.ts'
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

/** How long the thread that asks remotes runs without a client. Milliseconds. */
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
  const wire = createWire({ remoteHosts, times, reuseMs, idleMs, log, version })
  return {
    open(address, login, caller) {
      if (address.kind === 'service') return wire.open({ kind: 'service', address, login }, caller)
      const { kind } = address
      return wire.open({ kind, target: databaseTarget(address, login, DATABASE_KINDS[kind]) }, caller)
    },
    closeUnused: wire.closeUnused,
    close: wire.close,
  }
}
