/**
 * Whether `If-None-Match` (RFC 9110 §13.1.2) names an entity tag, given with its quotes: the client has the answer already.
 * Weak tags are equal to strong ones here.
 */
export function isMatched(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return header.split(',').some((item) => item.trim().replace(/^W\//, '') === tag)
}
