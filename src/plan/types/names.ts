/**
 * Makes names of columns distinct: the later of two equal names gets the first free suffix `_1`, `_2`, …, as in native DuckDB.
 * `fold` gives the same text for names that count as equal.
 */
export function distinctNames(
  names: readonly string[],
  fold: (name: string) => string = (name) => name,
): readonly string[] {
  const taken = new Set<string>()
  /** The next suffix to try for each name, so that many equal names take linear time. */
  const next = new Map<string, number>()
  return names.map((name) => {
    const key = fold(name)
    let free = name
    let n = next.get(key) ?? 1
    for (; taken.has(fold(free)); n++) free = `${name}_${n}`
    next.set(key, n)
    taken.add(fold(free))
    return free
  })
}
