/** The thread that owns the connections to databases: rows of any number come and are followed here, and main is free meanwhile. */
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
import type { RemoteClient } from '../remote-client.ts'
import { createRemoteErrors } from '../remote-errors.ts'
import { createRemoteLanes } from '../remote-lanes.ts'
import { createSender, type Sender } from './sender.ts'
import type { SentRows, WireData, WireFunctions } from './wire-functions.ts'

if (parentPort !== null)
  serve<WireFunctions, SentRows>(parentPort, (emit) => {
    const { remoteHosts, times, reuseMs } = workerData as WireData
    const hosts = createAllowedHosts(remoteHosts)
    const lanesTo = createRemoteLanes()
    const idle = {
      postgres: createIdleConnections<PostgresConnection>(reuseMs),
      mysql: createIdleConnections<MysqlConnection>(reuseMs),
    }
    const clients = new Map<number, RemoteClient>()
    const running = new Map<number, AbortController>()
    const senders = new Map<number, Sender>()

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
      }
    }

    return {
      open({ client, kind, target, caller }) {
        const { user, password } = target
        const errors = createRemoteErrors(target, { user, password }, caller)
        const options = { target, hosts, times, errors, lanes: lanesTo(target) }
        clients.set(
          client,
          kind === 'postgres'
            ? createPostgresClient({ ...options, idle: idle.postgres })
            : createMysqlClient({ ...options, idle: idle.mysql }),
        )
      },
      trust: ({ authorities }) => setDefaultCACertificates(authorities),
      check: (asked) => run(asked, (client, signal) => client.check(signal)),
      listTables: (asked) => run(asked, (client, signal) => client.listTables(signal)),
      columnsOf: (asked) => run(asked, (client, signal) => client.columnsOf(asked.table, signal)),
      rows: (asked) =>
        run(asked, async (client, signal) => {
          const { call, statement, shape } = asked
          const sender = createSender(call, emit, signal)
          senders.set(call, sender)
          try {
            for await (const bytes of client.rowsOf(statement, signal, shape)) await sender.add(bytes)
            sender.flush()
          } finally {
            senders.delete(call)
          }
        }),
      taken: ({ call }) => senders.get(call)?.taken(),
      cancel: ({ call }) =>
        running.get(call)?.abort(new ServiceError('cancelled', 'Nobody waits for the rows any more.')),
      closeUnused() {
        idle.postgres.closeAll()
        idle.mysql.closeAll()
      },
      release({ client }) {
        clients.get(client)?.close()
        clients.delete(client)
      },
      close() {
        idle.postgres.close()
        idle.mysql.close()
        for (const client of clients.values()) client.close()
      },
    }
  })
