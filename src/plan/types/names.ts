/**
 * Names of columns, none twice: a later one gets the first free `_1`, `_2`, …, as in native DuckDB. `fold` gives what is
 * the same of names that cannot be told apart.
 */
export function distinctNames(
  names: readonly string[],
  fold: (name: string) => string = (name) => name,
): readonly string[] {
  const taken = new Set<string>()
  /** The number to try next, so that many equal names take no longer than as many different ones. */
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
