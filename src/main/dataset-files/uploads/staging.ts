import { constants } from 'node:fs'
import { type FileHandle, lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '../../../plan/errors.ts'
import { entriesOf, type FileCalls } from '../file-calls.ts'

/** The folder in the dataset root that has uploads until they are whole: a file can be moved from there to its place at once. */
export interface Staging {
  /** The absolute path of the file of an upload. */
  fileOf(id: string): string
  /** Opens the file of an upload, which may be there already only if `isBegun`. Makes the folder if it is missing. */
  open(id: string, isBegun: boolean): Promise<FileHandle>
  /** Deletes the file of an upload, if it is there. */
  discard(id: string): Promise<void>
  /**
   * Deletes the files that this service has left when it ended, but not those of uploads that have begun, and those of others that nobody has written to for
   * a day. Returns their number.
   */
  sweep(isBegun: (id: string) => boolean): Promise<number>
}

/** A link is not followed. */
const FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW

/** Files of other services over the same root: an upload whose file has not changed for so long is over. Milliseconds. */
const ABANDONED_MS = 86_400_000

const FILE_NAME = /^([0-9a-f]{8})-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/**
 * @param folder Its absolute path.
 * @param owner With which the names of this service's files begin. Another service may have the same root.
 */
export function createStaging(folder: string, owner: string, calls: FileCalls): Staging {
  const { system, run } = calls
  const fileOf = (id: string): string => join(folder, `${owner}-${id}`)

  async function ensureFolder(): Promise<void> {
    const stats = await run(folder, () => lstat(folder)).catch(() => null)
    if (stats === null) {
      await run(folder, () => system.mkdir(folder)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
      return ensureFolder()
    }
    if (!stats.isDirectory())
      throw new ServiceError(
        'not_writable',
        `${folder.slice(folder.lastIndexOf('/') + 1)} in the dataset root is the service's own folder for uploads, and there is something else of this name; move it away.`,
      )
  }

  async function isAbandoned(path: string, owned: boolean): Promise<boolean> {
    const stats = await lstat(path).catch(() => null)
    return stats?.isFile() === true && (owned || Date.now() - stats.mtimeMs > ABANDONED_MS)
  }

  return {
    fileOf,
    async open(id, isBegun) {
      await ensureFolder()
      const path = fileOf(id)
      return run(path, () => system.open(path, isBegun ? FLAGS : FLAGS | constants.O_EXCL, 0o666))
    },
    async discard(id) {
      const path = fileOf(id)
      await run(path, () => system.unlink(path)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      })
    },
    async sweep(isBegun) {
      let swept = 0
      for (const name of await entriesOf(folder)) {
        const [, fileOwner, id = ''] = FILE_NAME.exec(name) ?? []
        const isOwned = fileOwner === owner
        if (fileOwner === undefined || (isOwned && isBegun(id))) continue
        const path = join(folder, name)
        if (!(await isAbandoned(path, isOwned))) continue
        await system.unlink(path)
        swept++
      }
      return swept
    },
  }
}
