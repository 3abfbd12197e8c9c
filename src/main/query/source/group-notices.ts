import { listNames } from '../../../plan/nearest-name.ts'
import { type FileRef, storePath } from '../../../plan/source/file.ts'
import type { FileSummary } from '../../../plan/source/segments.ts'

/** The groups of a store, of which the first has these dimensions. */
interface Groups {
  readonly dimensions: string
  readonly names: string[]
  areDifferent: boolean
}

/** The notices about stores whose groups have dimensions of different names or sizes: their rows are seldom meant to be one table. */
export function groupNotices(
  files: readonly FileRef[],
  summaries: readonly FileSummary[],
): readonly string[] {
  if (!files.some(({ folder }) => folder?.group !== undefined)) return []
  const stores = new Map<string, Groups>()
  for (const [index, file] of files.entries()) {
    const group = file.folder?.group
    const segments = summaries[index]?.segments
    if (group === undefined || segments?.kind !== 'grid') continue
    const sizes = segments.axes.map(({ name, dimension }, axis) => [name ?? dimension, segments.shape[axis]])
    const dimensions = JSON.stringify(sizes.toSorted())
    const store = storePath(file)
    const groups = stores.get(store)
    if (groups === undefined) stores.set(store, { dimensions, names: [group], areDifferent: false })
    else {
      groups.names.push(group)
      groups.areDifferent ||= groups.dimensions !== dimensions
    }
  }
  return [...stores].flatMap(([store, { names, areDifferent }]) =>
    areDifferent
      ? `"${store}" has groups with different coordinates, whose rows come one after the other: ${listNames(names)}; "group" = '${names[0]}' would read one`
      : [],
  )
}
