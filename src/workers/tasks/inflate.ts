import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs'
import { ServiceError } from '../../plan/errors.ts'
import { writeError } from '../../plan/output/write-error.ts'
import type { InflatedAnswer, InflateTask } from '../../plan/task/inflate.ts'
import { createInflater } from '../formats/compressed/create-inflater.ts'
import { fillFrom, readsOf } from '../formats/compressed/inflate-front.ts'
import type { ReadContext } from '../formats/provider.ts'
import type { Inflation } from '../state/inflations.ts'
import type { WorkerState } from '../state/worker-state.ts'
import { descriptorPath } from '../store/descriptor-path.ts'
import { onlyObject, type Store } from '../store/store.ts'

/** After this time no more is inflated, because other queries wait for the worker. Milliseconds. */
const MOST_MS = 100

/** How much is inflated and written at a time. */
const STEP_BYTES = 1 << 20

/** Inflates the next bytes of a file. What is kept for the next task is given up with any error. */
export function inflate(
  task: InflateTask,
  { inflations, store: openStore }: WorkerState,
  context: ReadContext,
): InflatedAnswer {
  const earlier = inflations.get(task.key)
  if (earlier === undefined && task.written > 0)
    return {
      kind: 'inflated',
      written: task.written,
      hasEnded: false,
      isGone: true,
      metrics: context.stopwatch.metrics(),
    }
  inflations.remove(task.key)
  const inflation = earlier ?? begin(task)
  using store = openStore(task.file, context.stopwatch)
  inflation.read = readsOf(onlyObject(store), context.checkCancelled, inflation.position)
  const written = task.written + writeSlice(task, inflation, store, context)
  store.verify()
  const hasEnded = inflation.ahead === null
  if (!hasEnded) inflations.put(task, inflation)
  return { kind: 'inflated', written, hasEnded, metrics: context.stopwatch.metrics() }
}

function begin({ compression }: InflateTask): Inflation {
  const inflation: Inflation = {
    inflater: createInflater(compression, (target) => inflation.read(target)),
    position: { at: 0 },
    read: () => 0,
    ahead: null,
  }
  return inflation
}

/** Writes the next bytes to the temporary file, and returns how many. One more is inflated and kept, unless the file has ended. */
function writeSlice(
  task: InflateTask,
  inflation: Inflation,
  store: Store,
  { checkCancelled, stopwatch }: ReadContext,
): number {
  const until = performance.now() + MOST_MS
  const step = Buffer.allocUnsafeSlow(STEP_BYTES + 1)
  using temp = openTemp(task)
  let written = 0
  do {
    checkCancelled()
    const aheadBytes = inflation.ahead === null ? 0 : 1
    if (inflation.ahead !== null) step[0] = inflation.ahead
    const most = Math.min(STEP_BYTES, task.maxBytes - written)
    const target = step.subarray(aheadBytes, most + 1)
    const count =
      aheadBytes +
      stopwatch.time('inflate', () => fillFrom(store, task.compression, inflation.inflater, target))
    const hasEnded = count <= most
    inflation.ahead = hasEnded ? null : (step[most] ?? 0)
    temp.write(step.subarray(0, Math.min(count, most)), task.written + written)
    written += Math.min(count, most)
  } while (inflation.ahead !== null && written < task.maxBytes && performance.now() < until)
  return written
}

interface OpenTemp extends Disposable {
  write(bytes: Uint8Array, position: number): void
}

/** Opens the temporary file of a task. Throws `internal` if its descriptor is that of another file by now: nothing may be written there. */
function openTemp({ temp: { descriptor, device, inode } }: InflateTask): OpenTemp {
  const opened = attempt(() => openSync(descriptorPath(descriptor), constants.O_WRONLY))
  const stats = fstatSync(opened, { bigint: true })
  if (stats.dev !== device || stats.ino !== inode) {
    closeSync(opened)
    throw new ServiceError('internal', 'the temporary file of an inflation is closed')
  }
  return {
    write(bytes, position) {
      for (let done = 0; done < bytes.length; )
        done += attempt(() => writeSync(opened, bytes, done, bytes.length - done, position + done))
    },
    [Symbol.dispose]: () => closeSync(opened),
  }
}

function attempt<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw writeError(error)
  }
}
