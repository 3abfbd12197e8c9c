import type { FilteredBytes } from '../../plan/task/filtered-bytes.ts'

/**
 * Decodes a chunk whose filter only a library knows. It runs in the annex, which is ended if it takes too long, and may load the library when it is
 * first called. Throws `unreadable_file`.
 */
export type FilterLibrary = (filtered: FilteredBytes) => Promise<ArrayBuffer>

export const FILTER_LIBRARY: FilterLibrary = async (filtered) => {
  const { undoFilter } = await import('./hdf5/library/undo-filter.ts')
  return undoFilter(filtered)
}
