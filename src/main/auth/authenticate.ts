import { createHash, timingSafeEqual } from 'node:crypto'
import { parseBasic } from './basic.ts'
import { ANONYMOUS, type Caller, createCaller } from './caller.ts'

/**
 * The caller of a request by its `Authorization` header. Without a header it is the anonymous one. Null: the credentials are
 * wrong.
 */
export type Authenticate = (header: string | undefined) => Promise<Caller | null>

export interface SuperUser {
  readonly adminUsername: string
  readonly adminPassword: string
}

/** Authenticates the super-user, who is set in the configuration. There are no other users yet. */
export function createAuthenticate(settings: SuperUser): Authenticate {
  const superUser = createCaller({ source: 'configuration', name: settings.adminUsername }, true, '')
  const name = digest(settings.adminUsername)
  const password = digest(settings.adminPassword)
  /**
   * Headers that were right before. V8 hashes the keys of a set with a random seed, so the time of a lookup tells an attacker
   * nothing about them.
   */
  const known = new Set<string>()
  return async (header) => {
    if (header === undefined) return ANONYMOUS
    if (known.has(header)) return superUser
    const credentials = parseBasic(header)
    if (credentials === null) return null
    // Both are always compared, and as digests of equal length, so that the time tells nothing about either.
    const nameIsRight = timingSafeEqual(digest(credentials.username), name)
    const passwordIsRight = timingSafeEqual(digest(credentials.password), password)
    if (!nameIsRight || !passwordIsRight) return null
    // The set has at most one entry: `parseBasic` accepts only the canonical form of base64.
    known.add(header)
    return superUser
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
