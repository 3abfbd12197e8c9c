import { createLru } from '../../../../plan/lru.ts'
import { isSettled, versionKey } from '../../../../plan/source/version.ts'
import type { Store } from '../../../store/store.ts'
import type { Hierarchy } from './hierarchy.ts'

/** Bytes of documents whose nodes are kept. Parsed, they take some two times as much memory. */
const KEPT_BYTES = 16 << 20

const cachedHierarchies = createLru<{ readonly hierarchy: Hierarchy; readonly bytes: number }>(
  KEPT_BYTES,
  ({ bytes }) => bytes,
)

/**
 * The nodes of a store, as `read` finds them. They are kept if one document has all of them, which is at `key`: each group is opened by
 * itself, and a store may have thousands of them.
 */
export function readHierarchyOnce(store: Store, key: string, read: () => Hierarchy): Hierarchy {
  const source = store.open(key)
  if (source === null) return read()
  const id = `${store.file.location}/${key} ${versionKey(source.version)}`
  const cached = cachedHierarchies.get(id)
  if (cached !== undefined) return cached.hierarchy
  const hierarchy = read()
  if (hierarchy.isConsolidated && isSettled(source.version))
    cachedHierarchies.put(id, { hierarchy, bytes: source.size })
  return hierarchy
}
