/** A cache by key. Beyond its capacity the values that have not been used for longest are evicted. */
export interface Lru<T> {
  readonly size: number
  /** The weight of all values together. */
  readonly weight: number
  /** The number of values evicted so far. */
  readonly evictions: number
  get(key: string): T | undefined
  put(key: string, value: T): void
  remove(key: string): void
}

/** `capacity` is the greatest weight of all values together, by default their number. The weight of a value must not change. */
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
