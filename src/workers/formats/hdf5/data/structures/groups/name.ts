const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** The name of a link or an attribute. Bytes that are no UTF-8 become U+FFFD. */
export function nameIn(bytes: Uint8Array): string {
  return utf8.decode(bytes)
}
