import { hash } from 'node:crypto'
import { etc, Point } from '@noble/ed25519'

/** The bytes of a challenge. */
export const SIGNED_BYTES = 32

/**
 * The signature of a challenge that `ed25519` of MariaDB asks for. It is Ed25519 (RFC 8032, 5.1.6) whose secret key is the password: one of any
 * length, which `node:crypto` does not sign with.
 */
export function ed25519Signature(password: string, challenge: Uint8Array): Buffer {
  const secret = digest(Buffer.from(password))
  const scalar = clampScalar(secret.subarray(0, SIGNED_BYTES))
  const key = multiplyBase(scalar)
  const nonce = readScalar(digest(secret.subarray(SIGNED_BYTES), challenge))
  const point = multiplyBase(nonce)
  const proof = etc.mod(nonce + readScalar(digest(point, key, challenge)) * scalar, ORDER)
  return Buffer.concat([point, writeScalar(proof)])
}

/** The order of the group. */
const ORDER = Point.CURVE().n

/** A scalar of which some bits are always the same, so that it is a multiple of 8 and as long as others. */
function clampScalar(bytes: Buffer): bigint {
  const copy = Buffer.from(bytes)
  copy[0] = (copy[0] ?? 0) & 0xf8
  copy[31] = ((copy[31] ?? 0) & 0x3f) | 0x40
  return readScalar(copy)
}

/** So many times the base point. */
function multiplyBase(scalar: bigint): Buffer {
  return Buffer.from(Point.BASE.multiply(scalar).toBytes())
}

/** A number of little endian bytes as a scalar. */
function readScalar(bytes: Buffer): bigint {
  return etc.mod(BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`), ORDER)
}

function writeScalar(scalar: bigint): Buffer {
  return Buffer.from(scalar.toString(16).padStart(2 * SIGNED_BYTES, '0'), 'hex').reverse()
}

function digest(...parts: readonly Uint8Array[]): Buffer {
  return hash('sha512', Buffer.concat(parts), 'buffer')
}
