/** The thread that looks for the files of tables that have very many: to take the versions of 200 000 files takes half a second. */
import { parentPort, workerData } from 'node:worker_threads'
import { withSyncCalls } from '../../../datasets/file-system/sync-calls.ts'
import { type DatasetRoot, openDatasetRoot } from '../../../datasets/root.ts'
import { createLearnedFolders } from '../../../learned/store/learned-table.ts'
import { openLearnedReader } from '../../../learned/store/open-learned.ts'
import { serve } from '../../../threads/serve.ts'
import { signalOfWord } from '../../../threads/shared-signal.ts'
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
    /** Null: it is not on a local disk. It is opened anew, since another file system may be mounted below it. */
    async function openRoot(): Promise<DatasetRoot | null> {
      const root = await openDatasetRoot(data.root, { hidden: data.hidden })
      const isLocal = root.files.isLocal(root.location, root.location)
      return isLocal ? { ...root, files: withSyncCalls(root.files) } : null
    }

    return {
      async count({ ending, location, most }) {
        const root = await openRoot()
        return root && lists.count(root, location, most, signalOfWord(ending))
      },
      async find({ ending, ...asked }) {
        const root = await openRoot()
        if (root === null) return null
        const remaining = await withLearned(data, openIndex, (learned) =>
          findRemaining(root, learned, lists, asked, signalOfWord(ending)),
        )
        return remaining && { ...remaining, files: packFiles(remaining.files, root.location) }
      },
      close: () => undefined,
    }
  })
