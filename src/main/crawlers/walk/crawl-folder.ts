import type { BigIntStats } from 'node:fs'
import type { Formats } from '../../../plan/format/create-formats.ts'
import { NO_FINGERPRINT } from '../../datasets/fingerprint/fingerprint.ts'
import type { DatasetRoot } from '../../datasets/root.ts'
import { statFile } from '../../datasets/stat.ts'
import type { CrawledGroup, CrawlReport, CrawlRequest } from './crawl-request.ts'
import { type CrawledFormat, crawledFormats } from './crawled-formats.ts'
import { describeGroups } from './describe-groups.ts'
import { createReadFolder } from './folder-reader.ts'
import { createGroups } from './groups.ts'
import { folderOf, type Place, placeOf } from './place.ts'
import { createUnread, NO_TARGET } from './unread.ts'
import { startOfWalk, type WalkStart } from './walk-start.ts'
import { walkTree } from './walk-tree.ts'

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
        const parquet = crawled.ofExtension('parquet')
        if (parquet === null) return
        skipped++
        groups.addLake(parquet, placeOf(pathOf(path), detectsPartitions), pathOf(path))
      },
      closed: (path) => closed.add(path),
    })
    const entries = walkTree(
      location,
      (path) => {
        folders++
        report()
        return readFolder(path)
      },
      signal,
    )
    const calls: Promise<void>[] = []
    const place = rememberLast((folder) => placeOf(folder, detectsPartitions))
    for await (const { name, path, isLink } of entries) {
      files++
      report()
      const extension = name.slice(name.lastIndexOf('.') + 1)
      const format = name.includes('.') ? crawled.ofExtension(extension.toLowerCase()) : null
      const at = `${location}/${path}`
      const shown = shownBelow(path)
      if (format === null) {
        if (!crawled.isListed(name)) continue
        if (!isLink) skipped++
        else calls.push(addSkippedLink({ path: shown, location: at }))
      } else {
        const file: CountedFile = {
          path: shown,
          location: at,
          format,
          place: place(folderOf(shown)),
          extension,
        }
        if (isLink || !root.files.isLocal(at, at)) calls.push(addLater(file, isLink))
        else addNow(file)
      }
      if (calls.length >= CALLS_AT_ONCE) await Promise.all(calls.splice(0))
    }
    await Promise.all(calls)
  }

  function report(): void {
    const now = performance.now()
    if (now - reportedAt < PROGRESS_MS) return
    reportedAt = now
    progress({ folders, files })
  }

  /** A file without bytes has no rows, and is in no query of a pattern. */
  function add(
    { path, format, place, extension }: CountedFile,
    stats: BigIntStats,
    requestedAt: number,
    target: string | null,
  ): void {
    if (stats.size === 0n) {
      skipped++
      return
    }
    const group = groups.at(format, place)
    if (extension !== format.extension) group.isInAnyCase = true
    group.versions.add(path, stats, requestedAt)
    if (target === null) group.files++
    else group.targets.add(target)
  }

  function addNow(file: CountedFile): void {
    try {
      const requestedAt = Date.now()
      const stats = root.files.lstatSync(file.location)
      if (stats?.isFile()) add(file, stats, requestedAt, null)
    } catch (error) {
      unread.addFailure(error, file.path)
    }
  }

  async function addLater(file: CountedFile, isLink: boolean): Promise<void> {
    try {
      const requestedAt = Date.now()
      const regular = await statFile(root, { ...file, isLink, stats: null }, NO_FINGERPRINT)
      if (regular !== null) add(file, regular.stats, requestedAt, isLink ? regular.location : null)
      else if (isLink) unread.add(NO_TARGET, file.path)
    } catch (error) {
      unread.addFailure(error, file.path)
    }
  }

  async function addSkippedLink(file: Pick<CountedFile, 'path' | 'location'>): Promise<void> {
    try {
      const regular = await statFile(root, { ...file, isLink: true, stats: null }, NO_FINGERPRINT)
      if (regular !== null) skipped++
    } catch (error) {
      unread.addFailure(error, file.path)
    }
  }
}

const NOTHING = Object.freeze({ groups: [] as readonly CrawledGroup[], skippedFiles: 0 })

interface CountedFile {
  /** Relative to the root. */
  readonly path: string
  readonly location: string
  readonly format: CrawledFormat
  readonly place: Place
  /** As it is written. */
  readonly extension: string
}

/** A function of one text that need not be called again for the text before. */
function rememberLast<T>(make: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly value: T } | null = null
  return (text) => {
    if (last?.text !== text) last = { text, value: make(text) }
    return last.value
  }
}
