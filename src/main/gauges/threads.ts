import type { Worker } from 'node:worker_threads'

/** The threads of this process that run now, from when this is called. */
export interface RunningThreads extends Disposable {
  readonly all: ReadonlySet<Worker>
}

export function watchThreads(): RunningThreads {
  const all = new Set<Worker>()
  const add = (thread: Worker): void => {
    all.add(thread)
    thread.once('exit', () => all.delete(thread))
  }
  process.on('worker', add)
  return { all, [Symbol.dispose]: () => void process.off('worker', add) }
}
