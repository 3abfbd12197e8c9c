import { createLru, type Lru } from '../../../../../plan/lru.ts'
import { memoize } from '../../../../../plan/memoize.ts'
import { isSettled, versionKey } from '../../../../../plan/source/version.ts'
import type { Store } from '../../../../store/store.ts'
import type { ByteRange } from '../../../arrays/stored-bytes.ts'
import type { ZarrArray } from '../../stored-zarr.ts'
import type { ObjectReading } from '../stored-part.ts'
import type { ShardIndex } from './shard-index.ts'

/** The most bytes of indexes that a thread keeps: those of half a million chunks. */
const KEPT_BYTES = 8 << 20

type Indexes = Lru<ShardIndex>

function createIndexes(): Indexes {
  return createLru<ShardIndex>(KEPT_BYTES, ({ bytes }) => bytes.byteLength)
}

const settledIndexes = createIndexes()

/** Those of objects that may still change under the same version. Each task reads them again. */
const indexesOf = memoize((_store: Store) => createIndexes())

/** Numbers of arrays. What is kept of an array is not found any more once its store has been opened anew. */
const numberOf = memoize((_array: ZarrArray) => ++lastNumber)
let lastNumber = 0

/** The index of a shard, which is those bytes of an object of an array. It is read once for each version of the object. */
export function readIndexOnce(
  { store, array, source: { version }, key }: ObjectReading,
  { from, length }: ByteRange,
  read: () => ShardIndex,
): ShardIndex {
  const indexes = isSettled(version) ? settledIndexes : indexesOf(store)
  const name = `${numberOf(array)} ${versionKey(version)} ${key} ${from} ${length}`
  const cachedIndex = indexes.get(name)
  if (cachedIndex !== undefined) return cachedIndex
  const index = read()
  indexes.put(name, index)
  return index
}
