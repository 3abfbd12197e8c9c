/** What may be seen of a secret. */
export interface SecretHead {
  /** Names are compared exactly. */
  readonly name: string
  /** The name of its type (secret-type.ts). */
  readonly type: string
  /** What it is meant for, such as the beginning of an address. Null: it does not say. */
  readonly scope: string | null
  /** The keys of its values, in lower case, in the order in which they were written. */
  readonly keys: readonly string[]
}

/** A secret whose values are encrypted. */
export interface SealedSecret extends SecretHead {
  /** Its values, as `sealValues` has made it. */
  readonly sealed: string
}

/** A change of the stored secrets. */
export type SecretChange =
  | { readonly kind: 'put_secret'; readonly secret: SealedSecret }
  | { readonly kind: 'drop_secret'; readonly name: string }

/** A change of the stored logins of tables, which are secrets that no statement names. */
export type LoginChange =
  | { readonly kind: 'put_login'; readonly login: SealedSecret }
  | { readonly kind: 'drop_login'; readonly name: string }
