export interface Credentials {
  readonly username: string
  readonly password: string
}

/**
 * Parses the value of an `Authorization` header: `Basic ` and the canonical base64 of a user name, a colon and a password in
 * UTF-8 (docs/reference/http.md). Null: it is anything else, such as another scheme.
 */
export function parseBasic(header: string): Credentials | null {
  if (!header.startsWith('Basic ')) return null
  const encoded = header.slice('Basic '.length)
  const bytes = Buffer.from(encoded, 'base64')
  // `Buffer.from` skips characters that are not base64. Encoding the bytes again detects that.
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
