import { notPlain } from '../not-plain.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The name of a link or an attribute. Throws `NotPlain` for bytes that are no UTF-8. */
export function nameIn(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw notPlain('a name that is not UTF-8')
  }
}
