import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** The request of the clients, and their number. */
export interface LoadOptions {
  readonly port: number
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** JSON. In each request, `NUMBER` in it is replaced by another number of 8 digits. */
  readonly body: string
  /** The header `Authorization`. Absent: there is none. */
  readonly authorization?: string
  /** Connections that are kept alive, each with one request at a time. */
  readonly clients: number
  readonly seconds: number
  /** The first of every so many answers is returned for comparison, up to `SAMPLES` in all. Null: none is. */
  readonly sampleEvery: number | null
}

export const SAMPLES = 64

/** The placeholder for the number of a request in its body. */
export const NUMBER = '$NUMBER$'

/** The bytes of an answer with status 200. */
export interface Sample {
  /** The number that replaced `NUMBER` in its request. */
  readonly number: string
  readonly body: Buffer
}

export interface LoadResult {
  /** Answers with status 200 per second, in the time that was measured. */
  readonly perSecond: number
  /** Bytes of their bodies per second. */
  readonly bytesPerSecond: number
  /** Quantiles of the times of answers, in milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly samples: readonly Sample[]
  /** Answers with another status, and broken connections. */
  readonly failures: number
  /** The part of one CPU that the clients used. Near 1, they are the bottleneck. */
  readonly cpu: number
}

/** Numbers of a load. No load asks what an earlier one has asked, since services remember requests. */
const LOAD_NUMBERS = 1_000_000

let loads = 0

/** Puts load on a server by many clients in a child process, which parses answers only as far as to find their ends. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const child = fork(join(import.meta.dirname, 'generator.ts'), { serialization: 'advanced', execArgv: [] })
  try {
    child.send({ ...options, firstNumber: LOAD_NUMBERS * loads++ })
    const [result] = await Promise.race([
      once(child, 'message') as Promise<[LoadResult]>,
      once(child, 'exit').then(([code]) => {
        throw new Error(`the clients have ended with ${code}`)
      }),
    ])
    return result
  } finally {
    child.kill()
  }
}
