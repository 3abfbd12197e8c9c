/**
 * Whether `If-None-Match` names an entity tag, so that the client has the answer already. `tag` is in quotes. The comparison
 * is the weak one, as RFC 9110 §13.1.2 requires.
 */
export function isMatched(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return header.split(',').some((item) => item.trim().replace(/^W\//, '') === tag)
}
