import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** The formats in which the peer sends rows: an Arrow stream, or JSON by DuckDB's own converters. */
export const WAYS = ['/arrow', '/json'] as const

export type Way = (typeof WAYS)[number]

/** A server in a child process with which the service is compared for small answers. */
export interface Peer {
  readonly port: number
  stop(): void
}

export async function startPeer(): Promise<Peer> {
  const child = fork(join(import.meta.dirname, 'server.ts'), { execArgv: [] })
  const [port] = (await once(child, 'message')) as [number]
  return { port, stop: () => child.kill() }
}
