import { ServiceError } from '../../../plan/errors.ts'

const SHA_256_BYTES = 32

/**
 * The SHA-256 in a `Content-Digest` header (RFC 9530), such as `sha-256=:base64:`, among others. Null: there is no header. Throws
 * `invalid_parameter` if it has none, since a digest that is not checked is no use to its sender.
 */
export function contentDigest(header: string | string[] | undefined): Buffer | null {
  if (header === undefined) return null
  const [, encoded] = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):\s*(?:$|,)/.exec(String(header)) ?? []
  const digest = Buffer.from(encoded ?? '', 'base64')
  if (digest.length === SHA_256_BYTES) return digest
  throw new ServiceError(
    'invalid_parameter',
    'Content-Digest must have the SHA-256 of the body in base64, as sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:.',
  )
}
