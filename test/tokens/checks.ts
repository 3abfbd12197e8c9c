import { pino } from 'pino'
import type { Test } from 'tap'
import type { Unauthenticated } from '../../src/main/auth/authenticate.ts'
import type { Caller } from '../../src/main/auth/caller.ts'
import { createCallers } from '../../src/main/auth/callers.ts'
import { createDirectory } from '../../src/main/auth/directory/create-directory.ts'
import type { Directory } from '../../src/main/auth/directory/directory.ts'
import { createTokens } from '../../src/main/auth/tokens/create-tokens.ts'
import { readConfig } from '../../src/main/settings/config.ts'
import { EMPTY_DIRECTORY } from '../support/empty-directory.ts'
import { startIssuer, type TokenIssuer } from '../support/token-issuer.ts'

/** An issuer, and the checks of its tokens by a service whose clock the test sets. */
export interface Checks {
  readonly issuer: TokenIssuer
  readonly directory: Directory
  readonly log: readonly LogLine[]
  /** What the service answers to a token: whom it takes it for, or a status. */
  check(token: string, signal?: AbortSignal): Promise<Caller | Unauthenticated>
  /** The caller, if the token need not be checked again. */
  known(token: string): Caller | null
  /** The status of a request with the token. */
  status(token: string): Promise<number>
  /** Lets so many seconds pass. */
  pass(seconds: number): void
}

type LogLine = Readonly<Record<string, unknown>>

export async function startChecks(
  t: Test,
  env: Readonly<Record<string, string>> = {},
  options: { readonly fetchMs?: number } = {},
): Promise<Checks> {
  const issuer = await startIssuer()
  t.teardown(() => issuer.close())
  const { config } = readConfig({ ...issuer.settings, SERVICE_AUTH_ENFORCE: 'true', ...env })
  const directory = createDirectory(EMPTY_DIRECTORY)
  const callers = createCallers(directory, config)
  const log: LogLine[] = []
  let passedMs = 0
  const tokens = createTokens({
    ...config,
    callers,
    directory,
    log: pino({ level: 'debug' }, { write: (line) => log.push(JSON.parse(line) as LogLine) }),
    now: () => Date.now() + passedMs,
    elapsed: () => performance.now() + passedMs,
    fetchMs: options.fetchMs ?? 60_000,
  })
  t.teardown(() => tokens.close())
  const check = async (token: string, signal = new AbortController().signal) =>
    tokens.cachedCaller(token) ?? (await tokens.check(token, signal))
  return {
    issuer,
    directory,
    log,
    check,
    known: tokens.cachedCaller,
    async status(token) {
      const answer = await check(token)
      return 'status' in answer ? answer.status : 200
    },
    pass(seconds) {
      passedMs += seconds * 1000
    },
  }
}
