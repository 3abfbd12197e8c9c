import type { ObjectVersion } from '../../plan/source/object.ts'
import type { FileVersion } from '../../plan/source/version.ts'
import type { Store } from './store.ts'

/** A store that records which objects are opened through it, also those that were opened before. */
export interface Recording {
  readonly store: Store
  objects(): readonly ObjectVersion[]
}

export function record(store: Store): Recording {
  const { location } = store.file
  const opened = new Map<string, FileVersion | null>()
  return {
    store: {
      ...store,
      open(key) {
        const source = store.open(key)
        opened.set(`${location}/${key}`, source?.version ?? null)
        return source
      },
    },
    objects: () => [...opened].map(([at, version]) => ({ location: at, version })),
  }
}
