import { createLru } from '../../../plan/lru.ts'
import type { Caller } from '../caller.ts'
import type { Callers } from '../callers.ts'
import type { Directory, DirectorySnapshot } from '../directory/directory.ts'
import { createKeyedDigest } from '../keyed-digest.ts'
import type { Principal } from '../principal.ts'
import type { KeySet } from './issuer-keys.ts'
import type { Identity } from './verify-token.ts'

/** Tokens that were verified a moment ago. Nothing is kept of them but a digest and what they say about their user. */
export interface RememberedTokens {
  /** By what a token is found. */
  digest(token: string): string
  /** The user of a token that was right, with the rights that its roles have now. */
  right(digest: string): Caller | null
  isWrong(digest: string): boolean
  addRight(digest: string, identity: Identity, keys: KeySet): Caller
  addWrong(digest: string, keys: KeySet): void
}

export interface RememberedTokensOptions {
  readonly issuer: string
  readonly callers: Callers
  readonly directory: Directory
  /** The keys that the issuer has. What was checked with others is forgotten. */
  readonly keys: () => KeySet | null
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed: () => number
}

/** For how long a check holds. */
const HOLDS_MS = 60_000

/** Characters of the names and roles of all users, each token counting for some more. */
const MOST_RIGHT = 1 << 23
const TOKEN_CHARACTERS = 512

const MOST_WRONG = 4096

interface RightToken extends Checked {
  readonly principal: Principal
  /** When the token ends. Milliseconds since 1970. */
  readonly endMs: number
  readonly roles: readonly string[]
  /** The caller that was made last, and of which users and roles. */
  caller: Caller
  snapshot: DirectorySnapshot
}

interface Checked {
  readonly keys: KeySet
  readonly untilMs: number
}

export function createRememberedTokens({
  issuer,
  callers,
  directory,
  keys: present,
  now,
  elapsed,
}: RememberedTokensOptions): RememberedTokens {
  // Apart, so that no number of wrong ones pushes out a right one.
  const right = createLru<RightToken>(MOST_RIGHT, ({ principal, roles }) =>
    roles.reduce((total, role) => total + role.length, TOKEN_CHARACTERS + principal.name.length),
  )
  const wrong = createLru<Checked>(MOST_WRONG)
  const holds = ({ keys, untilMs }: Checked): boolean => keys === present() && elapsed() < untilMs

  return {
    digest: createKeyedDigest(),
    right(digest) {
      const token = right.get(digest)
      if (token === undefined || !holds(token) || now() >= token.endMs) return null
      const snapshot = directory.snapshot()
      if (token.snapshot !== snapshot) {
        token.caller = callers.withRoles(token.principal, token.roles)
        token.snapshot = snapshot
      }
      return token.caller
    },
    isWrong(digest) {
      const token = wrong.get(digest)
      return token !== undefined && holds(token)
    },
    addRight(digest, { name, roles, endMs }, keys) {
      const principal: Principal = { source: 'token', issuer, name }
      const caller = callers.withRoles(principal, roles)
      const untilMs = elapsed() + HOLDS_MS
      right.put(digest, { keys, untilMs, endMs, principal, roles, caller, snapshot: directory.snapshot() })
      return caller
    },
    addWrong: (digest, keys) => wrong.put(digest, { keys, untilMs: elapsed() + HOLDS_MS }),
  }
}
