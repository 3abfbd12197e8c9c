import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Test } from 'tap'
import { until } from '../support/until.ts'

/** Where Debian puts the programs of PostgreSQL 15. */
const BIN = '/usr/lib/postgresql/15/bin'

/** A busy machine may take longer to connect than a service waits. */
export const PATIENT = Object.freeze({
  remotes: Object.freeze({ times: Object.freeze({ connectMs: 300_000, silenceMs: 300_000 }) }),
  attachMs: 300_000,
})

/** Servers of databases do not run as root. */
export const NOBODY = 65_534

export const PASSWORD = 'Plugh4711'

/** Why tests of a real server are skipped here. False: they are not, and never in CI, where they fail without the server. */
export function skipWithoutPostgres(): string | false {
  if (process.env['CI'] !== undefined || existsSync(join(BIN, 'initdb'))) return false
  return `there is no ${BIN} here`
}

/** A server of PostgreSQL with an empty database `sea` of the user `owner`, who logs in by `PASSWORD`. */
export interface Postgres {
  readonly port: number
  /** The connection string of libpq, as the owner. */
  readonly url: string
  /** Runs statements as the owner, and returns the rows of the last one. */
  run(sql: string): Promise<readonly (readonly unknown[])[]>
  /** Ends the server at once. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Has it present another certificate to new connections. */
  present(pair: Pair): Promise<void>
  /** Has it ask new connections for the password in another form, as pg_hba.conf names it. */
  authenticate(method: string): Promise<void>
}

/** The files of a certificate and of its key. */
export interface Pair {
  readonly certificate: string
  readonly key: string
}

/** Starts a server in a folder of its own, which ends with the test. `settings` are lines of postgresql.conf. It has TLS if it has a certificate. */
export async function startPostgres(
  t: Pick<Test, 'teardown'>,
  settings: readonly string[] = [],
  pair: Pair | null = null,
): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'halocline-postgres-'))
  let server: ChildProcess | null = null
  t.teardown(async () => {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const data = join(folder, 'data')
  const passwords = join(folder, 'password')
  writeFileSync(passwords, `${PASSWORD}\n`)
  chmodSync(folder, 0o755)
  if ('uid' in user) for (const path of [folder, passwords]) chownSync(path, NOBODY, NOBODY)
  const made = spawnSync(
    join(BIN, 'initdb'),
    [
      '-D',
      data,
      '-U',
      'owner',
      `--pwfile=${passwords}`,
      '--auth=scram-sha-256',
      '--no-sync',
      '--encoding=UTF8',
      '--locale=C.UTF-8',
    ],
    { ...user, cwd: folder, encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`initdb has failed: ${made.stderr}`)
  const port = await freePort()
  writeFileSync(
    join(data, 'postgresql.auto.conf'),
    [
      `port = ${port}`,
      `listen_addresses = '127.0.0.1'`,
      `unix_socket_directories = ''`,
      'fsync = off',
      'shared_buffers = 32MB',
      'max_connections = 40',
      'autovacuum = off',
      ...(pair === null ? [] : ['ssl = on']),
      ...settings,
      '',
    ].join('\n'),
  )
  function put({ certificate, key }: Pair): void {
    for (const [from, name] of [
      [certificate, 'server.crt'],
      [key, 'server.key'],
    ] as const) {
      const path = join(data, name)
      copyFileSync(from, path)
      chmodSync(path, 0o600)
      if ('uid' in user) chownSync(path, NOBODY, NOBODY)
    }
  }
  if (pair !== null) put(pair)
  const url = `postgresql://owner:${PASSWORD}@127.0.0.1:${port}/sea`

  async function asOwner<T>(database: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({
      host: '127.0.0.1',
      port,
      user: 'owner',
      password: PASSWORD,
      database,
      ssl: false,
    })
    client.on('error', () => {})
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }

  const postgres: Postgres = {
    port,
    url,
    run: (sql) =>
      asOwner('sea', async (client) => {
        const answer: unknown = await client.query({ text: sql, rowMode: 'array' })
        const last = (Array.isArray(answer) ? answer.at(-1) : answer) as {
          readonly rows?: readonly unknown[][]
        }
        return last.rows ?? []
      }),
    async start() {
      const child = spawn(join(BIN, 'postgres'), ['-D', data], { ...user, cwd: folder, stdio: 'ignore' })
      server = child
      await until('postgres answers', async () => {
        if (child.exitCode !== null) throw new Error(`postgres has ended with ${child.exitCode}`)
        return asOwner('postgres', async () => true).catch(() => false)
      })
    },
    stop,
    async present(other) {
      put(other)
      await stop()
      await postgres.start()
    },
    async authenticate(method) {
      writeFileSync(join(data, 'pg_hba.conf'), `host all all 127.0.0.1/32 ${method}\n`)
      await stop()
      await postgres.start()
    },
  }
  async function stop(): Promise<void> {
    const child = server
    if (child === null || child.exitCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    // An immediate shutdown.
    child.kill('SIGQUIT')
    await ended
  }
  await postgres.start()
  await asOwner('postgres', (client) => client.query('CREATE DATABASE sea'))
  return postgres
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
