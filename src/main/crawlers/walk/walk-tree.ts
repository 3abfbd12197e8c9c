import type { Dirent } from 'node:fs'
import type { ReadFolder } from './folder-reader.ts'

/** So many folders are asked for together where a file server may keep the walk waiting. */
const REMOTE_AT_ONCE = 4

/** What a walk meets in a folder besides folders: files, and links to anything. */
export interface TreeFolder {
  /** Relative to the folder of the walk. Empty: it is that folder. */
  readonly path: string
  readonly entries: readonly Dirent[]
}

export interface WalkedTree {
  /** Where the walk begins: absolute, without symbolic links. */
  readonly location: string
  readonly readFolder: ReadFolder
  /** Whether what lies at a location is read without waiting for a file server. */
  isLocal(location: string): boolean
}

/**
 * The folders below a folder, and it itself, each with its files and links. No link is followed. Of folders that are not read yet the names
 * alone are in memory. The event loop has a turn before each folder, so that the thread hears of signals. Rejects with the reason of the signal.
 */
export async function* walkTree(
  { location, readFolder, isLocal }: WalkedTree,
  signal: AbortSignal,
): AsyncGenerator<TreeFolder, void> {
  const locationOf = (path: string): string => (path === '' ? location : `${location}/${path}`)
  const waiting = ['']
  while (waiting.length > 0) {
    await nextTurn()
    signal.throwIfAborted()
    const atOnce = isLocal(locationOf(waiting.at(-1) ?? '')) ? 1 : REMOTE_AT_ONCE
    const paths = waiting.splice(-atOnce)
    const lists = await Promise.all(paths.map((path) => readFolder(locationOf(path))))
    for (const [nth, path] of paths.entries()) {
      const entries: Dirent[] = []
      for (const entry of lists[nth] ?? [])
        if (entry.isDirectory()) waiting.push(pathBelow(path, entry.name))
        else entries.push(entry)
      yield { path, entries }
    }
  }
  signal.throwIfAborted()
}

/** The path of an entry of a folder. */
export function pathBelow(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
