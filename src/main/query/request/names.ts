/**
 * The end of an error message that suggests the name that was probably meant: `, did you mean "limit"?`. That is one which
 * differs in case alone, or else the nearest by at most two edits, and by at most half as many as it has characters. Empty
 * if there is no such name.
 */
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

/** Names of more characters are not compared: computing the distance takes time proportional to the product of the lengths. */
const MOST_COMPARED = 64

/** The Levenshtein distance. Infinity for names that are too long, or whose lengths differ by more than two. */
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

/** Names as an error message lists them: the first 20 in quotes, and how many more there are. */
export function listNames(names: readonly string[]): string {
  const listed = names.slice(0, 20).map((name) => `"${name}"`)
  const rest = names.length - listed.length
  return rest > 0 ? `${listed.join(', ')} and ${rest} more` : listed.join(', ')
}
