/** A map of entries. Throws a TypeError if two of them have the same key. */
export function uniqueMap<T>(entries: readonly (readonly [string, T])[]): ReadonlyMap<string, T> {
  const map = new Map<string, T>()
  for (const [key, value] of entries) {
    if (map.has(key)) throw new TypeError(`two rows are known by "${key}"`)
    map.set(key, value)
  }
  return map
}
