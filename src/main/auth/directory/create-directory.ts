import { applyChanges, type Directory, type DirectoryChange, type DirectorySnapshot } from './directory.ts'

/** Makes changes durable, all of them or none. Absent: they are gone when the process ends. */
type CommitDirectory = (changes: readonly DirectoryChange[], signal: AbortSignal) => Promise<void>

export interface DirectoryOptions {
  readonly commit?: CommitDirectory
  /** The names of stored users that cannot be read. Absent: there are none. */
  readonly unreadable?: Iterable<string>
  /** Is called when a change can be seen. */
  readonly onShown?: () => void
}

/** A directory, and when all changes that it was asked for have been made or have failed. */
export interface CreatedDirectory extends Directory {
  settled(): Promise<void>
}

/** The changes of one call are made when those of all earlier calls have been made or have failed. */
export function createDirectory(
  first: DirectorySnapshot,
  { commit = inMemory, unreadable = [], onShown = () => undefined }: DirectoryOptions = {},
): CreatedDirectory {
  const unreadableNames = new Set(unreadable)
  let snapshot = first
  let last: Promise<unknown> = Promise.resolve()

  async function change(changes: readonly DirectoryChange[], signal: AbortSignal): Promise<void> {
    if (changes.length === 0) return
    const after = applyChanges(snapshot, changes)
    await commit(changes, signal)
    snapshot = after
    for (const each of changes) {
      if (each.kind === 'drop_user') unreadableNames.delete(each.name)
      if (each.kind === 'put_user') unreadableNames.delete(each.user.name)
    }
    onShown()
  }

  return {
    snapshot: () => snapshot,
    isUnreadable: (name) => unreadableNames.has(name),
    settled: () => last.then(() => undefined),
    change(changes, signal) {
      const nextChange = last.then(() => change(changes(), signal))
      last = nextChange.catch(() => undefined)
      return nextChange
    },
  }
}

async function inMemory(_changes: readonly DirectoryChange[], signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
}
