import { createLru } from '../../../plan/lru.ts'
import { type CrawledDigest, type CrawledDigests, MOST_CRAWLED } from '../crawled-digests.ts'

/** How the digests are stored. Neither function rejects. */
export interface CrawledStore {
  read(): Promise<readonly CrawledDigest[]>
  write(digests: readonly CrawledDigest[]): Promise<void>
}

/** Milliseconds between two transactions. */
const PAUSE_MS = 100

/** Reads all digests when the first one is asked for, and writes those of many tables together. */
export function createCrawledDigests(store: CrawledStore): CrawledDigests {
  let reading: Promise<void> | null = null
  const digests = createLru<string>(MOST_CRAWLED)
  const waiting = new Map<string, string>()
  let timer: NodeJS.Timeout | null = null

  const load = (): Promise<void> => (reading ??= readAll())

  async function readAll(): Promise<void> {
    const stored = await store.read()
    // What was put meanwhile is newer.
    for (const { name, digest } of stored) if (digests.get(name) === undefined) digests.put(name, digest)
  }

  async function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (waiting.size === 0) return
    const written = store.write(Array.from(waiting, ([name, digest]) => ({ name, digest })))
    waiting.clear()
    await written
  }

  return {
    load: () => void load(),
    async find(name) {
      await load()
      return digests.get(name)
    },
    put(name, digest) {
      digests.put(name, digest)
      // The order of rows is that in which they were written last.
      waiting.delete(name)
      waiting.set(name, digest)
      timer ??= setTimeout(flush, PAUSE_MS).unref()
    },
    flush,
  }
}
