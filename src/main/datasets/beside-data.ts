import type { RegularFile } from './stat.ts'

/** Whether a file has no rows: empty marker files (`_SUCCESS`), and collected footers of other files (`_metadata`). */
export function isBesideData({ path, version }: Pick<RegularFile, 'path' | 'version'>): boolean {
  return version.size === 0n || isNameBesideData(path.slice(path.lastIndexOf('/') + 1))
}

/** Whether files with this name have no rows. */
export function isNameBesideData(name: string): boolean {
  return name === '_metadata' || name === '_common_metadata'
}
