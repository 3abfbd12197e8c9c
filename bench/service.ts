import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const REPOSITORY = join(import.meta.dirname, '..')

const START_TIMEOUT_MS = 30_000

export interface Answer {
  readonly body: Buffer
  /** From sending the request to the first byte of the body, milliseconds. */
  readonly firstByteMs: number
}

/** This service as a process of its own, asked over one kept-alive connection. */
export interface Service {
  /** Waits until the service is up. */
  ready(): Promise<void>
  /** Reads the whole answer, without looking at it. Rejects when the status is not 200. */
  query(body: object): Promise<Answer>
  /** Asks, takes the first byte of the body and hangs up. Milliseconds. */
  firstByte(body: object): Promise<number>
  residentBytes(): number
  /** false once the process has ended. */
  running(): boolean
  stop(): Promise<void>
}

/** An answer that is not 200. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly status: number | undefined

  constructor(status: number | undefined, text: string) {
    super(`${status} ${text}`)
    this.status = status
  }
}

export interface ServiceOptions {
  /** A folder for what the service keeps; its log is beside it. */
  readonly dataDir: string
  /** The dataset root; absent: the sample in the data folder. */
  readonly datasetsDir?: string
  readonly workers: number
  /** `npm start`, as a user would; else the same program without npm around it. */
  readonly throughNpm?: boolean
}

/** Spawns the service and does not wait for it. */
export async function spawnService(options: ServiceOptions): Promise<Service> {
  const port = await freePort()
  const [command, args] = options.throughNpm
    ? ['npm', ['start']]
    : [process.execPath, [join(REPOSITORY, 'src/main/start.ts')]]
  const child = spawn(command, args, {
    cwd: REPOSITORY,
    // A group of its own, so that npm's child ends with npm.
    detached: true,
    stdio: ['ignore', openSync(`${options.dataDir}.log`, 'w'), 'inherit'],
    env: {
      ...process.env,
      SERVICE_HOST: '127.0.0.1',
      SERVICE_PORT: String(port),
      SERVICE_WORKERS: String(options.workers),
      SERVICE_DATA_DIR: options.dataDir,
      ...(options.datasetsDir !== undefined && { SERVICE_DATASETS_DIR: options.datasetsDir }),
    },
  })
  process.on('exit', () => kill(child))
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    ready: () =>
      retried(
        () => healthy(port),
        () => running(child),
      ),
    query: (body) => ask(agent, port, body),
    firstByte: async (body) => (await ask(agent, port, body, true)).firstByteMs,
    residentBytes: () => residentBytes(child),
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

function running(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}

/** Ends the child and all that it started. */
function kill(child: ChildProcess): void {
  if (running(child) && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
}

/** Asks again and again until the service is up, and returns what it answers. */
export function firstAnswer(service: Service, body: object): Promise<Answer> {
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

function ask(agent: Agent, port: number, body: object, onlyFirstByte = false): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const asked = request(
      {
        agent,
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/api/query',
        headers: { 'content-type': 'application/json' },
      },
      (response) => {
        const chunks: Buffer[] = []
        let firstByteMs = 0
        response.on('data', (chunk: Buffer) => {
          if (chunks.push(chunk) === 1) firstByteMs = performance.now() - start
          if (!onlyFirstByte) return
          resolve({ body: chunk, firstByteMs })
          response.destroy()
        })
        response.on('error', reject)
        response.on('end', () => {
          const answer = Buffer.concat(chunks)
          if (response.statusCode === 200) resolve({ body: answer, firstByteMs })
          else reject(new RefusedError(response.statusCode, answer.toString()))
        })
      },
    )
    asked.on('error', reject)
    asked.end(JSON.stringify(body))
  })
}

function residentBytes({ pid }: ChildProcess): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
