/** Counts how often keys were asked for lately, whether they were cached or not. */
export interface Uses {
  add(key: string): void
  of(key: string): number
}

/**
 * After this number of uses all counts are halved, and keys that were used once are dropped. It bounds the number of keys,
 * which take about 200 bytes each.
 */
const PERIOD = 16_384

export function createUses(): Uses {
  const counts = new Map<string, number>()
  let added = 0
  return {
    add(key) {
      counts.set(key, (counts.get(key) ?? 0) + 1)
      if (++added < PERIOD) return
      added = 0
      for (const [each, count] of counts) {
        if (count > 1) counts.set(each, count >> 1)
        else counts.delete(each)
      }
    },
    of: (key) => counts.get(key) ?? 0,
  }
}
