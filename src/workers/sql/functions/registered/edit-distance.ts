/** The characters of a text, as numbers. */
export type Characters = Uint8Array | Uint32Array

/** The least number of characters to insert, delete or replace that makes one text of another (Levenshtein). */
export function editDistance(a: Characters, b: Characters): number {
  /** The distances of the first characters of `a`, so many as the row's number, to each beginning of `b`. */
  const distances = new Uint32Array(b.length + 1)
  for (let j = 1; j <= b.length; j++) distances[j] = j
  for (let i = 0; i < a.length; i++) {
    const character = a[i]
    let diagonal = i
    let leftDistance = i + 1
    distances[0] = leftDistance
    for (let j = 1; j <= b.length; j++) {
      const above = distances[j] ?? 0
      const replaced = diagonal + (character === b[j - 1] ? 0 : 1)
      const changed = Math.min(leftDistance, above) + 1
      leftDistance = Math.min(replaced, changed)
      diagonal = above
      distances[j] = leftDistance
    }
  }
  return distances[b.length] ?? 0
}
