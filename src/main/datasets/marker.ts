import { pathRightsOf } from '../auth/rights/path-rights.ts'
import type { Rights } from '../auth/rights/rights.ts'
import { findMarkedFolder } from './find/find-stores.ts'
import { decideText, mayReadDataset } from './refusals/decide-found.ts'
import { hideUnderRules, refusalOf } from './refusals/refusal.ts'
import type { DatasetRoot } from './root.ts'

/**
 * The marker in the folder that a path names. Null: there is none. Rejects with `invalid_path` as `findFiles` does. Under rules there has to
 * be one in a folder that may be read; else it rejects with the one error for what is refused or not there.
 */
export async function markerIn(
  root: DatasetRoot,
  path: string,
  rights: Rights,
  markers: readonly string[],
): Promise<string | null> {
  if (rights.isEverything) return (await findMarkedFolder(root, path, markers))?.marker ?? null
  const { isRefused, isGranted } = decideText(path, rights, markers)
  if (isRefused) throw refusalOf([path])
  const markedFolder = await findMarkedFolder(root, path, markers).catch((error: unknown) => {
    throw hideUnderRules(error, [path], isGranted)
  })
  if (markedFolder === null) throw refusalOf([path])
  const { names, location, marker } = markedFolder
  const dataset = { path: names.join('/'), location, folder: { marker } }
  if (!mayReadDataset(dataset, pathRightsOf(rights).decider(), root)) throw refusalOf([path])
  return marker
}
