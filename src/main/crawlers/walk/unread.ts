import { isServiceError } from '../../../plan/errors.ts'
import type { CrawlReport } from './crawl-request.ts'

/** Counts what a walk could not read, by reason. Of each reason the first path is kept. */
export interface Unread {
  /** `path` is relative to the root. */
  add(reason: string, path: string): void
  /** Adds what a failed system call was about, unless it says that there is nothing at the path any more. */
  addFailure(error: unknown, path: string): void
  report(): CrawlReport['unread']
}

export const NOT_UTF8 = 'The name is not UTF-8, so that no query can name it.'
export const NO_TARGET = 'The link leads to no file in the dataset root.'
export const NO_FOLDER = 'There is no such folder.'
export const IN_STORE = 'The folder is part of a store, which is one dataset.'
export const AMONG_LAKE_FILES = 'The files are in folders key=value with a Delta or Iceberg table among them.'
export const LONG_LOCATION = 'The pattern of the folder is longer than 4096 bytes.'

/** Reasons for which a walk has still met all files that queries can name. */
export const NO_FILES: ReadonlySet<string> = new Set([NOT_UTF8, NO_TARGET, IN_STORE])

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'The service may not read it.',
  EPERM: 'The service may not read it.',
  ENAMETOOLONG: 'The path is longer than 4096 bytes.',
}

/** Codes of what was removed, or replaced by something else, after the folder above was read. */
const GONE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP'])

/** The most characters of an example. */
const EXAMPLE_LENGTH = 300

export function createUnread(): Unread {
  const byReason = new Map<string, { count: number; readonly example: string }>()

  function add(reason: string, path: string): void {
    const line = byReason.get(reason)
    if (line === undefined) byReason.set(reason, { count: 1, example: shorten(path) })
    else line.count++
  }

  return {
    add,
    addFailure(error, path) {
      if (isServiceError(error) && error.code === 'path_unavailable') {
        add('Its file system does not answer.', path)
        return
      }
      const { code = 'unknown error' } = (
        isServiceError(error) ? error.cause : error
      ) as NodeJS.ErrnoException
      if (!GONE.has(code)) add(REASONS[code] ?? `It cannot be read (${code}).`, path)
    },
    report: () =>
      Object.freeze(
        Array.from(byReason, ([reason, { count, example }]) => Object.freeze({ reason, count, example })),
      ),
  }
}

function shorten(path: string): string {
  return path.length > EXAMPLE_LENGTH ? `${path.slice(0, EXAMPLE_LENGTH)}…` : path
}
