import { opendirSync } from 'node:fs'
import { ServiceError } from '../../plan/errors.ts'
import type { Folder } from './folders.ts'
import { attempt } from './planned.ts'

/** The most entries of a folder that is listed. */
const MAX_ENTRIES = 65_536

/**
 * The names of the folders in an open folder, and of symbolic links, in the order of their UTF-8 bytes. Throws `memory_limit` if there
 * are too many entries.
 */
export function foldersIn({ shown, location }: Folder): readonly string[] {
  const names: Buffer[] = []
  using folder = attempt(shown, () => opendirSync(location))
  for (let entries = 1; ; entries++) {
    const entry = attempt(shown, () => folder.readSync())
    if (entry === null) break
    if (entries > MAX_ENTRIES)
      throw new ServiceError('memory_limit', `"${shown}" has more than ${MAX_ENTRIES} entries.`)
    if (entry.isDirectory() || entry.isSymbolicLink()) names.push(Buffer.from(entry.name))
  }
  return names.sort(Buffer.compare).map(String)
}
