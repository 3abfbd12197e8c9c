import { createThread } from '../../threads/thread.ts'
import type { WalkProgress } from './crawl-folder.ts'
import type { CrawlReport, CrawlRequest } from './crawl-request.ts'
import type { WalkFunctions } from './walk-functions.ts'

const THREAD = new URL('./walk-thread.ts', import.meta.url)

/**
 * Walks through a folder in a thread of low priority, and groups its files into tables. The thread has ended when this settles. Rejects with
 * `invalid_path` for a prefix that leads out of the root, with `ThreadEnded`, or with the reason of the signal.
 */
export async function walkFolder(
  request: CrawlRequest,
  progress: (at: WalkProgress) => void,
  signal: AbortSignal,
): Promise<CrawlReport> {
  signal.throwIfAborted()
  const thread = createThread<WalkFunctions, WalkProgress>({
    task: 'walks through folders',
    entry: THREAD,
    data: () => null,
    mostStarts: 1,
    onEvent: progress,
    // The call rejects.
    onDeath: () => undefined,
  })
  const end = (): void => void thread.call('end', null).catch(() => undefined)
  signal.addEventListener('abort', end, { once: true })
  try {
    return await thread.call('walk', request, signal)
  } finally {
    signal.removeEventListener('abort', end)
    await thread.stop()
  }
}
