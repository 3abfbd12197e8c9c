import { createSlice } from '../../../plan/steps.ts'
import { type FileDecider, pathRightsOf } from '../../auth/rights/path-rights.ts'
import type { Rights } from '../../auth/rights/rights.ts'
import { hasWildcard } from '../../patterns/glob.ts'
import { parsePath } from '../../patterns/path.ts'
import type { NamedDataset } from '../resolve.ts'
import type { DatasetRoot } from '../root.ts'

/** What rights say of a path or a glob by its text alone. */
export interface TextDecision {
  /** Whether it is refused, whatever is there. */
  readonly isRefused: boolean
  /** Whether all that it may lead to may be read, so that no file needs to be decided. */
  readonly isGranted: boolean
}

/**
 * Decides a path before the file system is asked: by its names before the first wildcard, since a path that is there as it is written is no
 * pattern. `markers`: names of files that stand for the folder that they are in. Throws `invalid_path` for what is no path.
 */
export function decideText(path: string, rights: Rights, markers: readonly string[]): TextDecision {
  const { names } = parsePath(path)
  const wildcard = names.findIndex(hasWildcard)
  const base = wildcard < 0 ? names : names.slice(0, wildcard)
  const { isRefusedBelow, isGrantedBelow } = pathRightsOf(rights)
  const isGranted = isGrantedBelow(base)
  const isOfMarker = base.length > 0 && markers.includes(base.at(-1) ?? '')
  // A grant of the folder is one of its marker, and the other way round.
  const isRefused = isRefusedBelow(base) && (!isOfMarker || isRefusedBelow(base.slice(0, -1)))
  return { isRefused, isGranted }
}

/** Whether all that a search has found may be read, whatever names it was found by. */
export async function mayReadFound(
  { files, others }: Readonly<Record<'files' | 'others', readonly NamedDataset[]>>,
  rights: Rights,
  root: DatasetRoot,
): Promise<boolean> {
  const decider = pathRightsOf(rights).decider()
  const slice = createSlice()
  for (const each of [files, others])
    for (const dataset of each) {
      if (slice.isOver()) await slice.next()
      if (!mayReadDataset(dataset, decider, root)) return false
    }
  return true
}

/** Whether a dataset may be read: a file by its path, a folder by its own path or by that of its marker. */
export function mayReadDataset(
  { path, location, folder }: NamedDataset,
  decider: FileDecider,
  root: DatasetRoot,
): boolean {
  const target = belowRoot(location, root)
  if (folder === undefined) return decider.mayReadFile(path, target)
  return decider.mayReadFolder(namesOf(path, folder.marker), namesOf(target, folder.marker))
}

/** The paths of a folder that is a dataset. The root itself has only that of its marker. */
function namesOf(path: string, marker: string): readonly string[] {
  return path === '' || path === '.' ? [marker] : [path, `${path}/${marker}`]
}

function belowRoot(location: string, { location: root }: DatasetRoot): string {
  return location.slice(root === '/' ? 1 : root.length + 1)
}
