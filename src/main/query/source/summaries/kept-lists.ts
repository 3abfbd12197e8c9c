import { memoize } from '../../../../plan/memoize.ts'
import type { FileRef } from '../../../../plan/source/file.ts'
import type { FileSummary } from '../../../../plan/source/segments.ts'

/**
 * Summaries of all files of a list, as long as there is the list: a search gives the same one until a file or folder has changed. The list
 * is of the files, or of other summaries of them that the kept ones follow from.
 */
export interface KeptLists<T extends FileRef | FileSummary> {
  /** The summaries of the files, in their order. Undefined: not all are known. `wanted` says which summaries they are. */
  find(list: readonly T[], wanted: string): readonly FileSummary[] | undefined
  keep(list: readonly T[], wanted: string, summaries: readonly FileSummary[]): void
  /** Forgets all lists, because more is known of a file. */
  forget(): void
}

/** The most lists of summaries of one list. */
const MOST_OF_LIST = 4

export function createKeptLists<T extends FileRef | FileSummary>(): KeptLists<T> {
  let listsOf = emptyLists<T>()
  return {
    find: (list, wanted) => listsOf(list).get(wanted),
    keep(list, wanted, summaries) {
      const lists = listsOf(list)
      if (lists.size >= MOST_OF_LIST) lists.clear()
      lists.set(wanted, summaries)
    },
    forget() {
      listsOf = emptyLists<T>()
    },
  }
}

function emptyLists<T>() {
  return memoize((_list: readonly T[]) => new Map<string, readonly FileSummary[]>())
}
