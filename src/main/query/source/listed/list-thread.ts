/** The thread that lists the files of locations for work that nobody waits for. */
import { parentPort, workerData } from 'node:worker_threads'
import { withSyncCalls } from '../../../datasets/file-system/sync-calls.ts'
import { NO_FINGERPRINT } from '../../../datasets/fingerprint/fingerprint.ts'
import type { Location } from '../../../datasets/partitions/find-located.ts'
import { resolveLocation } from '../../../datasets/resolve.ts'
import { openDatasetRoot } from '../../../datasets/root.ts'
import { lowerOwnPriority } from '../../../dispatch/engines/thread-priority.ts'
import { serve } from '../../../threads/serve.ts'
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
  /** The files of a location. Null: it may have to wait for a file server. */
  list(location: Location): Promise<PackedFiles | null>
}

const everything = (): boolean => true

/** Main drops what it has stopped waiting for. */
const never = new AbortController().signal

if (parentPort !== null)
  serve<ListFunctions>(parentPort, () => {
    const { root, hidden, markers } = workerData as ListData
    lowerOwnPriority()
    return {
      async list(location) {
        // Opened anew, since another file system may be mounted below it.
        const datasets = await openDatasetRoot(root, { hidden })
        if (!datasets.files.isLocal(datasets.location, null)) return null
        const local = { ...datasets, files: withSyncCalls(datasets.files) }
        const { files } = await resolveLocation(local, location, everything, never, NO_FINGERPRINT, markers)
        return packFiles(files, datasets.location)
      },
      close: () => undefined,
    }
  })
