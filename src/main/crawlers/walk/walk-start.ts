import type { Formats } from '../../../plan/format/create-formats.ts'
import { locate } from '../../datasets/find/locate.ts'
import { findMarker } from '../../datasets/find/walk.ts'
import { NO_FINGERPRINT } from '../../datasets/fingerprint/fingerprint.ts'
import type { DatasetRoot } from '../../datasets/root.ts'
import { hasWildcard } from '../../patterns/glob.ts'
import { parsePath } from '../../patterns/path.ts'
import type { WalkedFolder } from './describe-groups.ts'
import { folderOf } from './place.ts'
import { IN_STORE, NO_FOLDER, type Unread } from './unread.ts'

export type WalkStart = Pick<WalkedFolder, 'location' | 'prefix'>

/** Finds where a walk starts. Null: there is no such folder, or it is part of a store. */
export async function startOfWalk(
  root: DatasetRoot,
  formats: Formats,
  prefix: string,
  unread: Unread,
): Promise<WalkStart | null> {
  const { names } = parsePath(prefix === '' ? '.' : prefix)
  const written = names.join('/')
  const located = await locate(root, names, NO_FINGERPRINT)
  if (!located?.stats.isDirectory()) {
    unread.add(NO_FOLDER, written)
    return null
  }
  const { location } = located
  for (let above = folderOf(location); above.length >= root.location.length; above = folderOf(above))
    if ((await findMarker(root.files, above, formats.markers, NO_FINGERPRINT)) !== null) {
      unread.add(IN_STORE, written)
      return null
    }
  const inRoot = location.slice(root.location.length + 1)
  // A pattern follows no links: where the prefix has to be escaped, the folder is named as it is without links.
  return { location, prefix: names.some(hasWildcard) ? inRoot : written }
}
