import type { KeyObject } from 'node:crypto'
import { sortedByBytes } from '../../plan/byte-order.ts'
import { ServiceError } from '../../plan/errors.ts'
import { didYouMean } from '../../plan/nearest-name.ts'
import { openValues, randomKey, sealValues } from './seal.ts'
import type { SealedSecret, SecretChange } from './secret.ts'
import type { NewSecret, Secrets } from './secrets.ts'

export interface SecretsOptions {
  /** The first one encrypts, and all of them decrypt. Empty: no secret can be stored. */
  readonly keys: readonly KeyObject[]
  /** Those that are stored. Absent: there are none. */
  readonly stored?: readonly SealedSecret[]
  /** Makes changes durable, all of them or none. */
  readonly commit: (changes: readonly SecretChange[], signal: AbortSignal) => Promise<void>
  /** Is called when a change can be seen. */
  readonly onShown?: () => void
}

/** Secrets, and when all changes that they were asked for have been made or have failed. */
export interface CreatedSecrets extends Secrets {
  /** The names of stored ones that no key decrypts. */
  unreadable(): readonly string[]
  /** Encrypts stored secrets under the first key that others have encrypted, so that the others are no longer needed. */
  rotate(signal: AbortSignal): Promise<void>
  settled(): Promise<void>
}

interface KeptSecret extends SealedSecret {
  readonly isPersistent: boolean
}

/** The changes of one call are made when those of all earlier calls have been made or have failed. */
export function createSecrets(options: SecretsOptions): CreatedSecrets {
  const { keys, stored = [], commit, onShown = () => undefined } = options
  const [firstKey] = keys
  // Values of temporary secrets are encrypted too, so that none of the service's data has them in clear.
  const processKeys = [randomKey()] as const
  let secretsByName: ReadonlyMap<string, KeptSecret> = new Map(
    stored.map((secret) => [secret.name, { ...secret, isPersistent: true }]),
  )
  let last: Promise<unknown> = Promise.resolve()

  function inOrder(change: () => Promise<void>): Promise<void> {
    const nextChange = last.then(change)
    last = nextChange.catch(() => undefined)
    return nextChange
  }

  function valuesOf(secret: KeptSecret): readonly string[] | null {
    for (const key of secret.isPersistent ? keys : processKeys) {
      const values = openValues(secret, secret.sealed, key)
      if (values !== null) return values
    }
    return null
  }

  async function putNow(secret: NewSecret, signal: AbortSignal): Promise<void> {
    const { name, isPersistent, values } = secret
    const existing = secretsByName.get(name)
    if (existing !== undefined && secret.keepsExisting) return
    const key = isPersistent ? firstKey : processKeys[0]
    if (key === undefined) throw noKey()
    const head = { name, type: secret.type, scope: secret.scope, keys: secret.keys }
    const sealedSecret = Object.freeze({ ...head, sealed: sealValues(head, values, key) })
    if (isPersistent) await commit([{ kind: 'put_secret', secret: sealedSecret }], signal)
    else if (existing?.isPersistent) await commit([{ kind: 'drop_secret', name }], signal)
    else signal.throwIfAborted()
    secretsByName = new Map(secretsByName).set(name, { ...sealedSecret, isPersistent })
    onShown()
  }

  async function dropNow(name: string, isIfExists: boolean, signal: AbortSignal): Promise<void> {
    const existing = secretsByName.get(name)
    if (existing === undefined) {
      if (isIfExists) return
      throw unknownSecret(name, [...secretsByName.keys()])
    }
    if (existing.isPersistent) await commit([{ kind: 'drop_secret', name }], signal)
    else signal.throwIfAborted()
    const remaining = new Map(secretsByName)
    remaining.delete(name)
    secretsByName = remaining
    onShown()
  }

  async function rotateNow(signal: AbortSignal): Promise<void> {
    if (firstKey === undefined) return
    const changed = [...secretsByName.values()].flatMap((secret): readonly KeptSecret[] => {
      if (!secret.isPersistent || openValues(secret, secret.sealed, firstKey) !== null) return []
      const values = valuesOf(secret)
      return values === null ? [] : [{ ...secret, sealed: sealValues(secret, values, firstKey) }]
    })
    if (changed.length === 0) return
    await commit(
      changed.map(({ isPersistent: _, ...secret }) => ({ kind: 'put_secret', secret })),
      signal,
    )
    secretsByName = new Map([...secretsByName, ...changed.map((secret) => [secret.name, secret] as const)])
  }

  return {
    list: () =>
      sortedByBytes([...secretsByName.keys()]).flatMap((listed) => {
        const secret = secretsByName.get(listed)
        if (secret === undefined) return []
        const { sealed: _, ...head } = secret
        return [head]
      }),
    read(name) {
      const secret = secretsByName.get(name)
      // Whoever reads a table that names a secret gets this: it tells nothing of others.
      if (secret === undefined) throw unknownSecret(name, [])
      const values = valuesOf(secret)
      if (values === null) throw unreadableSecret(name)
      const entries = secret.keys.map((key, index) => [key, values[index] ?? ''])
      return { name, type: secret.type, values: Object.fromEntries(entries) }
    },
    put: (secret, signal) => inOrder(() => putNow(secret, signal)),
    drop: (name, isIfExists, signal) => inOrder(() => dropNow(name, isIfExists, signal)),
    rotate: (signal) => inOrder(() => rotateNow(signal)),
    unreadable: () =>
      [...secretsByName.values()].flatMap((secret) => (valuesOf(secret) === null ? [secret.name] : [])),
    settled: () => last.then(() => undefined),
  }
}

function noKey(): ServiceError {
  return new ServiceError(
    'no_secrets_key',
    'A secret is stored encrypted, and SERVICE_SECRETS_KEY, the key for that, is not set. Set it (32 random bytes in base64) and start the service again, or write CREATE TEMPORARY SECRET, which lasts until the service ends.',
    { quotesNothing: true },
  )
}

function unknownSecret(name: string, names: readonly string[]): ServiceError {
  return new ServiceError(
    'unknown_secret',
    `There is no secret ${shown(name)}${didYouMean(name, names) || '; SHOW SECRETS lists them.'}`,
  )
}

function unreadableSecret(name: string): ServiceError {
  return new ServiceError(
    'unreadable_secret',
    `The secret ${shown(name)} cannot be decrypted: SERVICE_SECRETS_KEY does not have the key under which it was stored, or what is stored has been changed. Add that key behind the first one and start the service again, or CREATE the secret again.`,
  )
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 255))
}
