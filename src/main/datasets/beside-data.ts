import type { RegularFile } from './stat.ts'

/** Whether a file has no rows: empty marker files (`_SUCCESS`), and collected footers of other files (`_metadata`). */
export function isBesideData({ path, version }: Pick<RegularFile, 'path' | 'version'>): boolean {
  if (version.size === 0n) return true
  // Most names end in other letters. To look for the slash takes longer.
  return path.endsWith('metadata') && isNameBesideData(path.slice(path.lastIndexOf('/') + 1))
}

/** Whether files with this name have no rows. */
export function isNameBesideData(name: string): boolean {
  return name === '_metadata' || name === '_common_metadata'
}
