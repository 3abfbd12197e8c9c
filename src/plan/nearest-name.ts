/** The most edits between a name and the one that is suggested for it. */
const MOST_EDITS = 2

/**
 * The name among `names` that was probably meant by `name`: one that differs in case alone, or else the nearest by at most two
 * edits, and by fewer than half as many as the longer of both has characters. An edit inserts, removes or replaces a character, or
 * exchanges two neighbours. Of equally near names it is the first. Null: none is near.
 */
export function nearestName(name: string, names: readonly string[]): string | null {
  const lower = name.toLowerCase()
  let nearest: string | null = null
  let fewest = MOST_EDITS + 1
  for (const candidate of names) {
    const edits = editsBetween(lower, candidate.toLowerCase(), MOST_EDITS)
    if (edits >= fewest || edits >= Math.max(name.length, candidate.length) / 2) continue
    nearest = candidate
    fewest = edits
  }
  return nearest
}

/** The end of an error message that suggests the nearest name: `, did you mean "limit"?`. Empty if none is near. */
export function didYouMean(name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names)
  return nearest === null ? '' : `, did you mean "${nearest}"?`
}

/** The most names, and about the most characters, that a list in a message has. */
const MOST_LISTED = 20
const MOST_CHARACTERS = 300

/** Names as an error message lists them: the first ones in quotes, and how many more there are. */
export function listNames(names: readonly string[]): string {
  const listed: string[] = []
  let characters = 0
  for (const name of names.slice(0, MOST_LISTED)) {
    characters += name.length
    if (characters > MOST_CHARACTERS && listed.length > 0) break
    listed.push(`"${name}"`)
  }
  const rest = names.length - listed.length
  return rest > 0 ? `${listed.join(', ')} and ${rest} more` : listed.join(', ')
}

/**
 * The fewest edits that make `right` of `left`. Infinity: more than `most`. Characters that are equal at the beginning need no
 * edit, so the time is proportional to the length, with a factor of four for each edit.
 */
function editsBetween(left: string, right: string, most: number): number {
  if (Math.abs(left.length - right.length) > most) return Number.POSITIVE_INFINITY
  let start = 0
  while (start < left.length && left[start] === right[start]) start++
  const [a, b] = [left.slice(start), right.slice(start)]
  if (a === b) return 0
  if (most === 0) return Number.POSITIVE_INFINITY
  const rest = [
    editsBetween(a.slice(1), b.slice(1), most - 1),
    editsBetween(a.slice(1), b, most - 1),
    editsBetween(a, b.slice(1), most - 1),
  ]
  if (a[0] === b[1] && a[1] === b[0]) rest.push(editsBetween(a.slice(2), b.slice(2), most - 1))
  return 1 + Math.min(...rest)
}
