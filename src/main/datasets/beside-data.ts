import type { RegularFile } from './stat.ts'

/** Whether a file has no rows: empty marker files (`_SUCCESS`), and collected footers of other files (`_metadata`). */
export function isBesideData({ path, stats }: Pick<RegularFile, 'path' | 'stats'>): boolean {
  return stats.size === 0n || /(?:^|\/)_(?:common_)?metadata$/.test(path)
}
