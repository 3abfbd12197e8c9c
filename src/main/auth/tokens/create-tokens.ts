import type { Logger } from 'pino'
import { unlessAborted } from '../../../plan/unless-aborted.ts'
import { type TokenCheck, WRONG } from '../authenticate.ts'
import type { Callers } from '../callers.ts'
import type { Directory } from '../directory/directory.ts'
import { createIssuerKeys } from './issuer-keys.ts'
import { createRememberedTokens } from './remembered-tokens.ts'
import { verifyToken } from './verify-token.ts'

/** Checks the tokens of an issuer. */
export interface Tokens extends TokenCheck {
  /** Ends what the issuer is asked. */
  close(): void
}

export interface TokensOptions {
  readonly oidcIssuer: string | null
  readonly oidcJwksUrl: string | null
  readonly oidcAudience: string | null
  readonly oidcRolesClaim: string
  readonly oidcUsernameClaim: string
  readonly oidcJwksCacheTtlSecs: number
  readonly callers: Callers
  readonly directory: Directory
  readonly log: Pick<Logger, 'debug' | 'warn'>
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed?: () => number
  /** For how long requests wait for the issuer. */
  readonly fetchMs?: number
}

/** Longer tokens are refused unread. Node refuses requests with longer headers too, by default. */
const MOST_CHARACTERS = 16_384

const FETCH_MS = 5_000

/** Three parts in the characters of base64url. */
const FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/

/**
 * Checks tokens of the issuer of the settings. Their users may read what their roles allow at the time of the request. None of them is a
 * stored user, `anonymous` or the super-user, whatever its name.
 */
export function createTokens(options: TokensOptions): Tokens {
  const { oidcIssuer: issuer, oidcJwksUrl: url, callers, directory, log } = options
  const { now = Date.now, elapsed = () => performance.now(), fetchMs = FETCH_MS } = options
  if (issuer === null || url === null) throw new Error('Tokens need an issuer and the address of its keys.')
  const rules = {
    issuer,
    audience: options.oidcAudience,
    rolesClaim: options.oidcRolesClaim,
    usernameClaim: options.oidcUsernameClaim,
  }
  const issuerKeys = createIssuerKeys({
    url,
    lifeMs: options.oidcJwksCacheTtlSecs * 1000,
    elapsed,
    fetchMs,
    log,
  })
  const remembered = createRememberedTokens({
    issuer,
    callers,
    directory,
    keys: issuerKeys.latest,
    now,
    elapsed,
  })

  return {
    cachedCaller: (token) => remembered.right(remembered.digest(token)),
    async check(token, signal) {
      if (token.length > MOST_CHARACTERS || !FORM.test(token)) return WRONG
      const digest = remembered.digest(token)
      if (remembered.isWrong(digest)) return WRONG
      let keys = await unlessAborted(issuerKeys.current(), signal)
      if ('status' in keys) return keys
      let verified = await verifyToken(token, keys, rules, now())
      if ('refused' in verified && verified.refused === 'key') {
        const newer = await unlessAborted(issuerKeys.newerThan(keys), signal)
        if (newer !== null) {
          if ('status' in newer) return newer
          keys = newer
          verified = await verifyToken(token, keys, rules, now())
        }
      }
      if (!('refused' in verified)) return remembered.addRight(digest, verified, keys)
      log.debug({ reason: verified.reason }, 'a token was refused')
      if (verified.refused === 'never') remembered.addWrong(digest, keys)
      return WRONG
    },
    close: issuerKeys.close,
  }
}
