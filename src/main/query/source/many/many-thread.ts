/** The thread that looks for the files of tables that have very many: to take the versions of 200 000 files takes half a second. */
import { parentPort, workerData } from 'node:worker_threads'
import { withSyncCalls } from '../../../datasets/file-system/sync-calls.ts'
import { openDatasetRoot } from '../../../datasets/root.ts'
import { createLearnedFolders } from '../../../learned/store/learned-table.ts'
import { openLearnedReader } from '../../../learned/store/open-learned.ts'
import { serve } from '../../../threads/serve.ts'
import { findRemaining } from './find-remaining.ts'
import { createFolderLists } from './folder-lists.ts'
import { createLearnedIndex, type LearnedIndex, type OpenIndex } from './learned-index.ts'
import { packFiles } from './packed-files.ts'
import type { ManyFilesFunctions } from './remaining-files.ts'

/** What the thread is started with. */
export interface ManyFilesData {
  readonly root: string
  /** As in `DatasetFilesOptions`. */
  readonly hidden: readonly string[]
  /** The names of the files that mark folders as datasets, of all formats. */
  readonly markers: readonly string[]
  /** The database of what is learned of files. */
  readonly learned: string
  readonly serviceVersion: string
}

/** Uses what is learned as it was at one moment. */
async function withLearned<T>(
  { learned, serviceVersion }: ManyFilesData,
  openIndex: OpenIndex,
  use: (index: LearnedIndex) => Promise<T>,
): Promise<T> {
  const database = openLearnedReader(learned, serviceVersion)
  if (database === null) return use(openIndex(null))
  try {
    database.exec('BEGIN')
    return await use(openIndex(createLearnedFolders(database)))
  } finally {
    database.close()
  }
}

if (parentPort !== null)
  serve<ManyFilesFunctions>(parentPort, () => {
    const data = workerData as ManyFilesData
    const lists = createFolderLists(data.markers)
    const openIndex = createLearnedIndex()
    return {
      async find({ ending, ...asked }) {
        // Opened anew, since another file system may be mounted below it.
        const root = await openDatasetRoot(data.root, { hidden: data.hidden })
        if (!root.files.isLocal(root.location, root.location)) return null
        const local = { ...root, files: withSyncCalls(root.files) }
        const remaining = await withLearned(data, openIndex, (learned) =>
          findRemaining(local, learned, lists, asked, signalOf(ending)),
        )
        return remaining && { ...remaining, files: packFiles(remaining.files, root.location) }
      },
      close: () => undefined,
    }
  })

/** A signal that main has sent: messages are not read while the thread works. */
function signalOf(ending: SharedArrayBuffer): AbortSignal {
  const isEnding = new Int32Array(ending)
  const controller = new AbortController()
  const { signal } = controller
  const check = (): void => {
    if (Atomics.load(isEnding, 0) !== 0) controller.abort()
    AbortSignal.prototype.throwIfAborted.call(signal)
  }
  return Object.defineProperty(signal, 'throwIfAborted', { value: check })
}
