import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** What is asked, by how many at once. */
export interface LoadOptions {
  readonly port: number
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** JSON; `NUMBER` in it is another number of 8 digits in each request. */
  readonly body: string
  /** Connections that are kept alive, each with one request at a time. */
  readonly clients: number
  readonly seconds: number
  /** The first and then every so many answers one is handed back, to be compared, up to `SAMPLES`; null: none. */
  readonly sampleEvery: number | null
}

export const SAMPLES = 64

/** What stands for the number of a request in its body. */
export const NUMBER = '$NUMBER$'

/** An answer of `status` 200 as it came. */
export interface Sample {
  /** What was in the place of `NUMBER`. */
  readonly number: string
  readonly body: Buffer
}

export interface LoadResult {
  /** Answers of status 200 in the time that was measured, in one second of it. */
  readonly perSecond: number
  /** Of their bodies. */
  readonly bytesPerSecond: number
  /** Of answers, milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly samples: readonly Sample[]
  /** Answers of other status, and connections that broke. */
  readonly failures: number
  /** Of one CPU that the clients used: near 1, they are what is slow. */
  readonly cpu: number
}

/** Many clients, in a process of their own that finds out no more of an answer than where it ends. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const child = fork(join(import.meta.dirname, 'generator.ts'), { serialization: 'advanced', execArgv: [] })
  try {
    child.send(options)
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
