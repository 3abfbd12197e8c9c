import type { SecretHead } from './secret.ts'

/** The secrets of the super-user, by which the service logs in elsewhere. Nobody reads a value back: `read` is for connections. */
export interface Secrets {
  /** By name, in UTF-8 byte order. */
  list(): readonly ListedSecret[]
  /** The values of a secret by their keys. Throws `unknown_secret`, and `unreadable_secret` if they cannot be decrypted. */
  read(name: string): ReadSecret
  /**
   * Puts a secret in place of the one of its name, whether or not that was stored. A stored one is on the disk before this resolves.
   * Throws `no_secrets_key` if it is to be stored and there is no key, and rejects as `Catalog.change` does.
   */
  put(secret: NewSecret, signal: AbortSignal): Promise<void>
  /** Deletes a secret, also one that cannot be decrypted. Throws `unknown_secret` if there is none, unless `isIfExists`. */
  drop(name: string, isIfExists: boolean, signal: AbortSignal): Promise<void>
}

interface ListedSecret extends SecretHead {
  /** Whether it is stored. Otherwise it ends with the process. */
  readonly isPersistent: boolean
}

interface ReadSecret extends Pick<SecretHead, 'name' | 'type'> {
  readonly values: Readonly<Record<string, string>>
}

export interface NewSecret extends ListedSecret {
  /** One for each key. */
  readonly values: readonly string[]
  /** Whether one of its name stays as it is. */
  readonly keepsExisting: boolean
}
