const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** The bytes that base64 stands for, which must have its padding. Null: the text is no base64. */
export function base64Bytes(text: string): Uint8Array | null {
  return BASE64.test(text) ? Uint8Array.from(Buffer.from(text, 'base64')) : null
}
