/** What was used last, by key; beyond its capacity what was longest not used is forgotten. */
export interface Lru<T> {
  readonly size: number
  /** Of all values together. */
  readonly weight: number
  /** Values that were forgotten to keep others. */
  readonly evictions: number
  get(key: string): T | undefined
  put(key: string, value: T): void
  remove(key: string): void
}

/** `capacity` is a number of values, or what they may weigh together. A value must not change its weight. */
export function createLru<T>(
  capacity: number,
  weightOf: (value: T, key: string) => number = () => 1,
): Lru<T> {
  const values = new Map<string, T>()
  let weight = 0
  let evictions = 0

  function remove(key: string): void {
    const value = values.get(key)
    if (value === undefined) return
    values.delete(key)
    weight -= weightOf(value, key)
  }

  return {
    get size() {
      return values.size
    },
    get weight() {
      return weight
    },
    get evictions() {
      return evictions
    },
    get(key) {
      const value = values.get(key)
      if (value !== undefined) {
        values.delete(key)
        values.set(key, value)
      }
      return value
    },
    put(key, value) {
      remove(key)
      values.set(key, value)
      weight += weightOf(value, key)
      for (const oldest of values.keys()) {
        if (weight <= capacity) break
        remove(oldest)
        evictions++
      }
    },
    remove,
  }
}
