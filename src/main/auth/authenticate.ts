import { createHash, timingSafeEqual } from 'node:crypto'
import { parseBasic } from './basic.ts'
import { ANONYMOUS, type Caller, createCaller } from './caller.ts'

/**
 * The caller that an `Authorization` header (or none) stands for; null when credentials are present but wrong, which
 * never makes a caller anonymous.
 */
export type Authenticate = (header: string | undefined) => Promise<Caller | null>

export interface SuperUser {
  readonly adminUsername: string
  readonly adminPassword: string
}

/** Looks at the super-user first. Stored users, whose passwords are hashed, are looked up after that. */
export function createAuthenticate(settings: SuperUser): Authenticate {
  const superUser = createCaller({ source: 'configuration', name: settings.adminUsername }, true, '')
  const name = digest(settings.adminUsername)
  const password = digest(settings.adminPassword)
  /**
   * Headers that were right. Looked up by a hash with a seed that nobody knows: the time taken says nothing of a header that
   * is not there.
   */
  const known = new Set<string>()
  return async (header) => {
    if (header === undefined) return ANONYMOUS
    if (known.has(header)) return superUser
    const credentials = parseBasic(header)
    if (credentials === null) return null
    // Both are compared, and by digests of one length: the time taken says nothing of either.
    const nameIsRight = timingSafeEqual(digest(credentials.username), name)
    const passwordIsRight = timingSafeEqual(digest(credentials.password), password)
    if (!nameIsRight || !passwordIsRight) return null
    // There is but one: base64 has one canonical form.
    known.add(header)
    return superUser
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
