import type { Formats } from '../../../plan/format/create-formats.ts'
import { type FileVersion, versionOf } from '../../../plan/source/version.ts'
import { createSlice } from '../../../plan/steps.ts'
import { NO_FINGERPRINT } from '../../datasets/fingerprint/fingerprint.ts'
import type { DatasetRoot } from '../../datasets/root.ts'
import { statFile } from '../../datasets/stat.ts'
import type { CrawledGroup, CrawlReport, CrawlRequest } from './crawl-request.ts'
import { type CrawledFormat, crawledFormats } from './crawled-formats.ts'
import { describeGroups } from './describe-groups.ts'
import { createReadFolder } from './folder-reader.ts'
import { createGroups, type Group } from './groups.ts'
import { folderOf, type Place, placeOf } from './place.ts'
import { createUnread, NO_TARGET } from './unread.ts'
import { type FolderHash, hashFolder } from './version-sum.ts'
import { startOfWalk, type WalkStart } from './walk-start.ts'
import { pathBelow, walkTree } from './walk-tree.ts'

/** How far a walk has come. */
export type WalkProgress = Readonly<{ folders: number; files: number }>

/** Milliseconds between two reports of the progress. */
const PROGRESS_MS = 100

/** Calls that a walk waits for together: about links, and about files that a file server has. */
const CALLS_AT_ONCE = 64

/**
 * Walks through a folder, and groups its files. Rejects with `invalid_path` for a prefix that leads out of the root, or with the reason of
 * the signal.
 */
export async function crawlFolder(
  root: DatasetRoot,
  formats: Formats,
  request: Omit<CrawlRequest, 'root' | 'hidden'>,
  progress: (at: WalkProgress) => void,
  signal: AbortSignal,
): Promise<CrawlReport> {
  const { detectsPartitions = true } = request
  const crawled = crawledFormats(formats, request.formats)
  const unread = createUnread()
  const groups = createGroups()
  const closed = new Set<string>()
  let [files, folders, skipped, reportedAt] = [0, 0, 0, performance.now()]

  const start = await startOfWalk(root, formats, request.prefix, unread)
  if (start !== null) await walk(start)
  progress({ folders, files })
  const described =
    start === null
      ? NOTHING
      : await describeGroups(root, groups, { ...start, closed, crawled, detectsPartitions }, unread)
  return Object.freeze({
    groups: described.groups,
    scannedFiles: files,
    folders,
    skippedFiles: skipped + described.skippedFiles,
    unread: unread.report(),
  })

  async function walk({ location, prefix }: WalkStart): Promise<void> {
    const shownBelow = (path: string): string =>
      prefix === '' ? path : path === '' ? prefix : `${prefix}/${path}`
    const pathOf = (path: string): string => shownBelow(path.slice(location.length + 1))
    const readFolder = createReadFolder(root, formats.markers, pathOf, unread, {
      store(path, marker) {
        const format = crawled.ofMarker(marker)
        if (format !== null) groups.at(format, placeOf(folderOf(pathOf(path)), false)).files++
        else if (crawled.isListed(marker, true)) skipped++
      },
      lake(path) {
        if (crawled.ofExtension('parquet') !== null) skipped++
        groups.addLake(placeOf(pathOf(path), detectsPartitions), pathOf(path))
      },
      closed: (path) => closed.add(path),
    })
    const tree = walkTree(
      {
        location,
        isLocal: (at) => root.files.isLocal(at, at),
        readFolder(path) {
          folders++
          report()
          return readFolder(path)
        },
      },
      signal,
    )
    const slice = createSlice()
    const calls: Promise<void>[] = []
    for await (const { path, entries } of tree) {
      const below = path === '' ? '' : `${path}/`
      const folder = createCountedFolder(shownBelow(path), `${location}/${below}`)
      for (const entry of entries) {
        files++
        if (slice.isOver()) {
          report()
          await slice.next()
          signal.throwIfAborted()
        }
        meet(entry.name, entry.isSymbolicLink(), folder, calls)
        if (calls.length >= CALLS_AT_ONCE) await Promise.all(calls.splice(0))
      }
    }
    await Promise.all(calls)
  }

  /** Counts an entry that is no folder. Calls that are waited for are added to `calls`. */
  function meet(name: string, isLink: boolean, folder: CountedFolder, calls: Promise<void>[]): void {
    const dot = name.lastIndexOf('.')
    const extension = dot < 0 ? null : name.slice(dot + 1)
    const format = extension === null ? null : crawled.ofExtension(extension.toLowerCase())
    if (format === null || extension === null) {
      if (!crawled.isListed(name)) return
      if (isLink) calls.push(addSkippedLink(name, folder))
      else skipped++
      return
    }
    const location = folder.start + name
    const file: CountedFile = { name, location, folder, format, extension }
    if (isLink || !root.files.isLocal(location, location)) calls.push(addLater(file, isLink))
    else addNow(file)
  }

  function createCountedFolder(path: string, start: string): CountedFolder {
    return { path, start, place: placeOf(path, detectsPartitions), hash: hashFolder(path), lastGroup: null }
  }

  function report(): void {
    const now = performance.now()
    if (now - reportedAt < PROGRESS_MS) return
    reportedAt = now
    progress({ folders, files })
  }

  /** A file without bytes has no rows, and is in no query of a pattern. */
  function add(
    { name, folder, format, extension }: CountedFile,
    version: FileVersion,
    requestedAt: number,
    target: string | null,
  ): void {
    if (version.size === 0n) {
      skipped++
      return
    }
    const group = folder.lastGroup?.format === format ? folder.lastGroup : groups.at(format, folder.place)
    folder.lastGroup = group
    if (extension !== format.extension) group.isInAnyCase = true
    group.versions.add(folder.hash, name, version, requestedAt)
    if (target === null) group.files++
    else group.targets.add(target)
  }

  function addNow(file: CountedFile): void {
    try {
      const requestedAt = Date.now()
      const stats = root.files.lstatSync(file.location)
      if (stats?.isFile()) add(file, versionOf(stats), requestedAt, null)
    } catch (error) {
      unread.addFailure(error, pathBelow(file.folder.path, file.name))
    }
  }

  async function addLater(file: CountedFile, isLink: boolean): Promise<void> {
    const { name, location, folder } = file
    const path = pathBelow(folder.path, name)
    try {
      const requestedAt = Date.now()
      const regular = await statFile(root, { path, location, isLink, stats: null }, NO_FINGERPRINT)
      if (regular !== null) add(file, regular.version, requestedAt, isLink ? regular.location : null)
      else if (isLink) unread.add(NO_TARGET, path)
    } catch (error) {
      unread.addFailure(error, path)
    }
  }

  async function addSkippedLink(name: string, folder: CountedFolder): Promise<void> {
    const path = pathBelow(folder.path, name)
    try {
      const listed = { path, location: folder.start + name, isLink: true, stats: null }
      if ((await statFile(root, listed, NO_FINGERPRINT)) !== null) skipped++
    } catch (error) {
      unread.addFailure(error, path)
    }
  }
}

const NOTHING = Object.freeze({ groups: [] as readonly CrawledGroup[], skippedFiles: 0 })

/** A folder whose files are counted. */
interface CountedFolder {
  /** Relative to the root. */
  readonly path: string
  /** The location of its files before their names. */
  readonly start: string
  readonly place: Place
  readonly hash: FolderHash
  /** The group of the file that was counted last. */
  lastGroup: Group | null
}

interface CountedFile {
  readonly name: string
  readonly location: string
  readonly folder: CountedFolder
  readonly format: CrawledFormat
  /** As it is written. */
  readonly extension: string
}
