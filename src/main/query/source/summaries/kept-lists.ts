import { memoize } from '../../../../plan/memoize.ts'
import type { FileRef } from '../../../../plan/source/file.ts'
import type { FileSummary } from '../../../../plan/source/segments.ts'

/** What is known of all files of a list, as long as there is the list: a search gives the same one until a file or folder has changed. */
export interface KeptLists {
  /** The summaries of the files, in their order. Undefined: not all are known. `wanted` says which summaries they are. */
  find(files: readonly FileRef[], wanted: string): readonly FileSummary[] | undefined
  keep(files: readonly FileRef[], wanted: string, summaries: readonly FileSummary[]): void
  /** Forgets all lists, because more is known of a file. */
  forget(): void
}

/** The most lists of summaries of one list of files. */
const MOST_OF_FILES = 4

export function createKeptLists(): KeptLists {
  let listsOf = emptyLists()
  return {
    find: (files, wanted) => listsOf(files).get(wanted),
    keep(files, wanted, summaries) {
      const lists = listsOf(files)
      if (lists.size >= MOST_OF_FILES) lists.clear()
      lists.set(wanted, summaries)
    },
    forget() {
      listsOf = emptyLists()
    },
  }
}

function emptyLists() {
  return memoize((_files: readonly FileRef[]) => new Map<string, readonly FileSummary[]>())
}
