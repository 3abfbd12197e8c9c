/**
 * Whether a text is like a pattern of SQL, without an escape: `%` stands for any characters, `_` for one. Takes at most the product of
 * both lengths: only the last `%` is ever tried again, since an earlier one could take no more than what lies before it.
 */
export function isLike(text: string, pattern: string): boolean {
  const [characters, signs] = [[...text], [...pattern]]
  let [at, next] = [0, 0]
  /** Where the pattern goes on behind the last `%`, and where the text does then. */
  let again: { readonly next: number; at: number } | null = null
  while (at < characters.length) {
    if (signs[next] === '%') again = { next: ++next, at }
    else if (signs[next] === '_' || signs[next] === characters[at]) {
      at++
      next++
    } else if (again === null) return false
    else {
      at = ++again.at
      next = again.next
    }
  }
  return signs.slice(next).every((sign) => sign === '%')
}
