import { memoize } from '../../../../plan/memoize.ts'

/**
 * What is kept of all files of a list, as long as there is the list: a search gives the same one until a file or folder has changed. Lists of
 * files are told apart by `identityOf`. Other lists are those of summaries from which the kept ones follow.
 */
export interface KeptLists<K extends object, V> {
  /** What is kept of the files. Undefined: nothing. `wanted` says what it is. */
  find(list: K, wanted: string): V | undefined
  keep(list: K, wanted: string, value: V): void
  /** Forgets all lists, because more is known of a file. */
  forget(): void
}

/** The most that is kept of one list. */
const MOST_OF_LIST = 4

export function createKeptLists<K extends object, V>(): KeptLists<K, V> {
  let listsOf = emptyLists<K, V>()
  return {
    find: (list, wanted) => listsOf(list).get(wanted),
    keep(list, wanted, value) {
      const lists = listsOf(list)
      if (lists.size >= MOST_OF_LIST) lists.clear()
      lists.set(wanted, value)
    },
    forget() {
      listsOf = emptyLists<K, V>()
    },
  }
}

function emptyLists<K extends object, V>() {
  return memoize((_list: K) => new Map<string, V>())
}
