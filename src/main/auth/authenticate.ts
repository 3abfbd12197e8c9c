import { hash, timingSafeEqual } from 'node:crypto'
import { ERRORS } from '../../plan/errors.ts'
import type { Caller } from './caller.ts'
import type { Callers } from './callers.ts'
import type { Directory } from './directory/directory.ts'
import { isPassword } from './passwords/hash-password.ts'
import type { HashQueue } from './passwords/hash-queue.ts'
import { createRememberedPairs, type RememberedPairsOptions } from './passwords/remembered-pairs.ts'
import { createSharedWork } from './passwords/shared-work.ts'

/** Finds the caller of a request by its `Authorization` header. */
export interface Authenticator {
  /** The caller, if nothing has to be waited for: there is no header, or it was right a moment ago. Null: it has to be checked. */
  cachedCaller(header: string | undefined): Caller | null
  /** Checks a header. Rejects with the signal's reason if that is aborted first. */
  check(header: string, signal: AbortSignal): Promise<Caller | Unauthenticated>
}

/** Why a request has no caller: its credentials are wrong, or they cannot be checked now, but in so many seconds. */
export type Unauthenticated = { readonly status: 401 } | { readonly status: 503; readonly retrySecs: number }

export const WRONG: Unauthenticated = Object.freeze({ status: 401 })

/** As many hashes wait as may. */
const BUSY: Unauthenticated = Object.freeze({ status: 503, retrySecs: ERRORS.overloaded.retrySecs })

/** Checks tokens, which are what `Bearer ` stands before. */
export interface TokenCheck {
  /** The caller, if the token was verified before and still holds. */
  cachedCaller(token: string): Caller | null
  check(token: string, signal: AbortSignal): Promise<Caller | Unauthenticated>
}

export interface AuthenticatorOptions extends SuperUser {
  readonly callers: Callers
  readonly directory: Directory
  readonly hashes: HashQueue
  /** Absent: no token is right. */
  readonly tokens?: TokenCheck | undefined
  readonly pairs?: RememberedPairsOptions
}

const BEARER = 'Bearer '

export function createAuthenticator({
  callers,
  directory,
  hashes,
  tokens,
  pairs: pairsOptions,
  ...superUser
}: AuthenticatorOptions): Authenticator {
  const isSuperUser = createSuperUserCheck(superUser)
  const pairs = createRememberedPairs(pairsOptions)
  const checks = createSharedWork<boolean>()

  /** The hash of a user's password, as it is now. A stored user whose name is given to the super-user by now has none. */
  function storedOf(name: string): string | null {
    if (name === superUser.adminUsername) return null
    return directory.snapshot().users.get(name)?.password ?? null
  }

  function findPair(header: string): Caller | null {
    const owner = pairs.right(pairs.digest(header))
    if (owner === null) return null
    if (owner.isSuperUser) return callers.superUser
    const user = directory.snapshot().users.get(owner.name)
    return user !== undefined && user.password === owner.stored ? callers.stored(user) : null
  }

  /** Compares a pair with a hash, once for all who send it at the same time. Null: too many wait. */
  function compare(
    { username, password }: Credentials,
    digest: string,
    stored: string | null,
    client: AbortSignal,
  ): Promise<boolean> | null {
    const key = `${digest} ${stored}`
    const lane = pairs.wasRight(digest, stored) ? 'trusted' : 'untrusted'
    if (!checks.isRunning(key) && !hashes.hasRoom(lane)) return null
    const work = async (signal: AbortSignal): Promise<boolean> => {
      const isRight = await isPassword(password, stored, hashes, signal, lane)
      pairs.remember(digest, { name: username, isSuperUser: false, stored }, isRight)
      return isRight
    }
    return checks.run(key, work, client)
  }

  async function checkPair(header: string, signal: AbortSignal): Promise<Caller | Unauthenticated> {
    const credentials = parseBasic(header)
    if (credentials === null) return WRONG
    const digest = pairs.digest(header)
    const { username: name } = credentials
    if (isSuperUser(credentials)) {
      pairs.remember(digest, { name, isSuperUser: true, stored: null }, true)
      return callers.superUser
    }
    // Every other pair costs the same from here, whether or not there is such a user, the super-user's name included.
    const stored = storedOf(name)
    if (pairs.isWrong(digest, stored)) return WRONG
    const compared = compare(credentials, digest, stored, signal)
    if (compared === null) return BUSY
    const isRight = await compared
    // The user is another one since the comparison has begun.
    if (storedOf(name) !== stored) return checkPair(header, signal)
    const user = directory.snapshot().users.get(name)
    return isRight && user !== undefined ? callers.stored(user) : WRONG
  }

  return {
    cachedCaller(header) {
      if (header === undefined) return callers.anonymous()
      return header.startsWith(BEARER)
        ? (tokens?.cachedCaller(header.slice(BEARER.length)) ?? null)
        : findPair(header)
    },
    async check(header, signal) {
      if (!header.startsWith(BEARER)) return checkPair(header, signal)
      const token = header.slice(BEARER.length)
      return token === '' || tokens === undefined ? WRONG : tokens.check(token, signal)
    },
  }
}

/** The super-user of the configuration. */
interface SuperUser {
  readonly adminUsername: string
  readonly adminPassword: string
}

/** Whether credentials are those of the super-user. The time that it takes reveals nothing of either text. */
function createSuperUserCheck({
  adminUsername,
  adminPassword,
}: SuperUser): (credentials: Credentials) => boolean {
  const name = digest(adminUsername)
  const password = digest(adminPassword)
  return (credentials) => {
    // Both are always compared, and as digests of equal length.
    const nameIsRight = timingSafeEqual(digest(credentials.username), name)
    const passwordIsRight = timingSafeEqual(digest(credentials.password), password)
    return nameIsRight && passwordIsRight
  }
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

interface Credentials {
  readonly username: string
  readonly password: string
}

/**
 * Parses the value of an `Authorization` header: `Basic ` and the canonical base64 of a user name, a colon and a password in
 * UTF-8 (docs/reference/http.md). Null: it is anything else, such as another scheme.
 */
function parseBasic(header: string): Credentials | null {
  if (!header.startsWith('Basic ')) return null
  const encoded = header.slice('Basic '.length)
  const bytes = Buffer.from(encoded, 'base64')
  // `Buffer.from` skips characters that are not base64. Encoding the bytes again detects that.
  if (bytes.toString('base64') !== encoded) return null
  const text = decodeUtf8(bytes)
  const colon = text?.indexOf(':') ?? -1
  if (text === null || colon < 0) return null
  return { username: text.slice(0, colon), password: text.slice(colon + 1) }
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
