import type { SearchLocation } from '../../../datasets/fingerprint/location-searches.ts'
import type { DatasetRoot } from '../../../datasets/root.ts'
import { callWithSignal } from '../../../threads/call-with-signal.ts'
import { createThread, type Thread } from '../../../threads/thread.ts'
import { unpackFiles } from '../many/packed-files.ts'
import type { ListData, ListFunctions } from './list-thread.ts'

/** Finds the files of locations in a thread of low priority, for work that goes through many of them once: nothing is kept. */
export interface ListedLocations {
  readonly search: SearchLocation
  /** Ends the thread when it has answered. It is started again by the next search. */
  end(): Promise<void>
}

export interface ListedLocationsOptions extends Omit<ListData, 'root'> {
  readonly root: DatasetRoot
  /** Finds what the thread does not: folders that are datasets, files that a file server has, and those that pass a test. */
  readonly otherwise: SearchLocation
  readonly log: { warn(details: object, message: string): void }
}

const THREAD = new URL('./list-thread.ts', import.meta.url)

export function createListedLocations({
  root,
  otherwise,
  log,
  ...data
}: ListedLocationsOptions): ListedLocations {
  let thread: Thread<ListFunctions> | null = null

  function start(): Thread<ListFunctions> {
    return createThread<ListFunctions>({
      task: 'lists files',
      entry: THREAD,
      data: (): ListData => ({ ...data, root: root.location }),
      mostStarts: 1,
      onDeath(error) {
        log.warn({ err: error }, 'the thread that lists files died')
        thread = null
      },
    })
  }

  return {
    async search(location, test, rights, signal, fingerprint, storage) {
      const main = (): ReturnType<SearchLocation> =>
        otherwise(location, test, rights, signal, fingerprint, storage)
      if (test !== null || storage?.kind === 'folder' || !root.files.isLocal(root.location, null))
        return main()
      thread ??= start()
      const lists = thread
      const packed = await callWithSignal(signal, (ending) =>
        lists.call('list', { location, ending }, signal),
      )
      if (packed === null) return main()
      fingerprint?.invalidate()
      return Object.freeze({ files: await unpackFiles(packed, root.location), leftOut: 0 })
    },
    async end() {
      const last = thread
      thread = null
      await last?.stop()
    },
  }
}
