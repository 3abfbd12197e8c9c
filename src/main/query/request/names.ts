/** `, did you mean "limit"?`, or nothing if none is near: equal but for case, or within two edits and half its length. */
export function didYouMean(name: string, names: readonly string[]): string {
  const lower = name.toLowerCase()
  const nearest =
    names.find((candidate) => candidate.toLowerCase() === lower) ??
    names
      .map((candidate) => ({ candidate, edits: editDistance(lower, candidate.toLowerCase()) }))
      .filter(({ candidate, edits }) => edits <= Math.min(2, candidate.length / 2))
      .sort((a, b) => a.edits - b.edits)[0]?.candidate
  return nearest === undefined ? '' : `, did you mean "${nearest}"?`
}

/** Names longer than this are not compared: the distance takes time in the product of the lengths. */
const MOST_COMPARED = 64

/** Levenshtein's distance, one row of the table at a time; Infinity for names too long or too different in length. */
function editDistance(left: string, right: string): number {
  if (Math.max(left.length, right.length) > MOST_COMPARED || Math.abs(left.length - right.length) > 2) {
    return Number.POSITIVE_INFINITY
  }
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (const [i, character] of [...left].entries()) {
    const next = [i + 1]
    for (let j = 0; j < right.length; j++) {
      const substitute = (row[j] ?? 0) + (character === right[j] ? 0 : 1)
      next.push(Math.min(substitute, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[right.length] ?? 0
}

/** Names for a message: the first twenty, quoted, and how many more there are. */
export function listNames(names: readonly string[]): string {
  const listed = names.slice(0, 20).map((name) => `"${name}"`)
  const rest = names.length - listed.length
  return rest > 0 ? `${listed.join(', ')} and ${rest} more` : listed.join(', ')
}
