import { constants, hash, publicEncrypt } from 'node:crypto'

/** The bytes of a challenge. */
export const CHALLENGE_BYTES = 20

/** The answers to a challenge by which the server sees that a password is right (MySQL, "Authentication Methods"). */
export type Scramble = (password: string, challenge: Uint8Array) => Buffer

export const SCRAMBLES: ReadonlyMap<string, Scramble> = new Map([
  ['mysql_native_password', nativePassword],
  ['caching_sha2_password', cachingSha2Password],
])

/** SHA1(password) xor SHA1(challenge, SHA1(SHA1(password))). */
function nativePassword(password: string, challenge: Uint8Array): Buffer {
  if (password === '') return Buffer.alloc(0)
  const once = digest('sha1', password)
  return xor(once, digest('sha1', Buffer.concat([challenge, digest('sha1', once)])))
}

/** SHA256(password) xor SHA256(SHA256(SHA256(password)), challenge). */
function cachingSha2Password(password: string, challenge: Uint8Array): Buffer {
  if (password === '') return Buffer.alloc(0)
  const once = digest('sha256', password)
  return xor(once, digest('sha256', Buffer.concat([digest('sha256', once), challenge])))
}

/** The password and a zero, as servers get it in TLS. */
export function clearPassword(password: string): Buffer {
  return Buffer.from(`${password}\0`)
}

/** The password for whoever has the private key. Throws for a key that is none. */
export function encryptedPassword(password: string, challenge: Uint8Array, key: Buffer): Buffer {
  const clear = clearPassword(password)
  const masked = clear.map((byte, index) => byte ^ (challenge[index % challenge.length] ?? 0))
  return publicEncrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' }, masked)
}

function digest(algorithm: string, data: string | Uint8Array): Buffer {
  return hash(algorithm, data, 'buffer')
}

function xor(a: Buffer, b: Buffer): Buffer {
  return Buffer.from(a.map((byte, index) => byte ^ (b[index] ?? 0)))
}
