import { createThread } from '../../threads/thread.ts'
import type { WalkFunctions, WalkRequest, WalkStep } from './walk-functions.ts'

const THREAD = new URL('./walk-thread.ts', import.meta.url)

/** How the files of a folder are found. */
export type Walk = (request: WalkRequest, signal: AbortSignal) => AsyncGenerator<WalkStep, void>

/**
 * Walks through a folder in a thread of low priority, which waits while nobody asks for the next step. The thread has ended when the walk has.
 * Rejects with `invalid_path` for a prefix that leads out of the root, with `ThreadEnded`, or with the reason of the signal.
 */
export const walkInThread: Walk = async function* walkInThread(request, signal) {
  signal.throwIfAborted()
  const thread = createThread<WalkFunctions>({
    task: 'walks through the files of the dataset root',
    entry: THREAD,
    data: () => null,
    mostStarts: 1,
    // The call rejects.
    onDeath: () => undefined,
  })
  const end = (): void => void thread.call('end', null).catch(() => undefined)
  signal.addEventListener('abort', end, { once: true })
  try {
    await thread.call('begin', request, signal)
    for (;;) {
      const step = await thread.call('next', null, signal)
      yield step
      if (step.kind === 'end') return
    }
  } finally {
    signal.removeEventListener('abort', end)
    await thread.stop()
  }
}
