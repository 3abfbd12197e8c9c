/** A thread whose functions do what tests of threads need. */
import { setImmediate as turn } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { serve } from '../../src/main/threads/serve.ts'
import { ServiceError } from '../../src/plan/errors.ts'

export interface Called {
  /** Returns it, after an event with the same. */
  echo(value: unknown): unknown
  /** The same after so many turns of the thread's event loop. */
  echoAfter(turns: number): Promise<number>
  neverAnswer(_: null): Promise<never>
  /** Throws what its name says. */
  fail(what: 'service error' | 'error'): never
  /** Its result cannot be copied. */
  returnFunction(_: null): () => void
  /** Ends the thread, by an error that nobody catches or without one. */
  die(how: 'throw' | 'exit'): Promise<never>
  /** What the thread was started with. */
  data(_: null): unknown
}

const never = new Promise<never>(() => undefined)

if (parentPort !== null)
  serve<Called, unknown>(parentPort, (emit) => {
    emit('opening')
    if (workerData === 'refuse') throw new ServiceError('no_space', 'It cannot be opened.')
    return {
      echo(value) {
        emit(value)
        return value
      },
      async echoAfter(turns) {
        for (let nth = 0; nth < turns; nth++) await turn()
        return turns
      },
      neverAnswer: () => never,
      fail(what) {
        throw what === 'error' ? new TypeError('wrong') : new ServiceError('no_space', 'full', { at: 3 })
      },
      returnFunction: () => () => undefined,
      die(how) {
        if (how === 'exit') process.exit(0)
        setImmediate(() => {
          throw new Error('dead')
        })
        return never
      },
      data: () => workerData,
      close: () => emit('closed'),
    }
  })
