import type { SealedSecret } from './secret.ts'

/** A secret as it is stored (catalog/store/open-catalog.ts). */
export interface StoredSecretRow {
  readonly name: string
  readonly type: string
  readonly scope: string | null
  /** The keys of its values as JSON. */
  readonly keys: string
  readonly sealed: string
}

export function secretRow({ name, type, scope, keys, sealed }: SealedSecret): StoredSecretRow {
  return { name, type, scope, keys: JSON.stringify(keys), sealed }
}

/** The secret that is stored. Keys that cannot be read are none: its values cannot be decrypted then, because the keys are bound in. */
export function secretOfRow({ name, type, scope, keys, sealed }: StoredSecretRow): SealedSecret {
  return Object.freeze({ name, type, scope, keys: keysOf(keys), sealed })
}

function keysOf(json: string): readonly string[] {
  try {
    const keys: unknown = JSON.parse(json)
    return Array.isArray(keys) && keys.every((key) => typeof key === 'string') ? keys : []
  } catch {
    return []
  }
}
