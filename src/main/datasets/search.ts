import { isServiceError, ServiceError } from '../../plan/errors.ts'
import type { FormatStorage } from '../../plan/format/format-row.ts'
import { runInSlices } from '../../plan/steps.ts'
import { EVERYTHING, type EveryRight, mayReadAll, type Rights } from '../auth/rights/rights.ts'
import { findMarkedFolder } from './find/find-stores.ts'
import { nearestPath } from './find/nearest-path.ts'
import { type FingerprintRecorder, NO_FINGERPRINT } from './fingerprint/fingerprint.ts'
import { createUndecidedSearch, OBJECT } from './fingerprint/searches.ts'
import { levelsOf } from './partitions/level.ts'
import type { PartitionFilter } from './partitions/partition-filter.ts'
import { decideText, mayReadFound } from './refusals/decide-found.ts'
import { hideUnderRules, refusalOf } from './refusals/refusal.ts'
import type { ResolvedFiles } from './resolve.ts'
import type { DatasetRoot } from './root.ts'

/**
 * Finds the datasets that paths and globs lead to, on behalf of somebody with these rights: all of them, or an error if one of them may not
 * be read. With a filter, files may be left out as by `resolvePassing`. They need not be; all of them are there if none would be left.
 *
 * What is found is kept and given again while its fingerprint is unchanged. It holds no decision, which is made before each use.
 */
export type Search = (
  paths: readonly string[],
  rights: Rights,
  signal: AbortSignal,
  fingerprint?: FingerprintRecorder,
  storage?: FormatStorage,
  filter?: PartitionFilter | null,
) => Promise<ResolvedFiles>

/** The rights with which the files of a registered table are found. The right to the table is that to its files: no rule on paths applies. */
export const RIGHTS_OF_TABLES: EveryRight = EVERYTHING

/** `markers`: the names of the files that mark folders as datasets, of all formats. */
export function createSearch(root: DatasetRoot, markers: readonly string[] = []): Search {
  const find = createUndecidedSearch(root, markers)

  /** The error with a hint at what is there instead. */
  async function withHint(
    error: unknown,
    rights: EveryRight,
    storage: FormatStorage,
    signal: AbortSignal,
  ): Promise<unknown> {
    if (!isServiceError(error) || error.code !== 'no_files' || error.about === undefined) return error
    const others = storage.kind === 'folder' ? [] : markers
    const hint = await whatIsThere(root, error.about, rights, signal, others)
    return new ServiceError('no_files', `${error.message}${hint}`, { about: error.about })
  }

  /** A search under rules, which is as long whatever the filter is: else it would find out what is in folders that are hidden. */
  async function decide(
    paths: readonly string[],
    rights: Rights,
    signal: AbortSignal,
    fingerprint: FingerprintRecorder,
    storage: FormatStorage,
    filter: PartitionFilter | null,
  ): Promise<ResolvedFiles> {
    const formatMarkers = storage.kind === 'folder' ? storage.markers : []
    const texts = paths.map((path) => decideText(path, rights, formatMarkers))
    if (texts.some(({ isRefused }) => isRefused)) throw refusalOf(paths)
    const isGranted = texts.every((each) => each.isGranted)
    try {
      const resolved = await find(paths, signal, fingerprint, storage, isGranted ? filter : null)
      if (isGranted) return resolved
      if (await mayReadFound(resolved, rights, root)) return await withOwnLevels(resolved)
    } catch (error) {
      throw hideUnderRules(error, paths, isGranted)
    }
    fingerprint.invalidate()
    throw refusalOf(paths)
  }

  return async (paths, rights, signal, fingerprint = NO_FINGERPRINT, storage = OBJECT, filter = null) => {
    if (!mayReadAll(rights)) return decide(paths, rights, signal, fingerprint, storage, filter)
    try {
      return await find(paths, signal, fingerprint, storage, filter)
    } catch (error) {
      throw await withHint(error, rights, storage, signal)
    }
  }
}

/** What was found, with the levels of its files. */
const narrowed = new WeakMap<ResolvedFiles, ResolvedFiles>()

/** What was found, with the folders `key=value` of its files alone: others may be hidden, and would tell by the types of columns. */
async function withOwnLevels(resolved: ResolvedFiles): Promise<ResolvedFiles> {
  if (resolved.levels === null || resolved.levels.length === 0) return resolved
  const cachedFiles = narrowed.get(resolved)
  if (cachedFiles !== undefined) return cachedFiles
  const narrowedFiles = Object.freeze({
    ...resolved,
    levels: await runInSlices(levelsOf(resolved.files, [])),
  })
  narrowed.set(resolved, narrowedFiles)
  return narrowedFiles
}

/**
 * The end of a message about a path that matches no file, for those alone who may read everything: the folder may be one dataset, of another
 * format.
 */
async function whatIsThere(
  root: DatasetRoot,
  path: string,
  rights: EveryRight,
  signal: AbortSignal,
  markers: readonly string[],
): Promise<string> {
  const markedFolder = await findMarkedFolder(root, path, markers)
  return markedFolder === null
    ? nearestPath(root, path, rights, signal)
    : `; this folder is one dataset of another format, as its ${markedFolder.marker} says.`
}
