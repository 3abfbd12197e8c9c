import { parseBasic } from './basic.ts'
import type { Caller } from './caller.ts'
import type { Callers } from './callers.ts'
import { createSuperUserCheck, type SuperUser } from './super-user.ts'

/** Finds the caller of a request by its `Authorization` header. */
export interface Authenticator {
  /** The caller, if nothing has to be waited for: there is no header, or it was right before. Null: it has to be checked. */
  known(header: string | undefined): Caller | null
  /** Checks a header. */
  check(header: string, signal: AbortSignal): Promise<Caller | Unauthenticated>
}

/** Why a request has no caller: its credentials are wrong, or they cannot be checked now, but in so many seconds. */
export type Unauthenticated = { readonly status: 401 } | { readonly status: 503; readonly retrySecs: number }

export const WRONG: Unauthenticated = Object.freeze({ status: 401 })

export interface AuthenticatorOptions extends SuperUser {
  readonly callers: Callers
}

export function createAuthenticator({ callers, ...superUser }: AuthenticatorOptions): Authenticator {
  const isSuperUser = createSuperUserCheck(superUser)
  return {
    known: (header) => (header === undefined ? callers.anonymous() : null),
    async check(header) {
      const credentials = parseBasic(header)
      return credentials !== null && isSuperUser(credentials) ? callers.superUser : WRONG
    },
  }
}
