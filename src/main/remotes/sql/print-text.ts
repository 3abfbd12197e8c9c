/** Longer text is not sent: a statement has to fit into the body of a request. */
const MOST_CHARACTERS = 4096

/** The text of UTF-8 bytes as a literal. Null: it has no form that all remotes read alike. */
export function printText(bytes: Uint8Array): string | null {
  if (bytes.length > MOST_CHARACTERS) return null
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes('\0') ? null : `'${text.replaceAll("'", "''")}'`
  } catch {
    return null
  }
}
