import { join } from 'node:path'

/** The databases of the catalog, of the metrics, and of what is learned of files, in the same folder. */
export interface StorePaths {
  readonly catalog: string
  readonly metrics: string
  readonly learned: string
}

export function storePaths(folder: string): StorePaths {
  return Object.freeze({
    catalog: join(folder, 'catalog.db'),
    metrics: join(folder, 'metrics.db'),
    learned: join(folder, 'learned.db'),
  })
}
