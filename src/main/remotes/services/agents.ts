import { Agent as PlainAgent } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import { MOST_CONNECTIONS } from '../remote-lanes.ts'
import type { Sending } from '../send-request.ts'

/** What holds the connections to services. */
export interface Agents {
  readonly agents: Sending['agents']
  /** Closes the connections that no request uses. */
  closeUnused(): void
  /** Closes all of them. */
  close(): void
}

/** How long a connection that no request uses stays open. Milliseconds. */
const IDLE_MS = 60_000

export function createAgents(): Agents {
  const keeping = { keepAlive: true, maxSockets: MOST_CONNECTIONS, timeout: IDLE_MS }
  const agents = { plain: new PlainAgent(keeping), tls: new TlsAgent(keeping) }
  const both = [agents.plain, agents.tls]
  return {
    agents,
    closeUnused() {
      for (const { freeSockets } of both)
        for (const socket of Object.values(freeSockets).flat()) socket?.destroy()
    },
    close() {
      for (const agent of both) agent.destroy()
    },
  }
}
