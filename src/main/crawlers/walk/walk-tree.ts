import type { Dirent } from 'node:fs'
import type { Readable } from 'node:stream'
import fastGlob, { type Entry } from 'fast-glob'
import type { ReadFolder } from './folder-reader.ts'

/** Entries that wait in the stream, of some 300 bytes each. No folder is read while there are more. */
const MOST_WAITING = 20_000

/** A file, or a link to anything. */
export interface TreeEntry {
  readonly name: string
  /** Relative to the folder of the walk. */
  readonly path: string
  readonly isLink: boolean
}

/**
 * The files and links below a folder, by fast-glob. A folder is read when the event loop has had its turn, so
 * that the thread hears of signals. Rejects with the reason of the signal.
 */
export async function* walkTree(
  folder: string,
  readFolder: ReadFolder,
  signal: AbortSignal,
): AsyncGenerator<TreeEntry, void> {
  const held: (() => void)[] = []
  const stream = fastGlob.stream('**/*', {
    cwd: folder,
    followSymbolicLinks: false,
    onlyFiles: false,
    objectMode: true,
    // Else it keeps all paths.
    unique: false,
    fs: { readdir: readdir as never },
  }) as Readable

  function readdir(
    path: string,
    _: unknown,
    callback: (error: Error | null, entries: readonly Dirent[]) => void,
  ): void {
    const read = async (): Promise<void> => {
      const entries = signal.aborted ? [] : await readFolder(decodeBreaks(path))
      setImmediate(callback, null, entries.map(withoutBreaks))
    }
    if (stream.readableLength < MOST_WAITING) void read()
    else held.push(() => void read())
  }

  for await (const entry of stream) {
    signal.throwIfAborted()
    if (stream.readableLength < MOST_WAITING) for (const read of held.splice(0)) read()
    const { name, path, dirent } = entry as Entry
    if (!dirent.isDirectory())
      yield { name: decodeBreaks(name), path: decodeBreaks(path), isLink: dirent.isSymbolicLink() }
  }
  signal.throwIfAborted()
}

/** The line terminators of JavaScript. In fast-glob's regular expression of `**` a dot stands for any character but these. */
const BREAKS = ['\n', '\r', '\u2028', '\u2029']

/** An entry whose name has a zero byte and a digit for each line terminator. No name of a file has a zero byte. */
function withoutBreaks(entry: Dirent): Dirent {
  if (!/[\n\r\u2028\u2029]/.test(entry.name)) return entry
  const name = entry.name.replaceAll(/[\n\r\u2028\u2029]/g, (each) => `\0${BREAKS.indexOf(each)}`)
  return Object.create(entry, { name: { value: name } }) as Dirent
}

function decodeBreaks(path: string): string {
  return path.includes('\0') ? path.replaceAll(/\0(\d)/g, (_, digit) => BREAKS[Number(digit)] ?? '') : path
}
