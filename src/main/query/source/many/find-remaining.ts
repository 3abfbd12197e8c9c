import type { BigIntStats } from 'node:fs'
import { sortedByBytes } from '../../../../plan/byte-order.ts'
import { isServiceError } from '../../../../plan/errors.ts'
import type { FileRef } from '../../../../plan/source/file.ts'
import { versionOf } from '../../../../plan/source/version.ts'
import { putVersionOf, VERSION_NUMBERS } from '../../../../plan/source/version-numbers.ts'
import { isBesideData } from '../../../datasets/beside-data.ts'
import { cannotOpen, isMissing } from '../../../datasets/file-errors.ts'
import { NO_FINGERPRINT } from '../../../datasets/fingerprint/fingerprint.ts'
import type { DatasetRoot } from '../../../datasets/root.ts'
import { settle } from '../../../datasets/settle.ts'
import { type RegularFile, statFiles } from '../../../datasets/stat.ts'
import { placeOfFolder } from '../../../learned/store/messages.ts'
import { declaredTest, withDeclaredPartitions } from '../partition-columns/declared-partitions.ts'
import { type FolderLists, type ListedFolder, NO_VERSION } from './folder-lists.ts'
import { createKnownSums } from './known-sums.ts'
import type { LearnedIndex } from './learned-index.ts'
import { createLearnedTests, type FolderPart } from './learned-tests.ts'
import type { AskedOfMany, RemainingFiles } from './remaining-files.ts'

/**
 * Lists the files of a table, takes the version of each, and leaves out those of whose versions it is learned that no row passes the filter.
 * What remains is as `resolveLocation` gives it. Null: the location has to be listed otherwise, because it is no folder of a local disk, or
 * because what is wrong with it, or which path of a file counts, depends on files that are left out. Null too: the sums that are asked for do
 * not follow from what is learned.
 */
export async function findRemaining(
  root: DatasetRoot,
  learned: LearnedIndex,
  lists: FolderLists,
  { relation, location, format, schema, partitions, filter, sums: askedSums }: AskedOfMany,
  signal: AbortSignal,
): Promise<RemainingFiles | null> {
  const sums = askedSums && createKnownSums(learned, { relation, schema, partitions }, askedSums)
  const tests = createLearnedTests(learned, schema, filter, sums)
  const regularFiles: RegularFile[] = []
  const links: { readonly path: string; readonly location: string }[] = []
  let pruned = 0
  let isOrdinary = true

  async function visit(folder: ListedFolder): Promise<boolean> {
    for (const name of folder.links)
      links.push({ path: folder.prefix + name, location: `${folder.location}/${name}` })
    const constants = await constantsOf(folder)
    isOrdinary &&= constants !== null && (partitions.length === 0 || links.length === 0)
    // A file that a link leads to as well counts once.
    isOrdinary &&= sums === null || (links.length === 0 && sums.areKnown)
    if (!isOrdinary || constants === null) return false
    const place = placeOfFolder(format, folder.location)
    const inFolder = tests.inFolder(place, partitions.length === 0 ? undefined : constants)
    for (const part of inFolder.partsOf(folder.files)) {
      signal.throwIfAborted()
      const stats = takeStats(folder, part)
      const tested = inFolder.test(part, stats.versions)
      pruned += tested.pruned
      for (const nth of tested.remaining ?? stats.all.keys()) addFile(folder, part.from + nth, stats.all[nth])
    }
    return true
  }

  function addFile(
    { prefix, location, files }: ListedFolder,
    nth: number,
    stats: BigIntStats | null | undefined,
  ): void {
    const name = files[nth] ?? ''
    if (stats)
      regularFiles.push({ path: prefix + name, location: `${location}/${name}`, version: versionOf(stats) })
  }

  /** The stats of the files of a part, in their order, and their versions. Null: it is gone, or no regular file. */
  function takeStats(folder: ListedFolder, { names, from, to }: FolderPart) {
    const all: (BigIntStats | null)[] = []
    const versions = new BigInt64Array(VERSION_NUMBERS * (to - from))
    for (let nth = from; nth < to; nth++) {
      const stats = statsOf(folder, names[nth] ?? '')
      const isRegular = stats?.isFile() === true
      all.push(isRegular ? stats : null)
      if (isRegular) putVersionOf(versions, nth - from, stats)
    }
    return { all, versions }
  }

  /** The values of the folders `key=value` of a file. Null: its folders are not those of the table. */
  async function constantsOf({ prefix, location, files, links }: ListedFolder): Promise<Constants | null> {
    if (partitions.length === 0) return NO_CONSTANTS
    const [name = links[0] ?? ''] = files
    const file = { path: prefix + name, location: `${location}/${name}`, version: NO_VERSION }
    try {
      const [withConstants] = await withDeclaredPartitions([file], partitions, relation)
      return withConstants?.constants ?? null
    } catch (error) {
      if (isServiceError(error)) return null
      throw error
    }
  }

  function statsOf({ location, prefix }: ListedFolder, name: string): BigIntStats | undefined {
    try {
      return root.files.lstatSync(`${location}/${name}`)
    } catch (error) {
      if (isMissing(error)) return undefined
      throw cannotOpen(prefix + name, error)
    }
  }

  const test = declaredTest(filter, partitions)
  const foldersLeftOut = await lists.list(root, location, test?.passes ?? (() => true), visit, signal)
  if (foldersLeftOut === null || !isOrdinary) return null
  const linked = await statFiles(
    root,
    links.map((link) => ({ ...link, isLink: true, stats: null })),
    signal,
  )
  for (const file of linked) if (file !== null) regularFiles.push(file)
  const summed = sums === null ? null : sums.summed()
  if (sums !== null && summed === null) return null
  const files = regularFiles.filter((file) => !isBesideData(file))
  return {
    files: await refsInOrder(root, files, signal),
    pruned,
    foldersLeftOut,
    ...(summed !== null && { summed }),
  }
}

type Constants = NonNullable<FileRef['constants']>
const NO_CONSTANTS: Constants = Object.freeze({})

/** The files in the order of their paths. One that a link leads to as well is there once. */
async function refsInOrder(
  root: DatasetRoot,
  files: readonly RegularFile[],
  signal: AbortSignal,
): Promise<readonly FileRef[]> {
  const settled = await settle(root, files, signal, NO_FINGERPRINT)
  const byPath = new Map(settled.flatMap((file) => (file === null ? [] : [[file.path, file] as const])))
  const refs = new Map<string, FileRef>()
  for (const path of sortedByBytes([...byPath.keys()])) {
    const file = byPath.get(path)
    if (file === undefined || refs.has(file.location)) continue
    const { location, version } = file
    refs.set(location, Object.freeze({ path, location, version }))
  }
  return [...refs.values()]
}
