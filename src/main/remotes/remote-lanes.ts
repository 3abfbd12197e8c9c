import { ServiceError } from '../../plan/errors.ts'
import { createLanes, type Lanes } from './lanes.ts'
import type { RemoteAddress } from './remote-client.ts'
import { printEndpoint } from './remote-errors.ts'

/** The most connections to one remote. */
export const MOST_CONNECTIONS = 8

/** The most requests that wait for one of them, and how long they do. */
const MOST_WAITING = 256
const WAIT_MS = 60_000

/** The places of each remote for connections to it. */
export function createRemoteLanes(): (remote: Pick<RemoteAddress, 'host' | 'port'>) => Lanes {
  const lanesOf = new Map<string, Lanes>()
  return ({ host, port }) => {
    const key = printEndpoint(host, port)
    const lanes = lanesOf.get(key) ?? createLanes(MOST_CONNECTIONS, MOST_WAITING, WAIT_MS, tooMany)
    // Those of remotes that nobody asks any more are not kept.
    for (const [other, { isIdle }] of lanesOf) if (isIdle && other !== key) lanesOf.delete(other)
    lanesOf.set(key, lanes)
    return lanes
  }
}

function tooMany(): ServiceError {
  return new ServiceError(
    'remote_unavailable',
    `Too many requests wait for one of the ${MOST_CONNECTIONS} connections to another service; try again in a moment.`,
  )
}
