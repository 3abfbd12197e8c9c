/**
 * An immutable map by names. The map after some changes shares what has not changed with the one before: it is made in about the
 * same time, however many names there are.
 */
export interface NameMap<Value> {
  readonly size: number
  get(name: string): Value | undefined
  has(name: string): boolean
  /** The names with their values, in no order that means something. */
  entries(): Iterable<readonly [string, Value]>
  /** The map in which some names have other values. Null: they have none. */
  with(changes: Iterable<readonly [string, Value | null]>): NameMap<Value>
}

/** The number of buckets. With 10 000 names a bucket has 40, so that a change copies 256 references and 40 entries. */
const BUCKETS = 256

type Bucket<Value> = ReadonlyMap<string, Value>

export function nameMap<Value>(entries: Iterable<readonly [string, Value]> = []): NameMap<Value> {
  const empty: Bucket<Value> = new Map()
  return ofBuckets(Array<Bucket<Value>>(BUCKETS).fill(empty), 0).with(entries)
}

function ofBuckets<Value>(buckets: readonly Bucket<Value>[], size: number): NameMap<Value> {
  const bucketOf = (name: string): Bucket<Value> | undefined => buckets[bucketIndex(name)]
  return {
    size,
    get: (name) => bucketOf(name)?.get(name),
    has: (name) => bucketOf(name)?.has(name) ?? false,
    *entries() {
      for (const bucket of buckets) yield* bucket
    },
    with(changes) {
      const changed = new Map<number, Map<string, Value>>()
      const copyOf = (index: number): Map<string, Value> => {
        const copy = changed.get(index) ?? new Map(buckets[index])
        changed.set(index, copy)
        return copy
      }
      for (const [name, value] of changes) {
        const bucket = copyOf(bucketIndex(name))
        if (value === null) bucket.delete(name)
        else bucket.set(name, value)
      }
      let next = size
      for (const [index, bucket] of changed) next += bucket.size - (buckets[index]?.size ?? 0)
      return ofBuckets(
        buckets.map((bucket, index) => changed.get(index) ?? bucket),
        next,
      )
    },
  }
}

/** A hash of the UTF-16 units of a name. */
function bucketIndex(name: string): number {
  let hash = 0
  for (let index = 0; index < name.length; index++) hash = (Math.imul(hash, 31) + name.charCodeAt(index)) | 0
  return (hash ^ (hash >>> 8)) & (BUCKETS - 1)
}
