export interface Credentials {
  readonly username: string
  readonly password: string
}

/**
 * The value of an `Authorization` header: `Basic `, standard base64 of UTF-8, split at the first colon
 * (docs/reference/http.md). Null for anything else, another scheme included.
 */
export function parseBasic(header: string): Credentials | null {
  if (!header.startsWith('Basic ')) return null
  const encoded = header.slice('Basic '.length)
  const bytes = Buffer.from(encoded, 'base64')
  // Buffer.from skips what is not base64; only the canonical form comes back as it was.
  if (bytes.toString('base64') !== encoded) return null
  const text = decodeUtf8(bytes)
  const colon = text?.indexOf(':') ?? -1
  if (text === null || colon < 0) return null
  return { username: text.slice(0, colon), password: text.slice(colon + 1) }
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
