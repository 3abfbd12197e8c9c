import { columnsOf, expressionKey } from '../../../../plan/expression.ts'
import { MAX_FINGERPRINT } from '../../../../plan/limits.ts'
import { createLru } from '../../../../plan/lru.ts'
import { MOST_KEPT } from '../../../datasets/fingerprint/kept-searches.ts'
import { hasMoreFiles, type Location } from '../../../datasets/partitions/find-located.ts'
import type { DatasetRoot } from '../../../datasets/root.ts'
import { callWithSignal } from '../../../threads/call-with-signal.ts'
import { createThread } from '../../../threads/thread.ts'
import type { ManyFilesData } from './many-thread.ts'
import { unpackFiles } from './packed-files.ts'
import type { AskedOfMany, ManyFilesFunctions, ManyRemaining } from './remaining-files.ts'

/** Looks for the files of tables that have very many, in a thread: main gets those alone that a filter leaves. */
export interface ManyFiles {
  /**
   * The files of a table that its filter leaves, if they are many and most of them can be left out. Null: main has to list them, which takes
   * less time. Rejects as `SearchLocation` does.
   */
  remaining(asked: AskedOfMany, signal: AbortSignal): Promise<ManyRemaining | null>
  /** Tells that main has found so many files in a location. */
  listed(location: Location, files: number): void
  close(): Promise<void>
}

export interface ManyFilesOptions extends Omit<ManyFilesData, 'root'> {
  readonly root: DatasetRoot
  /** The most files that main lists itself. Absent: as many as an answer that is kept may depend on. */
  readonly most?: number
  /** The most files of a search that main keeps. Of more the thread lists whatever the filter. Absent: those of `createKeptSearches`. */
  readonly keepable?: number
  readonly log: { warn(details: object, message: string): void }
}

const THREAD = new URL('./many-thread.ts', import.meta.url)

/** The thread is started again if it has died, so often. */
const MOST_STARTS = 3

/** The most files that main counts. */
const MOST_COUNTED = 4096

/** Sums that did not follow from what is learned are tried again after so many queries: more may be learned by then. */
const QUERIES_WITHOUT_SUMS = 16

/** The most locations of which it is remembered whether they have many files, and filters that have left most of them. */
const LOCATIONS = 4096
const FILTERS = 1024

export function createManyFiles({
  root,
  most = MAX_FINGERPRINT,
  keepable = MOST_KEPT,
  log,
  ...data
}: ManyFilesOptions): ManyFiles {
  /** How many files locations have, or `most + 1` for more. It is found out once, and again whenever one is listed. */
  const counts = createLru<number>(LOCATIONS)
  /** Filters by which few files were left out. */
  const useless = createLru<true>(FILTERS)
  /** For how many queries sums are not tried again. */
  const pauses = createLru<number>(FILTERS)
  const thread = createThread<ManyFilesFunctions>({
    task: 'looks for files',
    entry: THREAD,
    data: (): ManyFilesData => ({ ...data, root: root.location }),
    mostStarts: MOST_STARTS,
    onDeath: (error) => log.warn({ err: error }, 'the thread that looks for files died'),
  })

  async function countOf({ location }: AskedOfMany, key: string, signal: AbortSignal): Promise<number> {
    const before = counts.get(key)
    if (before !== undefined) return before
    const count = (await hasMore(location, signal)) ? most + 1 : 0
    counts.put(key, count)
    return count
  }

  /** Whether a location has more than `most` files. Main counts so few that nobody waits for it, and the thread the others. */
  async function hasMore(location: Location, signal: AbortSignal): Promise<boolean> {
    const mostOnMain = Math.min(most, MOST_COUNTED)
    if (!(await hasMoreFiles(root, location, mostOnMain, signal, data.markers))) return false
    const count = await callWithSignal(signal, (ending) =>
      thread.call('count', { location, most, ending }, signal),
    )
    return count === null ? hasMoreFiles(root, location, most, signal, data.markers) : count > most
  }

  const find = (asked: AskedOfMany, signal: AbortSignal) =>
    callWithSignal(signal, (ending) => thread.call('find', { ...asked, ending }, signal))

  /** The files that remain when sums are made of the others. Null: sums do not follow, or main lists the files in less time. */
  async function findSummed(asked: AskedOfMany, key: string, filterKey: string | null, signal: AbortSignal) {
    const { filter, partitions, sums } = asked
    const isOfFolders =
      filter === null || columnsOf(filter).every((name) => partitions.some((each) => each.name === name))
    if (sums === null || !isOfFolders) return null
    const sumsKey = `${filterKey ?? `${key} `} ${JSON.stringify(sums)}`
    const pause = pauses.get(sumsKey) ?? 0
    if (pause > 0) {
      pauses.put(sumsKey, pause - 1)
      return null
    }
    if ((await countOf(asked, key, signal)) <= most) return null
    const dropSums = (): void => pauses.put(sumsKey, QUERIES_WITHOUT_SUMS)
    const remaining = await find(asked, signal)
    if (remaining === null) {
      dropSums()
      return null
    }
    return { ...remaining, dropSums }
  }

  async function findUnsummed(
    asked: AskedOfMany,
    key: string,
    filterKey: string | null,
    signal: AbortSignal,
  ) {
    if (filterKey === null ? (counts.get(key) ?? 0) <= keepable : useless.get(filterKey)) return null
    if ((await countOf(asked, key, signal)) <= most) return null
    return find({ ...asked, sums: null }, signal)
  }

  return {
    async remaining(asked, signal) {
      const { location, filter } = asked
      const key = JSON.stringify(location)
      const filterKey = filter && `${key} ${expressionKey(filter)}`
      const withSums = await findSummed(asked, key, filterKey, signal)
      const remaining = withSums ?? (await findUnsummed(asked, key, filterKey, signal))
      if (remaining === null) return null
      const files = await unpackFiles(remaining.files, root.location)
      const { pruned, foldersLeftOut, summed } = remaining
      const leftOut = pruned + (summed?.files ?? 0)
      const count = files.length + leftOut
      if (foldersLeftOut === 0) counts.put(key, count)
      const isUseless = leftOut < files.length && count <= keepable
      if (filterKey !== null && isUseless && summed === undefined) useless.put(filterKey, true)
      return { ...remaining, files, dropSums: withSums?.dropSums ?? (() => undefined) }
    },
    listed(location, files) {
      if (files > most) counts.put(JSON.stringify(location), files)
    },
    close: thread.stop,
  }
}
