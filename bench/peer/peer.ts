import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** How the peer sends rows: an Arrow stream, or JSON by DuckDB's own converters. */
export const WAYS = ['/arrow', '/json'] as const

export type Way = (typeof WAYS)[number]

/** The server that the service's small answers are compared with, in a process of its own. */
export interface Peer {
  readonly port: number
  stop(): void
}

export async function startPeer(): Promise<Peer> {
  const child = fork(join(import.meta.dirname, 'server.ts'), { execArgv: [] })
  const [port] = (await once(child, 'message')) as [number]
  return { port, stop: () => child.kill() }
}
