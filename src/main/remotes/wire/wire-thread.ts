/** The thread that owns the connections to remotes: rows of any number come and are followed here, and main is free meanwhile. */
import { setDefaultCACertificates } from 'node:tls'
import { parentPort, workerData } from 'node:worker_threads'
import { ServiceError } from '../../../plan/errors.ts'
import { serve } from '../../threads/serve.ts'
import { createAllowedHosts } from '../allowed-hosts.ts'
import { createIdleConnections } from '../databases/idle-connections.ts'
import type { MysqlConnection } from '../mysql/connect.ts'
import { createMysqlClient } from '../mysql/mysql-client.ts'
import type { PostgresConnection } from '../postgres/connect.ts'
import { createPostgresClient } from '../postgres/postgres-client.ts'
import type { RemoteCaller, RemoteClient } from '../remote-client.ts'
import { createRemoteErrors } from '../remote-errors.ts'
import { createRemoteLanes } from '../remote-lanes.ts'
import { createAgents } from '../services/agents.ts'
import { createRemoteVersions } from '../services/remote-versions.ts'
import { createServiceClient } from '../services/service-client.ts'
import { createRelaying } from './relay-rows.ts'
import { createSender } from './sender.ts'
import { createSharedBuffers } from './shared-buffers.ts'
import type { WireData, WireEvent, WireFunctions, WireRemote } from './wire-functions.ts'

if (parentPort !== null)
  serve<WireFunctions, WireEvent>(parentPort, (emit) => {
    const { remoteHosts, times, reuseMs, version } = workerData as WireData
    const hosts = createAllowedHosts(remoteHosts)
    const lanesTo = createRemoteLanes()
    const idle = {
      postgres: createIdleConnections<PostgresConnection>(reuseMs),
      mysql: createIdleConnections<MysqlConnection>(reuseMs),
    }
    const { agents, ...held } = createAgents()
    const versions = createRemoteVersions(version, (address, isSame) =>
      emit({ kind: 'version', address, isSame }),
    )
    const buffers = createSharedBuffers()
    const clients = new Map<number, RemoteClient>()
    const running = new Map<number, AbortController>()
    /** The calls whose rows main takes. */
    const sending = new Map<number, { taken(): void }>()

    function clientOf(remote: WireRemote, caller: RemoteCaller): RemoteClient {
      if (remote.kind === 'service') {
        const { address, login } = remote
        const errors = createRemoteErrors(address, login, caller)
        const asked = { address, login, caller, errors }
        return createServiceClient({ ...asked, agents, hosts, times, lanes: lanesTo(address), versions })
      }
      const { kind, target } = remote
      const { user, password } = target
      const errors = createRemoteErrors(target, { user, password }, caller)
      const options = { target, hosts, times, errors, lanes: lanesTo(target) }
      return kind === 'postgres'
        ? createPostgresClient({ ...options, idle: idle.postgres })
        : createMysqlClient({ ...options, idle: idle.mysql })
    }

    /** Runs a call of a client until it is cancelled. */
    async function run<T>(
      { client: number, call }: { readonly client: number; readonly call: number },
      work: (client: RemoteClient, signal: AbortSignal) => Promise<T>,
    ): Promise<T> {
      const client = clients.get(number)
      if (client === undefined) throw new RangeError(`no client ${number}`)
      const controller = new AbortController()
      running.set(call, controller)
      try {
        return await work(client, controller.signal)
      } finally {
        running.delete(call)
        sending.delete(call)
      }
    }

    return {
      open({ client, remote, caller }) {
        clients.set(client, clientOf(remote, caller))
      },
      trust: ({ authorities }) => setDefaultCACertificates(authorities),
      check: (asked) => run(asked, (client, signal) => client.check(signal)),
      listTables: (asked) => run(asked, (client, signal) => client.listTables(signal)),
      columnsOf: (asked) => run(asked, (client, signal) => client.columnsOf(asked.table, signal)),
      rows: (asked) =>
        run(asked, async (client, signal) => {
          const { call, statement, shape } = asked
          const sender = createSender(call, emit, buffers, signal)
          sending.set(call, sender)
          try {
            for await (const bytes of client.rowsOf(statement, signal, shape)) await sender.add(bytes)
            await sender.end()
          } finally {
            sender.close()
          }
        }),
      relay: (asked) =>
        run(asked, async (client, signal) => {
          const { call, statement, answer } = asked
          const rows = (await client.relay?.(statement, answer, signal)) ?? null
          if (rows === null) return false
          const relaying = createRelaying(call, emit, signal)
          sending.set(call, relaying)
          try {
            await relaying.send(rows)
          } finally {
            rows.close()
          }
          return true
        }),
      taken: ({ call }) => sending.get(call)?.taken(),
      cancel: ({ call }) =>
        running.get(call)?.abort(new ServiceError('cancelled', 'Nobody waits for the rows any more.')),
      closeUnused() {
        idle.postgres.closeAll()
        idle.mysql.closeAll()
        held.closeUnused()
      },
      release({ client }) {
        clients.get(client)?.close()
        clients.delete(client)
      },
      close() {
        idle.postgres.close()
        idle.mysql.close()
        for (const client of clients.values()) client.close()
        held.close()
      },
    }
  })
