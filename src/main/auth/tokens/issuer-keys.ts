import { createLocalJWKSet, type LocalJWKSet } from 'jose/jwks/local'
import type { Logger } from 'pino'

/** The keys of one document. As long as the issuer sends the same text they are the same object. */
export interface KeySet {
  readonly text: string
  /** Finds the key of a token, by its `kid` and algorithm. */
  readonly find: LocalJWKSet
}

/** The keys are not known now, but may be in so many seconds. */
interface Unavailable {
  readonly status: 503
  readonly retrySecs: number
}

/** The public keys of an issuer. One request for them runs at a time. */
export interface IssuerKeys {
  /** The keys that were fetched last, even if their life has ended. */
  latest(): KeySet | null
  /** The keys, which are fetched if their life has ended. */
  current(): Promise<KeySet | Unavailable>
  /** Keys for a token whose key is not among these: the issuer may have changed them. Null: there are no others for now. */
  newerThan(keys: KeySet): Promise<KeySet | Unavailable | null>
  /** Ends the request that runs. */
  close(): void
}

export interface IssuerKeysOptions {
  readonly url: string
  readonly lifeMs: number
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed: () => number
  /** For how long requests wait for the issuer. */
  readonly fetchMs: number
  readonly log: Pick<Logger, 'warn'>
}

/** While keys are kept, they are not fetched sooner again: tokens with keys that do not exist must not keep the issuer busy. */
const REFRESH_MS = 30_000

/** While none are kept, nobody can use a token. */
const RETRY_MS = 5_000

/** Keys are fetched again, without anybody waiting, once so much of their life is over: an issuer may be away for the rest. */
const EARLY = 3 / 4

export function createIssuerKeys({ url, lifeMs, elapsed, fetchMs, log }: IssuerKeysOptions): IssuerKeys {
  const closing = new AbortController()
  let latestKeys: KeySet | null = null
  let fetchedMs = Number.NEGATIVE_INFINITY
  let nextMs = Number.NEGATIVE_INFINITY
  let hasFailed = false
  let fetching: Promise<void> | null = null

  const ageMs = (): number => elapsed() - fetchedMs
  const mayFetch = (): boolean => fetching !== null || elapsed() >= nextMs
  const alive = (): KeySet | null => (ageMs() < lifeMs ? latestKeys : null)

  async function refetch(): Promise<void> {
    try {
      const text = await fetchDocument(url, AbortSignal.any([AbortSignal.timeout(fetchMs), closing.signal]))
      if (text !== latestKeys?.text) latestKeys = { text, find: createLocalJWKSet(JSON.parse(text)) }
      fetchedMs = elapsed()
      nextMs = fetchedMs + Math.min(REFRESH_MS, lifeMs)
      hasFailed = false
    } catch (error) {
      nextMs = elapsed() + (alive() === null ? RETRY_MS : REFRESH_MS)
      hasFailed = true
      if (!closing.signal.aborted)
        log.warn({ reason: reasonOf(error) }, 'the keys of the issuer of tokens could not be fetched')
    }
  }

  function fetchOnce(): Promise<void> {
    fetching ??= refetch().finally(() => {
      fetching = null
    })
    return fetching
  }

  const unavailable = (): Unavailable => ({
    status: 503,
    retrySecs: Math.max(1, Math.ceil((nextMs - elapsed()) / 1000)),
  })

  return {
    latest: () => latestKeys,
    async current() {
      const keys = alive()
      if (keys !== null) {
        if (ageMs() >= lifeMs * EARLY && mayFetch()) void fetchOnce()
        return keys
      }
      if (!mayFetch()) return unavailable()
      await fetchOnce()
      return hasFailed || latestKeys === null ? unavailable() : latestKeys
    },
    async newerThan(keys) {
      if (latestKeys === keys && mayFetch()) await fetchOnce()
      if (latestKeys !== keys) return latestKeys
      return hasFailed ? unavailable() : null
    },
    close: () => closing.abort(),
  }
}

/** What was wrong, as one text: `fetch` says it in the cause of its error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

/** The most bytes of a document with keys: some 500 keys with certificates. */
const MOST_BYTES = 1 << 18

/**
 * Fetches a JSON document. Rejects if it has not all arrived when the signal is aborted, if it is too long, or if the status is not 200.
 * Redirects are not followed: whom the service trusts is in its settings alone.
 */
async function fetchDocument(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { redirect: 'manual', signal, headers: { accept: 'application/json' } })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`The status is ${response.status}.`)
  }
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    // Leaving the loop closes the connection.
    if (bytes > MOST_BYTES) throw new Error(`The document has more than ${MOST_BYTES} bytes.`)
    chunks.push(chunk)
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
}
