import { hash, randomBytes } from 'node:crypto'

/**
 * Makes digests of secrets under a key that nobody has but this process: secrets are found again by them, and need not be kept. It is one
 * hash of key and text, which takes a microsecond or two. An HMAC takes 17, and is for digests that others see.
 */
export function createKeyedDigest(): (secret: string) => string {
  // All keys have one length, so that no other key and secret give the same text.
  const key = randomBytes(32).toString('hex')
  return (secret) => hash('sha256', key + secret, 'base64')
}
