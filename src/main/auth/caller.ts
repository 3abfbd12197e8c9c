import { type Principal, sourceOf } from './principal.ts'
import type { Rights } from './rights/rights.ts'

/** A principal with its rights. */
export interface Caller {
  readonly principal: Principal
  readonly isSuperUser: boolean
  /** Frozen: a request that has begun keeps them, and the next one gets those of its time. */
  readonly rights: Rights
  /** Principal and rights as one text: a part of cache keys, so that no caller gets what was cached for another. */
  readonly key: string
}

export function createCaller(principal: Principal, isSuperUser: boolean, rights: Rights): Caller {
  const key = JSON.stringify([sourceOf(principal), principal.name, isSuperUser, rights.digest])
  return Object.freeze({ principal: Object.freeze(principal), isSuperUser, rights, key })
}
