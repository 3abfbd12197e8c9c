/** The thread that lists the files of locations for work that nobody waits for. */
import { parentPort, workerData } from 'node:worker_threads'
import { withSyncCalls } from '../../../datasets/file-system/sync-calls.ts'
import { NO_FINGERPRINT } from '../../../datasets/fingerprint/fingerprint.ts'
import type { Location } from '../../../datasets/partitions/find-located.ts'
import { resolveLocation } from '../../../datasets/resolve.ts'
import { openDatasetRoot } from '../../../datasets/root.ts'
import { lowerOwnPriority } from '../../../dispatch/engines/thread-priority.ts'
import { serve } from '../../../threads/serve.ts'
import { signalOfWord } from '../../../threads/shared-signal.ts'
import { type PackedFiles, packFiles } from '../many/packed-files.ts'

/** What the thread is started with. */
export interface ListData {
  readonly root: string
  /** As in `DatasetFilesOptions`. */
  readonly hidden: readonly string[]
  /** The names of the files that mark folders as datasets, of all formats. */
  readonly markers: readonly string[]
}

/** What the thread does. */
export interface ListFunctions {
  /** The files of a location, until the signal of this word is aborted. Null: it may have to wait for a file server. */
  list(asked: {
    readonly location: Location
    readonly ending: SharedArrayBuffer
  }): Promise<PackedFiles | null>
}

const everything = (): boolean => true

if (parentPort !== null)
  serve<ListFunctions>(parentPort, () => {
    const { root, hidden, markers } = workerData as ListData
    lowerOwnPriority()
    return {
      async list({ location, ending }) {
        // Opened anew, since another file system may be mounted below it.
        const datasets = await openDatasetRoot(root, { hidden })
        if (!datasets.files.isLocal(datasets.location, null)) return null
        const local = { ...datasets, files: withSyncCalls(datasets.files) }
        const signal = signalOfWord(ending)
        const { files } = await resolveLocation(local, location, everything, signal, NO_FINGERPRINT, markers)
        return packFiles(files, datasets.location)
      },
      close: () => undefined,
    }
  })
