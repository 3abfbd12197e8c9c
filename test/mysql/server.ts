import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { freePort, NOBODY, PASSWORD } from '../postgres/server.ts'
import { until } from '../support/until.ts'

/** Where Debian puts the programs of MariaDB. */
const SERVER = '/usr/sbin/mariadbd'
const INSTALL = '/usr/bin/mariadb-install-db'
const CLIENT = '/usr/bin/mariadb'

/** Why tests of a real server are skipped here. False: they are not, and never in CI, where they fail without the server. */
export function skipWithoutMysql(): string | false {
  if (process.env['CI'] !== undefined || existsSync(SERVER)) return false
  return `there is no ${SERVER} here`
}

/** A server of MariaDB with an empty database `sea` of the user `owner`, who logs in by `PASSWORD` and may do everything. */
export interface Mysql {
  readonly port: number
  /** `host port user password database`, for `pymysql`. */
  readonly place: string
  /** Runs statements as the owner, and returns the lines of their rows, with tabs between the values. */
  run(sql: string): readonly string[]
  /** Ends the server at once. */
  stop(): Promise<void>
  start(): Promise<void>
}

/** Starts a server in a folder of its own, which ends with the test. `settings` are options of mariadbd. */
export async function startMysql(
  t: Pick<Test, 'teardown'>,
  settings: readonly string[] = [],
): Promise<Mysql> {
  const folder = mkdtempSync(join(tmpdir(), 'halocline-mysql-'))
  let server: ChildProcess | null = null
  t.teardown(async () => {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  chmodSync(folder, 0o755)
  if ('uid' in user) chownSync(folder, NOBODY, NOBODY)
  const data = join(folder, 'data')
  const made = spawnSync(
    INSTALL,
    [
      '--no-defaults',
      `--datadir=${data}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      '--skip-name-resolve',
      '--innodb-log-file-size=4M',
    ],
    { ...user, cwd: folder, encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`mariadb-install-db has failed: ${made.stderr}${made.stdout}`)
  const first = join(folder, 'first.sql')
  writeFileSync(
    first,
    [
      'CREATE DATABASE IF NOT EXISTS sea CHARACTER SET utf8mb4;',
      `CREATE USER IF NOT EXISTS owner@'%' IDENTIFIED BY '${PASSWORD}';`,
      `GRANT ALL ON *.* TO owner@'%' WITH GRANT OPTION;`,
      '',
    ].join('\n'),
  )
  const port = await freePort()

  function run(sql: string): readonly string[] {
    const { status, stdout, stderr } = spawnSync(
      CLIENT,
      [
        '--no-defaults',
        '--protocol=tcp',
        '--host=127.0.0.1',
        `--port=${port}`,
        '--user=owner',
        '--default-character-set=utf8mb4',
        '--batch',
        '--skip-column-names',
        'sea',
      ],
      { input: sql, encoding: 'utf8', env: { ...process.env, MYSQL_PWD: PASSWORD } },
    )
    if (status !== 0) throw new Error(`${stderr}: ${sql.slice(0, 200)}`)
    return stdout.split('\n').slice(0, -1)
  }

  async function stop(): Promise<void> {
    const child = server
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    // What it has committed is in its log.
    child.kill('SIGKILL')
    await ended
  }

  const mysql: Mysql = {
    port,
    place: `127.0.0.1 ${port} owner ${PASSWORD} sea`,
    run,
    async start() {
      const child = spawn(
        SERVER,
        [
          '--no-defaults',
          `--datadir=${data}`,
          `--socket=${join(folder, 'socket')}`,
          `--port=${port}`,
          '--bind-address=127.0.0.1',
          `--init-file=${first}`,
          '--skip-name-resolve',
          '--innodb-buffer-pool-size=32M',
          '--innodb-log-file-size=4M',
          '--innodb-flush-log-at-trx-commit=2',
          '--performance-schema=OFF',
          ...settings,
        ],
        { ...user, cwd: folder, stdio: 'ignore' },
      )
      server = child
      await until('mariadbd answers', async () => {
        if (child.exitCode !== null) throw new Error(`mariadbd has ended with ${child.exitCode}`)
        try {
          return run('SELECT 1').length === 1
        } catch {
          return false
        }
      })
    },
    stop,
  }
  await mysql.start()
  return mysql
}
