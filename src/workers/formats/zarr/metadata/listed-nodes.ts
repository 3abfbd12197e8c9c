import { getOrMake } from '../../../../plan/get-or-make.ts'
import type { Store } from '../../../store/store.ts'
import { type Hierarchy, keyIn, type Node } from './hierarchy.ts'

/** Reads the node of a folder from its own documents. Null: the folder is no node. */
export type ReadNode = (key: string) => Node | null

/** The nodes of a store, found by listing the folders of groups. The folders of arrays are not listed. */
export function listedNodes(store: Store, root: Node, read: ReadNode): Hierarchy {
  const nodesByGroup = new Map<string, readonly Node[]>()
  return {
    isConsolidated: false,
    root,
    nodeOf: (key) => (key === '' ? root : read(key)),
    nodesIn({ key }) {
      return getOrMake(nodesByGroup, key, () =>
        store.foldersIn(key).flatMap((name) => read(keyIn(key, name)) ?? []),
      )
    },
  }
}
