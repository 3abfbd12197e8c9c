import type { EveryRight } from '../auth/rights/rights.ts'
import { findMarkedFolder } from './patterns/find-stores.ts'
import { nearestPath } from './patterns/nearest-path.ts'
import type { DatasetRoot } from './root.ts'

/**
 * The end of a message about a path that matches no file, for those alone who may read everything: the folder may be one dataset, of another
 * format.
 */
export async function whatIsThere(
  root: DatasetRoot,
  path: string,
  rights: EveryRight,
  signal: AbortSignal,
  markers: readonly string[],
): Promise<string> {
  const found = await findMarkedFolder(root, path, markers)
  return found === null
    ? nearestPath(root, path, rights, signal)
    : `; this folder is one dataset of another format, as its ${found.marker} says.`
}
