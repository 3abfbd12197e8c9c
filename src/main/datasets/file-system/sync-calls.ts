import type { DatasetFiles } from './dataset-files.ts'

/**
 * The calls for local disks of a thread that nobody else waits for: each is made at once, without the thread pool, which takes several
 * times as long. Who uses them asks `isLocal` before.
 */
export function withSyncCalls(files: DatasetFiles): DatasetFiles {
  return {
    ...files,
    async lstat(location) {
      const stats = files.lstatSync(location)
      if (stats === undefined) throw Object.assign(new Error(`ENOENT: '${location}'`), { code: 'ENOENT' })
      return stats
    },
    realpath: async (path) => files.realpathSync(path),
    entries: async (location) => inTurn(files.entriesSync(location)),
  }
}

async function* inTurn<T>(items: readonly T[]): AsyncGenerator<T, void> {
  yield* items
}
