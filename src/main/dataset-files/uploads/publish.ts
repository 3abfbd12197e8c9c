import { lstat } from 'node:fs/promises'
import { ServiceError } from '../../../plan/errors.ts'
import type { DatasetRoot } from '../../datasets/root.ts'
import type { FileCalls } from '../file-calls.ts'
import { findPlace, makeFolders, type Place } from '../place.ts'
import { fileExists } from '../write-failure.ts'

/** What a file system answers that has no hard links. */
const WITHOUT_LINKS: ReadonlySet<string | undefined> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
])

/**
 * Gives a whole file, which is on the disk, its name. Everybody sees it from then on, and nobody has seen a part of it. Rejects with
 * `file_exists` if something is there that it does not replace, `invalid_path`, or the error of a system call.
 * @param staged The absolute path that it has now.
 * @param replaces Whether it takes the place of a file that is there. Of a link it is the link itself.
 */
export async function publish(
  root: DatasetRoot,
  names: readonly string[],
  staged: string,
  replaces: boolean,
  calls: FileCalls,
): Promise<void> {
  // Looked at again: others may have changed the folders since the upload began.
  const place = await findPlace(root, names)
  const { location, folder } = place
  const { system, run, syncFolder } = calls
  // The service ended after it had made the link, and the upload in parts is completed again.
  const isLinked = await run(location, () => isFile(staged, place))
  if (!isLinked) requireFree(place, replaces)
  await makeFolders(place, calls)
  if (isLinked) await run(location, () => system.unlink(staged))
  else if (replaces) await run(location, () => system.rename(staged, location))
  else await run(location, () => moveToFree(staged, place, system))
  await syncFolder(folder)
}

/** Refuses a place that has something that is not replaced. */
export function requireFree({ path, stats }: Place, replaces: boolean): void {
  if (stats === null) return
  if (stats.isDirectory()) throw new ServiceError('file_exists', `${path} is a folder.`)
  if (!replaces) throw fileExists(path)
}

/** Gives a file a name that nothing has. A rename would replace what others have put there meanwhile; a link does not. */
async function moveToFree(
  staged: string,
  { path, location }: Place,
  system: FileCalls['system'],
): Promise<void> {
  try {
    await system.link(staged, location)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (!WITHOUT_LINKS.has(code)) throw error
    if ((await lstat(location).catch(() => null)) !== null) throw fileExists(path, error)
    return system.rename(staged, location)
  }
  await system.unlink(staged)
}

/** Whether a file is what is at a place, by another name. */
async function isFile(path: string, { stats }: Place): Promise<boolean> {
  if (stats === null) return false
  const { dev, ino } = await lstat(path, { bigint: true })
  return dev === stats.dev && ino === stats.ino
}
