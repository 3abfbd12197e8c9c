import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { SecretHead } from './secret.ts'

const ALGORITHM = 'aes-256-gcm'

/** The sizes that NIST SP 800-38D advises. */
const NONCE_BYTES = 12
const TAG_BYTES = 16

const KEY_BYTES = 32

/** The form of what is sealed. It is a part of the text that is authenticated. */
const VERSION = 1

/** A key that nobody has but this process. */
export function randomKey(): KeyObject {
  return createSecretKey(randomBytes(KEY_BYTES))
}

/** The key that is written in base64. Null: it is none, or not 32 bytes. */
export function keyOf(base64: string): KeyObject | null {
  const bytes = Buffer.from(base64, 'base64')
  // The decoder skips what is no base64.
  const isKey = bytes.length === KEY_BYTES && bytes.toString('base64') === base64
  return isKey ? createSecretKey(bytes) : null
}

/**
 * Encrypts the values of a secret, one for each of its keys. Name, type, scope and keys are not encrypted, but bound in: the values of one
 * secret cannot be read as those of another.
 */
export function sealValues(head: SecretHead, values: readonly string[], key: KeyObject): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(boundText(head))
  const encrypted = [cipher.update(JSON.stringify(values)), cipher.final()]
  return Buffer.concat([nonce, ...encrypted, cipher.getAuthTag()]).toString('base64')
}

/** The values of a secret. Null: they were encrypted under another key, or have been changed. */
export function openValues(head: SecretHead, sealed: string, key: KeyObject): readonly string[] | null {
  const bytes = Buffer.from(sealed, 'base64')
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(boundText(head))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  const decrypted = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
  try {
    return JSON.parse(Buffer.concat([decrypted, decipher.final()]).toString())
  } catch {
    return null
  }
}

function boundText({ name, type, scope, keys }: SecretHead): Buffer {
  return Buffer.from(JSON.stringify([VERSION, name, type, scope, keys]))
}
