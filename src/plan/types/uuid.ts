/** Hexadecimal digits in groups of 8, 4, 4, 4 and 12, which hyphens separate, or no hyphens at all. */
const UUID = /^[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}$/i

/** Bytes of a UUID. */
export const UUID_BYTES = 16

/** The name of Arrow's extension type for UUIDs. */
export const UUID_EXTENSION = 'arrow.uuid'

/** The bytes of a UUID's text, in any case, with or without hyphens. Null: it is not a UUID. */
export function parseUuid(text: string): Uint8Array | null {
  if (!UUID.test(text)) return null
  return new Uint8Array(Buffer.from(text.replaceAll('-', ''), 'hex'))
}

/** The text of 16 bytes, in lower case with hyphens. */
export function printUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
