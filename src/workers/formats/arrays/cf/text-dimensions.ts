import type { StoredArray } from '../array-file.ts'

/**
 * The dimensions that are the letters of texts, by how the file uses them: only arrays of characters have them, each as its last dimension,
 * and no array is their coordinate. `DATE_TIME` of `LAUNCH_DATE(DATE_TIME)` is one; `N_LEVELS` of `TEMP_QC(N_PROF, N_LEVELS)` is none, since
 * `TEMP` has it too. A dimension that has no name in the file says nothing.
 */
export function textDimensions(arrays: readonly StoredArray[]): ReadonlySet<string> {
  const texts = new Set<string>()
  const others = new Set<string>()
  for (const { element, dimensions } of arrays) {
    const last = element.kind === 'char' ? dimensions.length - 1 : -1
    for (const [index, { name, isInvented }] of dimensions.entries()) {
      if (index === last && !isInvented && !UNNAMED.test(name)) texts.add(name)
      else others.add(name)
    }
  }
  if (texts.size === 0) return texts
  // The coordinate of a dimension is called like it, in whatever group.
  const coordinates = new Set(arrays.map(({ name }) => lastOf(name)))
  return new Set([...texts].filter((name) => !others.has(name) && !coordinates.has(lastOf(name))))
}

/** What dimensions of Zarr are called that have no names. */
const UNNAMED = /^dim_\d+$/

/** A name without the path of its group. */
function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}
