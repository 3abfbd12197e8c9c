import type { Formats } from '../../../plan/format/create-formats.ts'
import { versionKey, versionOf } from '../../../plan/source/version.ts'
import { createReadFolder } from '../../crawlers/walk/folder-reader.ts'
import { createUnread, NO_TARGET } from '../../crawlers/walk/unread.ts'
import { startOfWalk } from '../../crawlers/walk/walk-start.ts'
import { pathBelow, walkTree } from '../../crawlers/walk/walk-tree.ts'
import { NO_FINGERPRINT } from '../../datasets/fingerprint/fingerprint.ts'
import type { DatasetRoot } from '../../datasets/root.ts'
import { type RegularFile, statFile } from '../../datasets/stat.ts'
import type { WalkStep } from './walk-functions.ts'

/** Files of one step. */
const FILES_PER_STEP = 1000

/** Calls that a walk waits for together: about links, and about files that a file server has. */
const CALLS_AT_ONCE = 64

interface Met {
  readonly path: string
  readonly format: string
  readonly file: RegularFile
}

/**
 * Walks through a folder, and gives the files that listings have, with their versions: those that are no part of a store and have bytes. The
 * last step says what could not be read. Rejects with the reason of the signal.
 */
export async function* walkFiles(
  root: DatasetRoot,
  formats: Formats,
  folder: string,
  signal: AbortSignal,
): AsyncGenerator<WalkStep, void> {
  const unread = createUnread()
  const start = await startOfWalk(root, formats, folder, unread)
  if (start !== null) {
    const { location, prefix } = start
    const shown = (path: string): string => (prefix === '' ? path : `${prefix}/${path}`)
    const readFolder = createReadFolder(
      root,
      formats.markers,
      (path) => (path === location ? prefix : shown(path.slice(location.length + 1))),
      unread,
      NOTHING,
    )
    const met: Met[] = []
    const calls: Promise<void>[] = []
    const add = (path: string, format: string, file: RegularFile): void => {
      if (file.version.size > 0n) met.push({ path, format, file })
    }
    const isLocal = (at: string): boolean => root.files.isLocal(at, at)
    const meet = async (path: string, isLink: boolean, format: string): Promise<void> => {
      const [at, name] = [`${location}/${path}`, shown(path)]
      try {
        if (!isLink && isLocal(at)) {
          const stats = root.files.lstatSync(at)
          if (stats?.isFile()) add(name, format, { path: name, location: at, version: versionOf(stats) })
          return
        }
        const listed = { path: name, location: at, isLink, stats: null }
        const file = await statFile(root, listed, NO_FINGERPRINT)
        if (file !== null) add(name, format, file)
        else if (isLink) unread.add(NO_TARGET, name)
      } catch (error) {
        unread.addFailure(error, name)
      }
    }
    for await (const { path, entries } of walkTree({ location, readFolder, isLocal }, signal))
      for (const entry of entries) {
        const match = formats.matchName(entry.name)
        if (match === null || match.row.storage.kind !== 'object') continue
        calls.push(meet(pathBelow(path, entry.name), entry.isSymbolicLink(), match.group.id))
        if (calls.length >= CALLS_AT_ONCE) await Promise.all(calls.splice(0))
        if (met.length >= FILES_PER_STEP) yield stepOf(met.splice(0))
      }
    await Promise.all(calls)
    if (met.length > 0) yield stepOf(met)
  }
  yield { kind: 'end', unread: unread.report() }
}

const NOTHING = Object.freeze({ store() {}, lake() {}, closed() {} })

function stepOf(met: readonly Met[]): WalkStep {
  return {
    kind: 'files',
    files: {
      paths: met.map(({ path }) => path),
      locations: met.map(({ file }) => file.location),
      formats: met.map(({ format }) => format),
      versions: met.map(({ file }) => versionKey(file.version)),
    },
  }
}
