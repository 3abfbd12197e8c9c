import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { START_FLAGS } from '../../scripts/start-flags.ts'
import { SETTINGS } from '../../src/main/settings/settings.ts'
import { varied } from '../input/vary.ts'
import { ask, RefusedError } from './client.ts'
import { freePort } from './free-port.ts'

const REPOSITORY = join(import.meta.dirname, '../..')

const START_TIMEOUT_MS = 30_000

/** The super-user of a service for which none is configured. */
export const SUPER_USER = {
  authorization: `Basic ${Buffer.from(`${SETTINGS.adminUsername.fallback}:${SETTINGS.adminPassword.fallback}`).toString('base64')}`,
}

/** The service in a child process, with kept-alive connections to it. Queries reject when the answer's status is not 200. */
export interface Service {
  readonly port: number
  /** Waits until the service accepts requests. */
  ready(): Promise<void>
  query(body: object): Promise<Buffer>
  /** Reads an answer to its end and keeps nothing. Resolves with the number of bytes. */
  drain(body: object): Promise<number>
  /** The time to the first byte of an answer's body, in milliseconds. The rest is not read. */
  firstByte(body: object): Promise<number>
  /** Runs a statement as the super-user. */
  command(sql: string): Promise<void>
  /** Asks for a path by GET and reads the answer to its end. */
  get(path: string): Promise<string>
  residentBytes(): number
  /** The CPU time of the service since its start, by threads (Linux). Milliseconds. */
  cpu(): CpuTimes
  /** The most resident bytes since the last call (Linux). */
  peakBytes(): number
  /** False once the process has ended. */
  running(): boolean
  stop(): Promise<void>
}

/** CPU times of threads. `others` are those of V8's collector and compiler, of libuv, and of the engines. */
export interface CpuTimes {
  readonly main: number
  readonly workers: number
  readonly others: number
}

/** Services with one and two workers. None of them answers from kept answers: each query is sent with another text. */
export interface Services {
  /** One worker, without a cache of decoded columns. */
  readonly one: Service
  /** Two workers, without that cache. */
  readonly two: Service
  /** The same with the cache, which the service has by default. */
  readonly keptOne: Service
  readonly keptTwo: Service
}

export interface ServiceOptions {
  /** The data folder of the service. Its log is a file beside the folder. */
  readonly dataDir: string
  /** The dataset root. Absent: the sample in the data folder. */
  readonly datasetsDir?: string
  readonly workers: number
  /** The checkout whose service is run. Default: this one. */
  readonly repository?: string
  /** Whether to run `npm start`, as users do. Default: the same program without npm. */
  readonly throughNpm?: boolean
  /** Without SQL no DuckDB is started. Default: true. */
  readonly enableSql?: boolean
  /** Whether workers cache decoded columns. Default: true. */
  readonly keepsColumns?: boolean
  /** The most bytes of temporary files. Default: the service's limits, of one answer and of all. */
  readonly fileBytes?: number
  /** Whether each query is sent with another text, so that no kept answer is found. Default: false. */
  readonly asksAnew?: boolean
  /** Further settings, by the names of their variables. */
  readonly env?: Readonly<Record<string, string>>
  /** A folder for a CPU profile of each thread, written when the service is stopped. */
  readonly profileDir?: string | null
}

/** As `npm start` and the image have it. */
const MALLOC_ARENAS = '2'

/** Spawns the service, without waiting until it accepts requests. */
export async function spawnService(options: ServiceOptions): Promise<Service> {
  const port = await freePort()
  const { repository = REPOSITORY } = options
  const profile = options.profileDir ? ['--cpu-prof', `--cpu-prof-dir=${options.profileDir}`] : []
  const [command, args] = options.throughNpm
    ? ['npm', ['start']]
    : [process.execPath, [...START_FLAGS, ...profile, join(repository, 'src/main/start.ts')]]
  const child = spawn(command, args, {
    cwd: repository,
    // In its own process group, so that the child of npm can be ended with npm.
    detached: true,
    stdio: ['ignore', openSync(`${options.dataDir}.log`, 'w'), 'inherit'],
    env: {
      ...process.env,
      MALLOC_ARENA_MAX: MALLOC_ARENAS,
      SERVICE_HOST: '127.0.0.1',
      SERVICE_PORT: String(port),
      SERVICE_WORKERS: String(options.workers),
      SERVICE_DATA_DIR: options.dataDir,
      SERVICE_ENABLE_SQL: String(options.enableSql ?? true),
      ...(options.keepsColumns === false && { SERVICE_CACHE_BYTES: '0' }),
      ...(options.fileBytes !== undefined && {
        SERVICE_MAX_OUTPUT_BYTES: String(options.fileBytes),
        SERVICE_MAX_TEMP_BYTES: String(options.fileBytes),
      }),
      ...(options.datasetsDir !== undefined && { SERVICE_DATASETS_DIR: options.datasetsDir }),
      ...options.env,
    },
  })
  const end = () => kill(child)
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  const agent = new Agent({ keepAlive: true })
  let asked = 0
  const text = (body: object) => (options.asksAnew ? varied(body, asked++) : JSON.stringify(body))
  return {
    port,
    ready: () =>
      retried(
        () => healthy(port),
        () => running(child),
      ),
    async query(body) {
      const chunks: Buffer[] = []
      await ask({ agent, port, text: text(body) }, (chunk) => chunks.push(chunk))
      return Buffer.concat(chunks)
    },
    async drain(body) {
      let bytes = 0
      await ask({ agent, port, text: text(body) }, (chunk) => {
        bytes += chunk.length
      })
      return bytes
    },
    firstByte: (body) => firstByte(agent, port, text(body)),
    async command(sql) {
      await ask({ agent, port, text: JSON.stringify({ sql }), headers: SUPER_USER }, () => {})
    },
    async get(path) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`)
      if (!answer.ok) throw new RefusedError(answer.status, path)
      return await answer.text()
    },
    cpu: () => cpuTimes(child),
    residentBytes: () => memory(child, 'VmRSS'),
    peakBytes() {
      const peak = memory(child, 'VmHWM')
      writeFileSync(`/proc/${child.pid}/clear_refs`, RESET_PEAK)
      return peak
    },
    running: () => running(child),
    async stop() {
      agent.destroy()
      if (!running(child)) return
      const exited = once(child, 'exit')
      kill(child)
      await exited
    },
  }
}

/** Spawns the services that are compared with native DuckDB. Resolves when they accept requests. */
export async function spawnServices(
  scratch: string,
  datasetsDir: string,
  profileDir: string | null = null,
): Promise<Services> {
  const spawn = (name: string, workers: number, keepsColumns: boolean) =>
    spawnService({
      dataDir: join(scratch, name),
      datasetsDir,
      workers,
      keepsColumns,
      asksAnew: true,
      profileDir,
    })
  const services = {
    one: await spawn('one', 1, false),
    two: await spawn('two', 2, false),
    keptOne: await spawn('kept-one', 1, true),
    keptTwo: await spawn('kept-two', 2, true),
  }
  for (const service of Object.values(services)) await service.ready()
  return services
}

/** Spawns the service for the time of `use`, and stops it even if that fails. */
export async function withService<T>(
  options: ServiceOptions,
  use: (service: Service) => Promise<T>,
): Promise<T> {
  const service = await spawnService(options)
  try {
    return await use(service)
  } finally {
    await service.stop()
  }
}

function running(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}

/** Ends the child and its own children. */
function kill(child: ChildProcess): void {
  if (running(child) && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
}

/** Sends a query again and again until the service accepts it. The answer. */
export function firstAnswer(service: Service, body: object): Promise<Buffer> {
  return retried(() => service.query(body), service.running)
}

async function retried<T>(attempt: () => Promise<T>, running: () => boolean): Promise<T> {
  const deadline = performance.now() + START_TIMEOUT_MS
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (error instanceof RefusedError || !running() || performance.now() > deadline) throw error
      await sleep(5)
    }
  }
}

async function healthy(port: number): Promise<void> {
  const { ok, status } = await fetch(`http://127.0.0.1:${port}/api/health`)
  if (!ok) throw new RefusedError(status, '/api/health')
}

async function firstByte(agent: Agent, port: number, text: string): Promise<number> {
  const hangUp = new AbortController()
  const start = performance.now()
  let ms: number | null = null
  try {
    await ask({ agent, port, text, signal: hangUp.signal }, () => {
      ms ??= performance.now() - start
      hangUp.abort()
    })
  } catch (error) {
    if (ms === null) throw error
  }
  return ms ?? Number.NaN
}

/** See proc_pid_clear_refs(5). */
const RESET_PEAK = '5'

/** Milliseconds of a tick of `/proc/…/stat`: 100 in a second, whatever the kernel counts by. */
const TICK_MS = 10

/** The name of a thread that Node has started. */
const WORKER = 'WorkerThread'

function cpuTimes({ pid }: ChildProcess): CpuTimes {
  const times = { main: 0, workers: 0, others: 0 }
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
    const end = stat.lastIndexOf(')')
    // The 14th and the 15th field; the second one, the name, may have blanks (proc_pid_stat(5)).
    const [user, system] = stat
      .slice(end + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number)
    const ms = ((user ?? 0) + (system ?? 0)) * TICK_MS
    const isWorker = stat.slice(stat.indexOf('(') + 1, end) === WORKER
    times[thread === String(pid) ? 'main' : isWorker ? 'workers' : 'others'] += ms
  }
  return times
}

/** A figure of `/proc/…/status`, in bytes. */
function memory({ pid }: ChildProcess, name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const [, kilobytes] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status) ?? []
  return Number(kilobytes) * 1024
}
