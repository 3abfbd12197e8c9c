import { changed, type Directory, type DirectoryChange, type DirectorySnapshot } from './directory.ts'

/** Makes changes durable, all of them or none. Absent: they are gone when the process ends. */
export type CommitDirectory = (changes: readonly DirectoryChange[], signal: AbortSignal) => Promise<void>

/** The changes of one call are made when those of all earlier calls have been made or have failed. */
export function createDirectory(first: DirectorySnapshot, commit: CommitDirectory = inMemory): Directory {
  let snapshot = first
  let last: Promise<unknown> = Promise.resolve()

  async function change(changes: readonly DirectoryChange[], signal: AbortSignal): Promise<void> {
    if (changes.length === 0) return
    const after = changed(snapshot, changes)
    await commit(changes, signal)
    snapshot = after
  }

  return {
    snapshot: () => snapshot,
    change(changes, signal) {
      const made = last.then(() => change(changes(), signal))
      last = made.catch(() => undefined)
      return made
    },
  }
}

async function inMemory(_changes: readonly DirectoryChange[], signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
}
