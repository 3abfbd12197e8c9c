import { isServiceError } from '../../plan/errors.ts'
import { type Credentials, parseBasic } from './basic.ts'
import type { Caller } from './caller.ts'
import type { Callers } from './callers.ts'
import type { Directory } from './directory/directory.ts'
import { isPassword } from './passwords/hash-password.ts'
import type { HashQueue } from './passwords/hash-queue.ts'
import { createRememberedPairs, type RememberedPairsOptions } from './passwords/remembered-pairs.ts'
import { createSharedWork } from './passwords/shared-work.ts'
import { createSuperUserCheck, type SuperUser } from './super-user.ts'

/** Finds the caller of a request by its `Authorization` header. */
export interface Authenticator {
  /** The caller, if nothing has to be waited for: there is no header, or it was right a moment ago. Null: it has to be checked. */
  known(header: string | undefined): Caller | null
  /** Checks a header. Rejects with the signal's reason if that is aborted first. */
  check(header: string, signal: AbortSignal): Promise<Caller | Unauthenticated>
}

/** Why a request has no caller: its credentials are wrong, or they cannot be checked now, but in so many seconds. */
export type Unauthenticated = { readonly status: 401 } | { readonly status: 503; readonly retrySecs: number }

export const WRONG: Unauthenticated = Object.freeze({ status: 401 })

/** Checks tokens, which are what `Bearer ` stands before. */
export interface TokenCheck {
  /** The caller, if the token was verified before and still holds. */
  known(token: string): Caller | null
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

  /** The hash of a user's password, as it is now. */
  function storedOf(name: string): string | null {
    return directory.snapshot().users.get(name)?.password ?? null
  }

  function knownPair(header: string): Caller | null {
    const owner = pairs.right(pairs.digest(header))
    if (owner === null) return null
    if (owner.isSuperUser) return callers.superUser
    const user = directory.snapshot().users.get(owner.name)
    return user !== undefined && user.password === owner.stored ? callers.stored(user) : null
  }

  /** Compares a pair with a hash, once for all who send it at the same time. */
  function compare(
    { username, password }: Credentials,
    digest: string,
    stored: string | null,
    client: AbortSignal,
  ): Promise<boolean> {
    const lane = pairs.wasRight(digest, stored) ? 'known' : 'unknown'
    const work = async (signal: AbortSignal): Promise<boolean> => {
      const isRight = await isPassword(password, stored, hashes, signal, lane)
      pairs.remember(digest, { name: username, isSuperUser: false, stored }, isRight)
      return isRight
    }
    return checks(`${digest} ${stored}`, work, client)
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
    const isRight = !pairs.isWrong(digest, stored) && (await compare(credentials, digest, stored, signal))
    const user = directory.snapshot().users.get(name)
    // The user is another one since the comparison has begun.
    if ((user?.password ?? null) !== stored) return checkPair(header, signal)
    return isRight && user !== undefined ? callers.stored(user) : WRONG
  }

  return {
    known(header) {
      if (header === undefined) return callers.anonymous()
      return header.startsWith(BEARER)
        ? (tokens?.known(header.slice(BEARER.length)) ?? null)
        : knownPair(header)
    },
    async check(header, signal) {
      try {
        if (!header.startsWith(BEARER)) return await checkPair(header, signal)
        const token = header.slice(BEARER.length)
        return token === '' || tokens === undefined ? WRONG : await tokens.check(token, signal)
      } catch (error) {
        if (!isServiceError(error) || error.kind.status !== 503) throw error
        return { status: 503, retrySecs: error.kind.retrySecs ?? 1 }
      }
    },
  }
}
